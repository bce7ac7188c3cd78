"""block2's density matrix renormalisation group over MPI: the ground state of Hubbard's chain of 8 sites.

Rank 0 prints one line per check; the energies must be those that are known, at each number of ranks."""
import sys

import numpy as np
from pyblock2.driver.core import DMRGDriver, SymmetryTypes

SITES, ELECTRONS, HOP, REPULSION = 8, 8, -1, 2
# Exact, as diagonalising the whole matrix gives it.
ENERGY = -6.225634144681

scratch = sys.argv[2]
driver = DMRGDriver(scratch=scratch, symm_type=SymmetryTypes.SZ, n_threads=1, mpi=True)
rank, size = driver.mpi.rank, driver.mpi.size


def check(name, good):
    if rank == 0:
        print("ok" if good else "WRONG", name, flush=True)


check("world size", size == int(sys.argv[1]))
driver.initialize_system(n_sites=SITES, n_elec=ELECTRONS, spin=0)
# Each rank has its share of the Hamiltonian's terms; block2 sums over the ranks.
builder = driver.expr_builder()
mine = range(rank, SITES, size)
pairs = np.array([[i, i + 1, i + 1, i] for i in mine if i + 1 < SITES]).ravel()
builder.add_term("cd", pairs, HOP)
builder.add_term("CD", pairs, HOP)
builder.add_term("cdCD", np.array([[i] * 4 for i in mine]).ravel(), REPULSION)
mpo = driver.get_mpo(builder.finalize(), iprint=0)
ket = driver.get_random_mps(tag="KET", bond_dim=250, nroots=1)
energy = driver.dmrg(
    mpo, ket, n_sweeps=10, bond_dims=[250] * 4 + [500] * 4, noises=[1e-4] * 4 + [0],
    thrds=[1e-10] * 8, iprint=0,
)
check("energy", abs(energy - ENERGY) < 1e-7)
check("expectation", abs(driver.expectation(ket, mpo, ket) - ENERGY) < 1e-7)
counts = driver.get_npdm(ket, pdm_type=1)
check("electrons", abs(np.trace(counts[0]) + np.trace(counts[1]) - ELECTRONS) < 1e-6)
if rank == 0:
    print("energy %.6f" % energy, flush=True)
