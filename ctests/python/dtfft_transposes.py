"""dtFFT's distributed transposes: every element is where its pencil says, by each way to exchange, and back again.

Rank 0 prints one line per check, and what the ranks hold as one number: it must be the same on every MPI."""
import sys

import numpy as np
from mpi4py import MPI

import dtfft
from dtfft import Backend, Config, Execute, Layout, Pencil, Transpose

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
# Unlike, and divisible by no number of ranks.
DIMS = [13, 11, 9]
# Which global dimension each dimension of a layout is, the fastest first.
ORDER = {Layout.X_PENCILS: (0, 1, 2), Layout.Y_PENCILS: (1, 2, 0), Layout.Z_PENCILS: (2, 0, 1)}


def check(name, good, comm=world):
    """All ranks must agree that it is good."""
    good = comm.allreduce(bool(good), op=MPI.LAND)
    if rank == 0:
        print("ok" if good else "WRONG", name, flush=True)


def content(plan, layout):
    """What a rank holds in a layout: each element is its place in the global array."""
    pencil = plan.get_pencil(layout)
    starts, counts = list(pencil.starts), list(pencil.counts)
    places = np.indices(counts, dtype=np.int64)
    scale = {0: 1, 1: 1000, 2: 1000000}
    values = sum((places[i] + starts[i]) * scale[d] for i, d in enumerate(ORDER[layout]))
    return values.astype(np.complex128).ravel(order="F")


def holds(plan, buffer, layout):
    wanted = content(plan, layout)
    return np.array_equal(buffer[: wanted.size], wanted)


def transposes(name, plan, comm=world):
    a, b = (plan.get_ndarray(plan.alloc_size) for _ in range(2))
    first = content(plan, Layout.X_PENCILS)
    a[: first.size] = first
    plan.execute(a, b, Execute.FORWARD)
    good = holds(plan, b, Layout.Z_PENCILS)
    a[:] = -1
    plan.execute(b, a, Execute.BACKWARD)
    good &= holds(plan, a, Layout.X_PENCILS)
    plan.transpose(a, b, Transpose.X_TO_Y)
    good &= holds(plan, b, Layout.Y_PENCILS)
    a[:] = -1
    plan.transpose(b, a, Transpose.Y_TO_Z)
    good &= holds(plan, a, Layout.Z_PENCILS)
    check(name, good, comm)
    mark = int((np.arange(1, first.size + 1) * first.real).sum())
    mark = comm.allreduce(mark)
    if rank == 0:
        print("mark", name, list(plan.grid_dims), mark, flush=True)
    del a, b
    plan.destroy()


check("world size", size == int(sys.argv[1]))
for name in ["MPI_DATATYPE", "MPI_P2P", "MPI_P2P_PIPELINED", "MPI_P2P_SCHEDULED", "MPI_P2P_FUSED", "MPI_A2A"]:
    transposes(name, dtfft.PlanC2C(DIMS, world, config=Config(backend=getattr(Backend, name))))

# Pencils of the caller's own, a Cartesian communicator, and half of the ranks.
slab = [9 * r // size for r in range(size + 1)]
own = Pencil([0, 0, slab[rank]], [13, 11, slab[rank + 1] - slab[rank]])
transposes("own pencils", dtfft.PlanC2C(own, world))
grid = world.Create_cart(MPI.Compute_dims(size, [1, 0, 0]))
transposes("Cartesian", dtfft.PlanC2C(DIMS, grid), grid)
grid.Free()
half = world.Split(rank % 2, -rank)
transposes("half", dtfft.PlanC2C(DIMS, half), half)
half.Free()
