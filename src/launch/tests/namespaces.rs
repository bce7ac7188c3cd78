//! Two hosts as network namespaces that see each other and nothing else: neither sees mpiexec. Needs root and
//! `ip netns`; where these are not there, the tests say so and do nothing.

mod common;

use common::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Two namespaces with a cable between them, and the agent that goes there.
struct Net {
    names: [String; 2],
    dir: PathBuf,
}

fn ip(words: &str) -> bool {
    let mut command = Command::new("ip");
    let command = command.args(words.split(' ')).stdout(Stdio::null());
    command
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

impl Net {
    /// `tag`: two letters that no other test uses.
    fn new(tag: &str) -> Option<Net> {
        let id = std::process::id();
        let names = ["a", "b"].map(|end| format!("{tag}{id}{end}"));
        let net = Net {
            dir: scratch(&format!("net-{tag}")),
            names,
        };
        let [a, b] = &net.names;
        let made = ip(&format!("netns add {a}"))
            && ip(&format!("netns add {b}"))
            && ip(&format!(
                "link add {a} netns {a} type veth peer name {b} netns {b}"
            ))
            && ip(&format!("-n {a} addr add 10.77.0.1/24 dev {a}"))
            && ip(&format!("-n {b} addr add 10.77.0.2/24 dev {b}"))
            && net.names.iter().all(|n| {
                ip(&format!("-n {n} link set lo up")) && ip(&format!("-n {n} link set {n} up"))
            });
        if !made {
            eprintln!(
                "skipped: no network namespaces can be made here (root and `ip netns` are needed)"
            );
            return None;
        }
        let agent = net.dir.join("agent");
        let text = "#!/bin/bash\nhost=$1; shift\nexec ip netns exec $host unshare --uts sh -c \"hostname $host; exec $*\"\n";
        fs::write(&agent, text).unwrap();
        fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
        Some(net)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = command(&["-hosts", &self.names.join(",")]);
        command.args(args);
        command.env("OMPI_MCA_plm_rsh_agent", self.dir.join("agent"));
        command
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        for name in &self.names {
            ip(&format!("netns del {name}"));
        }
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// A rank that says over PMI where it listens, and greets its neighbour there.
const MEET: &str = r#"
import os, socket
pmi = socket.socket(fileno=int(os.environ['PMI_FD'])); f = pmi.makefile('rw')
def ask(line):
    f.write(line + '\n'); f.flush()
    return f.readline().strip()
rank, size = int(os.environ['PMI_RANK']), int(os.environ['PMI_SIZE'])
ask('cmd=init pmi_version=1 pmi_subversion=1')
on_b = os.environ['PMI_HOSTNAME'].endswith(('b', '.2'))
own = '10.77.0.2' if on_b else '10.77.0.1'
listener = socket.create_server((own, 0))
ask('cmd=put kvsname=k key=r%d value=%s:%d' % ((rank,) + listener.getsockname()))
ask('cmd=barrier_in')
host, port = ask('cmd=get kvsname=k key=r%d' % ((rank + 1) % size)).split('value=')[1].split(':')
out = socket.create_connection((host, int(port)), 10); out.sendall(b'%d' % rank)
print(rank, 'b' if on_b else 'a', listener.accept()[0].recv(1).decode(), flush=True)
ask('cmd=barrier_in'); ask('cmd=finalize')
"#;

#[test]
fn ranks_meet_over_a_net_that_mpiexec_does_not_see() {
    let Some(net) = Net::new("me") else { return };
    let output = finish(start(&mut net.command(&["-n", "4", "python3", "-c", MEET])));
    let err = String::from_utf8_lossy(&output.stderr);
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert_eq!(sorted(&out), ["0 a 3", "1 a 0", "2 b 1", "3 b 2"], "{err}");
}

/// As in a pod: the own name is 127.0.1.1, the list of hosts was not written by hand, and what goes there has much to
/// say before it works.
#[test]
fn hosts_as_they_come() {
    let Some(net) = Net::new("la") else { return };
    let [a, b] = &net.names;
    for name in &net.names {
        let own = format!("127.0.0.1 localhost\n127.0.1.1 {name}\n");
        fs::create_dir_all(format!("/etc/netns/{name}")).unwrap();
        fs::write(format!("/etc/netns/{name}/hosts"), own).unwrap();
    }
    let file = net.dir.join("hosts");
    let text =
        format!("# made by a machine\r\n\r\n{a} slots=2,\r\n {b}:2\t# the other\r\n^{a}x\r\n");
    fs::write(&file, text).unwrap();
    let agent = net.dir.join("agent");
    let quiet = fs::read_to_string(&agent).unwrap();
    let noise = "#!/bin/bash\necho \"Defaulted container 'w' out of: w, x (init)\" >&2\nprintf 'motd\\r\\n\\0\\377anympi-daemon'\n\
                 head -c 5000 /dev/urandom | base64\n";
    fs::write(&agent, quiet.replacen("#!/bin/bash\n", noise, 1)).unwrap();
    let own = "import socket; assert socket.gethostbyname(socket.gethostname()) == '127.0.1.1'\n";
    let mut job = command(&["-n", "4", "python3", "-c", &format!("{own}{MEET}")]);
    job.env("OMPI_MCA_plm_rsh_agent", &agent)
        .env("OMPI_MCA_orte_default_hostfile", &file)
        .env("OMPI_MCA_orte_keep_fqdn_hostnames", "true");
    let output = finish(start(&mut job));
    for name in &net.names {
        let _ = fs::remove_dir_all(format!("/etc/netns/{name}"));
    }
    // Only if nobody else has one there.
    let _ = fs::remove_dir("/etc/netns");
    let err = String::from_utf8_lossy(&output.stderr);
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert_eq!(sorted(&out), ["0 a 3", "1 a 0", "2 b 1", "3 b 2"], "{err}");
}

/// An MPI program on MPICH's own library, where that is installed: `ANYMPI_MPICH` names its prefix.
#[test]
fn mpich_runs_over_two_hosts() {
    let Ok(prefix) = std::env::var("ANYMPI_MPICH") else {
        eprintln!("skipped: ANYMPI_MPICH does not name a prefix of MPICH's");
        return;
    };
    let Some(net) = Net::new("mp") else { return };
    let source = net.dir.join("ring.c");
    let text = "#include <mpi.h>\n#include <stdio.h>\nint main(int c, char **v) { int r, s, t; MPI_Init(&c, &v);\n\
        MPI_Comm_rank(MPI_COMM_WORLD, &r); MPI_Comm_size(MPI_COMM_WORLD, &s);\n\
        MPI_Sendrecv(&r, 1, MPI_INT, (r + 1) % s, 0, &t, 1, MPI_INT, (r + s - 1) % s, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
        printf(\"%d %d\\n\", r, t); MPI_Finalize(); return 0; }\n";
    fs::write(&source, text).unwrap();
    let program = net.dir.join("ring");
    let mut cc = Command::new("cc");
    cc.arg(&source).arg("-o").arg(&program);
    cc.args([format!("-I{prefix}/include"), format!("-L{prefix}/lib")]);
    assert!(cc.arg("-lmpi").status().unwrap().success());
    let mut job = net.command(&["-n", "4", program.to_str().unwrap()]);
    job.env("LD_LIBRARY_PATH", format!("{prefix}/lib"));
    let output = finish(start(&mut job));
    let err = String::from_utf8_lossy(&output.stderr);
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert_eq!(sorted(&out), ["0 3", "1 0", "2 1", "3 2"], "{err}");
}

/// A server of ssh in a namespace, on a port of its own.
struct Sshd(Child);

impl Sshd {
    fn new(net: &Net, name: &str) -> Option<Sshd> {
        for key in ["key", "host"] {
            let mut keygen = Command::new("ssh-keygen");
            let keygen = keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]);
            if !keygen
                .arg(net.dir.join(key))
                .status()
                .is_ok_and(|s| s.success())
            {
                return None;
            }
        }
        let dir = net.dir.display();
        let text = format!(
            "Port 2222\nHostKey {dir}/host\nAuthorizedKeysFile {dir}/key.pub\nStrictModes no\nUsePAM no\nPidFile none\n"
        );
        fs::write(net.dir.join("sshd"), text).unwrap();
        fs::create_dir_all("/run/sshd").ok()?;
        let mut sshd = Command::new("ip");
        sshd.args(["netns", "exec", name, "/usr/sbin/sshd", "-D", "-f"]);
        sshd.arg(net.dir.join("sshd")).stderr(Stdio::null());
        let mut child = sshd.spawn().ok()?;
        std::thread::sleep(Duration::from_millis(500));
        child.try_wait().unwrap().is_none().then_some(Sshd(child))
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        // Its sessions are processes of their own.
        for pid in children(self.0.id()) {
            // SAFETY: a signal to a process of this test.
            unsafe { libc::kill(pid as i32, libc::SIGKILL) };
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn ssh_on_another_port_and_a_cable_that_is_cut() {
    let Some(net) = Net::new("sh") else { return };
    let [a, b] = &net.names;
    let Some(_sshd) = Sshd::new(&net, b) else {
        eprintln!(
            "skipped: sshd cannot be started here (openssh-server and openssh-client are needed)"
        );
        return;
    };
    let args = format!(
        "-p 2222 -i {}/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR",
        net.dir.display()
    );
    let job = |words: &[&str]| {
        let mut job = Command::new("ip");
        job.args(["netns", "exec", a, MPIEXEC, "--mca", "plm_rsh_args", &args]);
        job.args(["-hosts", "10.77.0.1,10.77.0.2", "-n", "4"])
            .args(words);
        start(job.stdin(Stdio::null()))
    };
    let output = finish(job(&["python3", "-c", MEET]));
    let err = String::from_utf8_lossy(&output.stderr);
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert_eq!(sorted(&out), ["0 a 3", "1 a 0", "2 b 1", "3 b 2"], "{err}");
    let sleep = odd_sleep(96);
    let child = job(&["sleep", &sleep]);
    wait_until("all ranks sleep", || count(&sleep) == 4);
    assert!(ip(&format!("-n {b} link set {b} down")));
    let begin = Instant::now();
    wait_until("all ranks are ended", || count(&sleep) == 0);
    let output = finish(child);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(begin.elapsed() < Duration::from_secs(12));
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("host 10.77.0.2 is lost"), "{err}");
}

/// An agent whose way to the host is cut without a word: both sides notice, and nothing is left.
#[test]
fn a_way_that_is_cut_ends_the_job_on_both_sides() {
    let dir = scratch("cut");
    let agent = dir.join("agent");
    // Two pumps, which are stopped: the pipes stay open, and nothing comes through.
    let text = "#!/bin/bash\nshift; d=$(dirname $0)\n\
        cat <&0 | { echo $BASHPID >>$d/pumps; exec sh -c \"$*\"; } | cat\n";
    fs::write(&agent, text).unwrap();
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let sleep = odd_sleep(95);
    let mut job = command(&["-hosts", "nodea,localhost", "-n", "2", "sleep", &sleep]);
    let child = start(job.env("HYDRA_LAUNCHER_EXEC", &agent));
    wait_until("all ranks sleep", || count(&sleep) == 2);
    // Beats go to and fro for a while.
    std::thread::sleep(Duration::from_secs(3));
    let group = children(child.id())
        .into_iter()
        .find(|&pid| name(pid) == "agent")
        .unwrap();
    let pumps: Vec<u32> = children(group)
        .into_iter()
        .filter(|&pid| name(pid) == "cat")
        .collect();
    assert_eq!(pumps.len(), 2);
    let begin = Instant::now();
    for &pump in &pumps {
        // SAFETY: a signal to a process of this test.
        unsafe { libc::kill(pump as i32, libc::SIGSTOP) };
    }
    wait_until("both ranks are ended", || count(&sleep) == 0);
    let output = finish(child);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(begin.elapsed() < Duration::from_secs(12));
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(
        err.contains("host nodea is lost: nothing has come"),
        "{err}"
    );
    fs::remove_dir_all(dir).unwrap();
}

fn children(pid: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    text.split_whitespace()
        .filter_map(|w| w.parse().ok())
        .collect()
}

fn name(pid: u32) -> String {
    let text = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    text.trim().to_owned()
}

/// How many processes `sleep` so long.
fn count(word: &str) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let is_it = |e: &fs::DirEntry| {
        let line = fs::read(e.path().join("cmdline")).unwrap_or_default();
        line.starts_with(b"sleep\0") && String::from_utf8_lossy(&line).contains(word)
    };
    entries.filter(is_it).count()
}
