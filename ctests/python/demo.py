"""A first mpi4py program: objects and arrays travel between ranks."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
task = comm.bcast({"numbers": 12} if rank == 0 else None, root=0)
mine = np.arange(rank, task["numbers"], size, dtype="i8")
total = np.empty(1, dtype="i8")
comm.Allreduce(mine.sum(keepdims=True), total, op=MPI.SUM)
lines = comm.gather(f"rank {rank} of {size} summed {mine.tolist()}", root=0)
if rank == 0:
    print("\n".join(lines))
    print(f"total {total[0]}, with", MPI.Get_library_version().splitlines()[0])
assert total[0] == 66, total
