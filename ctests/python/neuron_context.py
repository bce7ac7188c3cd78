"""NEURON's ParallelContext over whichever MPI library it was told to open."""
import sys

from neuron import h

context = h.ParallelContext()
rank, size = int(context.id()), int(context.nhost())
good = size == int(sys.argv[1])
good &= context.allreduce(rank + 1, 1) == size * (size + 1) / 2
good &= context.allreduce(rank, 2) == size - 1
sent = [{"from": rank, "to": other} for other in range(size)]
good &= context.py_alltoall(sent) == [{"from": other, "to": rank} for other in range(size)]
good &= context.py_allgather(rank * rank) == [other * other for other in range(size)]
good &= context.py_broadcast("word" if rank == 0 else None, 0) == "word"
context.barrier()
sys.stdout.write(f"rank {rank} of {size}: {'ok' if good else 'WRONG'}\n")
sys.stdout.flush()
context.done()
h.quit()
