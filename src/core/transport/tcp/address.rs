//! Where a process listens, and where others try to reach it.
//!
//! Every usable address of the host is told, each with a port of its own, and who calls tries the best one first. Which
//! interfaces and ports are used, users say in the variables of either family of MPI libraries, or in this one's own. Knows
//! no connection.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::ops::RangeInclusive;

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;
use nix::sys::socket::SockaddrStorage;

/// Variables that name interfaces or networks to use, and not to use; the first one that is set counts.
const INCLUDE: [&str; 5] = [
    "MPI_ANYMPI_TCP_INTERFACES",
    "OMPI_MCA_btl_tcp_if_include",
    "MPIEXEC_IFACE",
    "HYDRA_IFACE",
    "I_MPI_HYDRA_IFACE",
];
const EXCLUDE: [&str; 2] = [
    "MPI_ANYMPI_TCP_NOT_INTERFACES",
    "OMPI_MCA_btl_tcp_if_exclude",
];
/// Variables that say `low:high`; the first one that is set counts.
const PORTS: [&str; 4] = [
    "MPI_ANYMPI_TCP_PORTS",
    "MPIEXEC_PORT_RANGE",
    "MPICH_PORT_RANGE",
    "MPIR_CVAR_CH3_PORT_RANGE",
];
/// Interfaces of virtual machines and containers on this host: their addresses are the same on many hosts.
const INNER: [&str; 5] = ["docker", "virbr", "cni", "podman", "lxc"];
/// Most addresses that are told.
const MOST: usize = 16;

/// An address of this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    pub name: String,
    pub address: IpAddr,
    /// Bits that all addresses of its network have in common.
    pub prefix: u8,
}

impl Interface {
    /// Whether an address is in its network.
    pub fn reaches(&self, other: IpAddr) -> bool {
        in_network(other, self.address, self.prefix)
    }
}

fn in_network(address: IpAddr, network: IpAddr, prefix: u8) -> bool {
    let bits = |address| match address {
        IpAddr::V4(v4) => (u128::from(u32::from(v4)) << 96, 32),
        IpAddr::V6(v6) => (u128::from(v6), 128),
    };
    let ((one, size), (other, same)) = (bits(address), bits(network));
    let differs = (one ^ other).checked_shr(128 - u32::from(prefix.min(128)));
    size == same && (prefix == 0 || differs == Some(0))
}

/// Which interfaces a user means.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Which {
    Named(String),
    /// All whose address is in a network.
    In(IpAddr, u8),
}

impl Which {
    /// What users write: the name of an interface, an address, or a network as `10.0.0.0/8`.
    fn parse(text: &str) -> Result<Which, String> {
        let (address, prefix) = text.split_once('/').unwrap_or((text, ""));
        let Ok(address) = address.parse::<IpAddr>() else {
            return match text.contains('/') {
                true => Err(format!("'{text}' is not a network")),
                false => Ok(Which::Named(text.to_owned())),
            };
        };
        let most = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            "" => Ok(most),
            prefix => prefix.parse().map_err(|_| ()),
        };
        match prefix {
            Ok(prefix) if prefix <= most => Ok(Which::In(address, prefix)),
            _ => Err(format!("'{text}' is not a network")),
        }
    }

    fn is(&self, interface: &Interface) -> bool {
        match self {
            Which::Named(name) => *name == interface.name,
            Which::In(network, prefix) => in_network(interface.address, *network, *prefix),
        }
    }
}

/// Which interfaces and ports may be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    include: Vec<Which>,
    exclude: Vec<Which>,
    ports: Option<RangeInclusive<u16>>,
    /// The variable that names the interfaces to use.
    by: Option<&'static str>,
}

