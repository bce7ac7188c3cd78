"""mpi4py, the calls that most programs use; rank 0 prints one line per check."""
import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
wanted = int(sys.argv[1])


def check(name, good):
    """All ranks must agree that it is good."""
    good = comm.allreduce(bool(good), op=MPI.LAND)
    if rank == 0:
        print("ok" if good else "WRONG", name, flush=True)


check("world size", size == wanted)

names = comm.gather(f"hello from rank {rank} of {size}", root=0)
check("hello", rank != 0 or names == [f"hello from rank {i} of {size}" for i in range(size)])

thing = {"numbers": list(range(5)), "text": "été", "nested": {"pi": 3.14159}}
check("bcast of an object", comm.bcast(thing if rank == 1 % size else None, root=1 % size) == thing)

sent = np.arange(size * 100, dtype="i4").reshape(size, 100) if rank == 0 else None
part = np.empty(100, dtype="i4")
comm.Scatter(sent, part, root=0)
check("Scatter", (part == np.arange(rank * 100, rank * 100 + 100)).all())

back = np.empty((size, 100), dtype="i4") if rank == 0 else None
comm.Gather(part * 2, back, root=0)
check("Gather", rank != 0 or (back == sent * 2).all())

everyone = np.empty((size, 3), dtype="f8")
comm.Allgather(np.full(3, rank + 0.5), everyone)
check("Allgather", (everyone == np.arange(size)[:, None] + 0.5).all())

big = np.full(100000, rank + 1, dtype="f8")
total = np.empty_like(big)
comm.Reduce(big, total, op=MPI.SUM, root=size - 1)
check("Reduce", rank != size - 1 or (total == size * (size + 1) / 2).all())

comm.Allreduce(MPI.IN_PLACE, big, op=MPI.MAX)
check("Allreduce in place", (big == size).all())

given = np.array([rank * 1000 + i for i in range(size)], dtype="i8")
taken = np.empty(size, dtype="i8")
comm.Alltoall(given, taken)
check("Alltoall", (taken == np.arange(size) * 1000 + rank).all())

right, left = (rank + 1) % size, (rank - 1) % size
check("sendrecv of objects", comm.sendrecv([rank] * 1000, dest=right, source=left) == [left] * 1000)

request = comm.isend(("non-blocking", rank), dest=right, tag=7)
status = MPI.Status()
message = comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
request.wait()
check("isend and recv from anyone", message == ("non-blocking", status.Get_source()) and status.Get_tag() == 7)

half = comm.Split(color=rank % 2, key=-rank)
check("Split", half.Get_size() == (size + 1 - rank % 2) // 2)
half.Free()

comm.Barrier()
check("MPI_THREAD_MULTIPLE", MPI.Query_thread() == MPI.THREAD_MULTIPLE)
if rank == 0:
    print("library:", MPI.Get_library_version().splitlines()[0], flush=True)
