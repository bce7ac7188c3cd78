"""Children of a rank, as Python makes them: they end as they like, and the rank and the job go on."""
import multiprocessing
import os
import subprocess
import sys

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
wanted = int(sys.argv[1])


def check(name, good):
    """All ranks must agree that it is good."""
    good = comm.allreduce(bool(good), op=MPI.LAND)
    if rank == 0:
        print("ok" if good else "WRONG", name, flush=True)


def forked(run):
    """Exit status of a child that runs this, and what it says on standard error."""
    read, write = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.dup2(write, 2)
        os.close(read)
        os.close(write)
        run()
        sys.exit(0)
    os.close(write)
    with os.fdopen(read) as said:
        text = said.read()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text


def square(number):
    return number * number


check("world size", size == wanted)

code, text = forked(lambda: None)
check("a child that exits", code == 0 and text == "")

def sums():
    """mpi4py has communicators return errors, and raises an exception."""
    try:
        comm.allreduce(1)
    except MPI.Exception as error:
        sys.exit(33 if error.Get_error_class() == MPI.ERR_OTHER else 34)


code, text = forked(sums)
check("an allreduce of a child", code == 33 and text.count("\n") == 1 and "is a fork of an MPI process" in text)

MPI.COMM_WORLD.Set_errhandler(MPI.ERRORS_ARE_FATAL)
code, text = forked(sums)
check("a fatal error of a child ends it alone", code == 16 and text.count("\n") == 1)
MPI.COMM_WORLD.Set_errhandler(MPI.ERRORS_RETURN)

code, text = forked(MPI.Finalize)
check("MPI.Finalize of a child", "is a fork of an MPI process" in text)

with multiprocessing.get_context("fork").Pool(2) as pool:
    squares = pool.map(square, range(20))
check("multiprocessing", squares == [number * number for number in range(20)])

program = "from mpi4py import MPI; print(MPI.COMM_WORLD.size)"
done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
check("a program of its own", done.returncode == 0 and done.stdout == "1\n")

for turn in range(20):
    if rank == turn % size:
        forked(lambda: None)
    if comm.allreduce(rank) != size * (size - 1) // 2:
        check("the job goes on", False)
check("the end", True)