impl Wishes {
    /// What the environment says, by this function that reads a variable.
    ///
    /// # Errors
    /// A value that makes no sense, with the variable that has it.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Wishes, String> {
        let first = |names: &[&'static str]| {
            names.iter().find_map(|&name| {
                let value = variable(name)?;
                (!value.trim().is_empty()).then_some((name, value))
            })
        };
        let list = |found: Option<(&str, String)>| -> Result<Vec<Which>, String> {
            let Some((name, value)) = found else {
                return Ok(Vec::new());
            };
            let words = value
                .split(',')
                .map(str::trim)
                .filter(|word| !word.is_empty());
            let all: Result<_, _> = words.map(Which::parse).collect();
            all.map_err(|what| format!("{name}='{value}': {what}"))
        };
        let included = first(&INCLUDE);
        let by = included.as_ref().map(|(name, _)| *name);
        let ports = match first(&PORTS) {
            None => None,
            Some((name, value)) => {
                let (low, high) = value.split_once(':').unwrap_or((&value, &value));
                match (low.trim().parse(), high.trim().parse()) {
                    (Ok(low), Ok(high)) if 0 < low && low <= high => Some(low..=high),
                    _ => return Err(format!("{name}='{value}' is not a range of ports low:high")),
                }
            }
        };
        Ok(Wishes {
            include: list(included)?,
            exclude: list(first(&EXCLUDE))?,
            ports,
            by,
        })
    }

    /// Those of all interfaces that are to be used, the most useful first.
    ///
    /// # Errors
    /// None of them is what the user wants.
    pub fn choose(&self, all: Vec<Interface>) -> Result<Vec<Interface>, String> {
        let wanted = |one: &Interface| match self.include.is_empty() {
            true => !one.address.is_loopback(),
            false => self.include.iter().any(|which| which.is(one)),
        };
        let names: Vec<String> = all
            .iter()
            .map(|one| format!("{} {}", one.name, one.address))
            .collect();
        let mut chosen: Vec<Interface> = all
            .into_iter()
            .filter(|one| wanted(one) && !self.exclude.iter().any(|which| which.is(one)))
            .collect();
        chosen.sort_by_key(|one| is_inner(&one.name));
        chosen.truncate(MOST);
        match (chosen.is_empty(), self.by) {
            (true, Some(by)) => Err(format!(
                "no interface of this host is what {by} wants; there are {}",
                names.join(", ")
            )),
            (true, None) => Err(format!(
                "this host has no address by which others could reach it; there are only {}",
                names.join(", ")
            )),
            (false, _) => Ok(chosen),
        }
    }

    /// Listens on an address, on a port of the range, if there is one. Who looks for a free one begins at another place than
    /// others do: `start` says where.
    ///
    /// # Errors
    /// What the system says; `AddrInUse` if no port of the range is free.
    pub fn listen(&self, address: IpAddr, start: u32) -> io::Result<TcpListener> {
        let Some(range) = &self.ports else {
            return TcpListener::bind((address, 0));
        };
        let count = u32::from(range.end() - range.start()) + 1;
        let mut last = io::ErrorKind::AddrInUse.into();
        for at in 0..count {
            let port = range.start() + ((start % count + at) % count) as u16;
            match TcpListener::bind((address, port)) {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => last = error,
                other => return other,
            }
        }
        Err(last)
    }
}

/// The addresses of this host whose interfaces are up.
///
/// # Errors
/// What the system says.
pub fn interfaces() -> io::Result<Vec<Interface>> {
    let ip = |storage: &SockaddrStorage| {
        let v4 = storage.as_sockaddr_in().map(|v4| IpAddr::V4(v4.ip()));
        v4.or_else(|| storage.as_sockaddr_in6().map(|v6| IpAddr::V6(v6.ip())))
    };
    let mut all = Vec::new();
    for found in getifaddrs()? {
        let up = found.flags.contains(InterfaceFlags::IFF_UP);
        let Some(address) = found.address.as_ref().and_then(ip).filter(|_| up) else {
            continue;
        };
        // Those need the number of an interface, which means nothing elsewhere.
        if matches!(address, IpAddr::V6(v6) if v6.is_unicast_link_local()) {
            continue;
        }
        let prefix = match found.netmask.as_ref().and_then(ip) {
            Some(IpAddr::V4(mask)) => u32::from(mask).count_ones() as u8,
            Some(IpAddr::V6(mask)) => u128::from(mask).count_ones() as u8,
            None => 128,
        };
        all.push(Interface {
            name: found.interface_name,
            address,
            prefix,
        });
    }
    Ok(all)
}

