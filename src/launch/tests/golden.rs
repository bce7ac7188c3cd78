//! Command lines as operators and launchers write them, with the variables that they set: they are understood as they
//! are, without a warning.

use anympi_launch::agent;
use anympi_launch::request::{self, Asked, Change, Request};
use std::ffi::OsString;

fn job(line: &str, vars: &[(&str, &str)]) -> Request {
    let words = request::words(line).unwrap();
    let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    let var = |name: &str| {
        let found = vars.iter().find(|(of, _)| *of == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    match request::read(&words, &var) {
        Ok(Asked::Job(request)) => *request,
        other => panic!("{line}: {other:?}"),
    }
}

/// The line, how many ranks, on which hosts, and the program.
type Line = (
    &'static str,
    Option<usize>,
    &'static [&'static str],
    &'static str,
);

const LINES: &[Line] = &[
    // mpi-operator.
    ("-n 2 /home/mpiuser/pi", Some(2), &[], "/home/mpiuser/pi"),
    (
        "--allow-run-as-root -np 2 -bind-to none -map-by slot -x NCCL_DEBUG=INFO -x LD_LIBRARY_PATH -x PATH \
         -mca pml ob1 -mca btl ^openib python train.py --model=x",
        Some(2),
        &[],
        "python",
    ),
    (
        "--allow-run-as-root --prefix /opt/openmpi -np 2 -bind-to none -map-by slot -mca routed direct -x A=/usr/lib:$B p",
        Some(2),
        &[],
        "p",
    ),
    (
        "-np 16 -bind-to none -x NCCL_IB_HCA=mlx5 -x UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1 --tag-output -N 8 perf -b 8 -g 1",
        Some(16),
        &[],
        "perf",
    ),
    (
        "--allow-run-as-root --mca btl_tcp_if_exclude lo,docker0 --mca pml ^cm --map-by ppr:1:node -H w0,w1 perf",
        None,
        &["w0", "w1"],
        "perf",
    ),
    // Volcano, whose list ends in a comma.
    (
        "--allow-run-as-root -wdir /home/x/ --host j-mpiworker-0.j,j-mpiworker-1.j, -np 4 /home/x/p.exe;",
        Some(4),
        &["j-mpiworker-0.j", "j-mpiworker-1.j"],
        "/home/x/p.exe;",
    ),
    // Horovod, for Open MPI and for MPICH.
    (
        "--allow-run-as-root --tag-output -np 4 -H h1:2,h2:2 -bind-to none -map-by slot -mca pml ob1 -mca btl ^openib \
         -mca plm_rsh_args '-p 22' -mca btl_tcp_if_include eth0 -x NCCL_SOCKET_IFNAME=eth0 \
         -mca plm_rsh_no_tree_spawn true -mca plm_rsh_num_concurrent 2 --output-filename d --timestamp-output -x A -x B \
         python t.py",
        Some(4),
        &["h1", "h2"],
        "python",
    ),
    (
        "-l -np 4 -ppn 2 -hosts h1,h2 -bind-to none -map-by slot -bootstrap=ssh -bootstrap-exec-args '-p 22' -iface eth0 \
         -genv A a -genv B b -outfile-pattern d python t.py",
        Some(4),
        &["h1", "h2"],
        "python",
    ),
    // DeepSpeed, for Open MPI, whose parameters are a word each, for MPICH and for Intel MPI.
    (
        "-n 4 -hostfile /dev/null -mca 'btl tcp,self' -mca 'coll_hcoll_enable 0' -mca 'plm_rsh_args \"-p 2222\"^openib' \
         -x PATH -x LD_LIBRARY_PATH --bind-to none --mca btl_tcp_if_include eth0 python -u t.py --x",
        Some(4),
        &[],
        "python",
    ),
    (
        "-n 4 -ppn 2 -genv 'K=V W' -genv MASTER_ADDR a -genv MASTER_PORT 1 -genv WORLD_SIZE 4 -hosts a,b python -u t.py",
        Some(4),
        &["a", "b"],
        "python",
    ),
    (
        "-ppn 1 -genv MASTER_ADDR a -hosts a,b -n 1 -env RANK 0 -env LOCAL_RANK 0 python -u t.py : \
         -n 1 -env RANK 1 -env LOCAL_RANK 0 python -u t.py",
        Some(1),
        &["a", "b"],
        "python",
    ),
];

#[test]
fn lines_of_operators_and_launchers() {
    for (line, count, hosts, program) in LINES {
        let job = job(line, &[]);
        let names: Vec<&str> = job.hosts.iter().map(|host| host.name.as_str()).collect();
        assert_eq!(names, *hosts, "{line}");
        assert_eq!(job.apps[0].count, *count, "{line}");
        assert_eq!(job.apps[0].command[0], *program, "{line}");
        assert_eq!(job.warnings, [""; 0], "{line}");
        assert_eq!((job.bind.to, &job.bind.cpus), (None, &None), "{line}");
    }
}

#[test]
fn what_they_ask_for_is_done() {
    let of = |start: &str| {
        let mut lines = LINES.iter().map(|line| line.0);
        job(lines.find(|line| line.contains(start)).unwrap(), &[])
    };
    let horovod = of("plm_rsh_no_tree_spawn");
    assert_eq!(
        (horovod.launch.width, horovod.launch.parallel),
        (usize::MAX, 2)
    );
    assert_eq!(horovod.launch.agent.args.as_deref(), Some("-p 22"));
    assert!(horovod.output.tag && horovod.output.timestamp);
    let mpich = of("-bootstrap=ssh");
    assert_eq!(mpich.launch.agent.kind.as_deref(), Some("ssh"));
    assert_eq!((mpich.per_node, mpich.output.rank), (Some(2), true));
    let deepspeed = of("btl tcp,self");
    let args = deepspeed.launch.agent.args.as_deref().map(agent::words);
    assert_eq!(args.unwrap(), ["-p", "2222"]);
    let genv = of("K=V W").env.changes;
    assert_eq!(genv[0], Change::Set("K".into(), "V W".into()));
    assert_eq!(of("RANK 1").apps.len(), 2);
    assert_eq!(of("ppr:1:node").per_node, Some(1));
    assert_eq!(of("-N 8").per_node, Some(8));
    assert_eq!(
        of("/opt/openmpi").launch.prefix.as_deref(),
        Some("/opt/openmpi".as_ref())
    );
}

#[test]
fn variables_of_operators() {
    let ompi = [
        ("K_MPI_JOB_ROLE", "launcher"),
        ("OMPI_MCA_orte_keep_fqdn_hostnames", "true"),
        ("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10"),
        ("OMPI_MCA_orte_set_default_slots", "3"),
        ("OMPI_MCA_plm_rsh_agent", "/etc/mpi/kubexec.sh"),
        ("OMPI_MCA_plm_rsh_no_tree_spawn", "1"),
    ];
    let job = job("--allow-run-as-root prog", &ompi);
    assert_eq!(job.default_slots, Some(3));
    assert_eq!(
        job.launch.agent.exec.as_deref(),
        Some("/etc/mpi/kubexec.sh")
    );
    assert_eq!(
        job.launch.agent.args.as_deref(),
        Some("-o ConnectionAttempts=10")
    );
    assert_eq!(job.launch.width, usize::MAX);
}