/// The addresses of another process, the one that is most likely to reach it first: those in a network of this host, and
/// then as the other one has told them. Those that lead back to this process, `mine`, are left out.
pub fn best_first(
    mut theirs: Vec<SocketAddr>,
    ours: &[Interface],
    mine: &[SocketAddr],
) -> Vec<SocketAddr> {
    theirs.retain(|there| !mine.contains(there));
    let outer = |here: &&Interface| !is_inner(&here.name);
    theirs.sort_by_key(|there| {
        let mut nets = ours.iter().filter(outer);
        !nets.any(|here| here.reaches(there.ip()))
    });
    theirs
}

/// Whether an interface is for what runs within this host.
fn is_inner(name: &str) -> bool {
    INNER.iter().any(|inner| name.starts_with(inner))
}

/// Addresses as bytes of a contact card: for each its length, its bytes and its port.
pub fn to_bytes(addresses: &[SocketAddr]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for address in addresses.iter().take(MOST) {
        match address.ip() {
            IpAddr::V4(v4) => {
                bytes.push(4);
                bytes.extend(v4.octets());
            }
            IpAddr::V6(v6) => {
                bytes.push(16);
                bytes.extend(v6.octets());
            }
        }
        bytes.extend(address.port().to_le_bytes());
    }
    bytes
}

/// What [`to_bytes`] has made; `None`: these are other bytes.
pub fn from_bytes(mut bytes: &[u8]) -> Option<Vec<SocketAddr>> {
    let mut addresses = Vec::new();
    while let Some((&length, rest)) = bytes.split_first() {
        let (address, rest) = rest.split_at_checked(length.into())?;
        let (port, rest) = rest.split_first_chunk()?;
        let address = match length {
            4 => IpAddr::V4(Ipv4Addr::from(<[u8; 4]>::try_from(address).ok()?)),
            16 => IpAddr::V6(Ipv6Addr::from(<[u8; 16]>::try_from(address).ok()?)),
            _ => return None,
        };
        addresses.push(SocketAddr::new(address, u16::from_le_bytes(*port)));
        bytes = rest;
    }
    Some(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn interface(name: &str, address: &str, prefix: u8) -> Interface {
        Interface {
            name: name.into(),
            address: address.parse().unwrap(),
            prefix,
        }
    }

    fn host() -> Vec<Interface> {
        vec![
            interface("lo", "127.0.0.1", 8),
            interface("docker0", "172.17.0.1", 16),
            interface("eth0", "10.1.2.3", 24),
            interface("eth0", "fd00::3", 64),
            interface("ib0", "192.168.4.3", 22),
        ]
    }

    fn chosen(variables: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let variables: HashMap<_, _> = variables.iter().copied().collect();
        let wishes = Wishes::read(|name| variables.get(name).map(|value| (*value).to_owned()))?;
        let chosen = wishes.choose(host())?;
        Ok(chosen.iter().map(|one| one.address.to_string()).collect())
    }

    #[test]
    fn users_say_which_interfaces_are_used() {
        let all = ["10.1.2.3", "fd00::3", "192.168.4.3", "172.17.0.1"];
        assert_eq!(chosen(&[]).unwrap(), all);
        for (variable, value, expected) in [
            ("OMPI_MCA_btl_tcp_if_include", "ib0", &["192.168.4.3"][..]),
            (
                "OMPI_MCA_btl_tcp_if_include",
                "192.168.4.0/22,",
                &["192.168.4.3"],
            ),
            ("HYDRA_IFACE", "eth0", &["10.1.2.3", "fd00::3"]),
            ("MPI_ANYMPI_TCP_INTERFACES", "lo", &["127.0.0.1"]),
            (
                "OMPI_MCA_btl_tcp_if_exclude",
                "lo,docker0,fd00::/8",
                &["10.1.2.3", "192.168.4.3"],
            ),
        ] {
            assert_eq!(
                chosen(&[(variable, value)]).unwrap(),
                expected,
                "{variable}={value}"
            );
        }
    }

    #[test]
    fn wishes_that_make_no_sense_are_named() {
        for (variable, value, what) in [
            (
                "HYDRA_IFACE",
                "eth7",
                "no interface of this host is what HYDRA_IFACE wants",
            ),
            (
                "OMPI_MCA_btl_tcp_if_include",
                "10.0.0.0/33",
                "'10.0.0.0/33' is not a network",
            ),
            (
                "OMPI_MCA_btl_tcp_if_exclude",
                "10.0.0/8",
                "'10.0.0/8' is not a network",
            ),
            ("MPICH_PORT_RANGE", "9000", ""),
            (
                "MPICH_PORT_RANGE",
                "9000:8000",
                "'9000:8000' is not a range",
            ),
            ("MPIEXEC_PORT_RANGE", "a:b", "MPIEXEC_PORT_RANGE='a:b'"),
        ] {
            match chosen(&[(variable, value)]) {
                Err(error) => assert!(!what.is_empty() && error.contains(what), "{error}"),
                Ok(_) => assert_eq!(what, "", "{variable}={value}"),
            }
        }
    }

    #[test]
    fn ports_are_those_of_the_range() {
        // Some range of two ports of which none is taken.
        let free = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let low = free.min(u16::MAX - 1);
        let range = format!("{low}:{}", low + 1);
        let wishes = Wishes::read(|name| (name == "MPICH_PORT_RANGE").then(|| range.clone()));
        let wishes = wishes.unwrap();
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let first = wishes.listen(address, 1).unwrap();
        assert_eq!(first.local_addr().unwrap().port(), low + 1);
        let second = wishes.listen(address, 1).unwrap();
        assert_eq!(second.local_addr().unwrap().port(), low);
        let none = wishes.listen(address, 0).unwrap_err();
        assert_eq!(none.kind(), io::ErrorKind::AddrInUse);
    }

    #[test]
    fn addresses_in_a_network_of_this_host_come_first() {
        let addresses = ["172.17.0.1:5", "[fd01::1]:6", "192.168.7.9:7", "10.1.2.9:8"];
        let theirs: Vec<SocketAddr> = addresses.map(|text| text.parse().unwrap()).to_vec();
        assert_eq!(from_bytes(&to_bytes(&theirs)), Some(theirs.clone()));
        let ours = &host()[2..];
        let order = best_first(theirs.clone(), ours, &[]);
        let ports = |all: Vec<SocketAddr>| all.iter().map(SocketAddr::port).collect::<Vec<_>>();
        assert_eq!(ports(order), [7, 8, 5, 6]);
        assert_eq!(
            ports(best_first(theirs.clone(), &host(), &theirs[2..3])),
            [8, 5, 6]
        );
        for broken in [
            &[4, 1, 2][..],
            &[5, 0, 0, 0, 0, 0, 0, 0],
            &[4, 1, 2, 3, 4, 5],
        ] {
            assert_eq!(from_bytes(broken), None);
        }
    }

    use crate::garbage_tests::{cases, changed, changes, noise, within};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(cases(400))]
        #[test]
        fn any_bytes_are_addresses_or_none(
            addresses in proptest::collection::vec((any::<IpAddr>(), any::<u16>()), 0..6),
            changes in changes(),
            noise in noise(60),
        ) {
            let addresses: Vec<SocketAddr> = addresses.into_iter().map(SocketAddr::from).collect();
            let right = to_bytes(&addresses);
            prop_assert_eq!(from_bytes(&right), Some(addresses));
            for bytes in [changed(right, &changes), noise] {
                let addresses = within(40 * bytes.len() + 1000, || from_bytes(&bytes));
                prop_assert!(addresses.is_none_or(|addresses| to_bytes(&addresses) == bytes));
            }
        }

        /// What users wish for.
        #[test]
        fn any_text_is_a_wish_or_an_error(
            text in "([a-z]{1,4}|[0-9]{1,3}|[:/,.]){0,12}",
            variable in proptest::sample::select([&INCLUDE[..], &EXCLUDE, &PORTS].concat()),
        ) {
            let wishes = Wishes::read(|name| (name == variable).then(|| text.clone()));
            let chosen = wishes.and_then(|wishes| wishes.choose(host()));
            prop_assert!(chosen.is_ok() || chosen.is_err_and(|error| error.contains(variable)
                || error.contains("no interface") || error.contains("not a")));
        }
    }
}
