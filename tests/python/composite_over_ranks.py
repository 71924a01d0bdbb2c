# SPDX-License-Identifier: BSD-3-Clause
# Run by test_ranks.py under mpirun: composites in a communicator of mpi4py, and calls alone besides.
import sys

from mpi4py import MPI

import fathom

comm = MPI.COMM_WORLD
path = sys.argv[1]
alone = fathom.active_pixel.composite("planes", size=(24, 16), parts=2)
assert alone.shape == (16, 24, 4)
for _ in range(2):  # MPI stays as it was
    got = fathom.active_pixel.composite("planes", size=(24, 16), comm=comm)
    if comm.rank == 0:
        fathom.write(got, path, float=True)
        print("ranks", got.record["result"]["ranks"], got.shape)
half = comm.Split(comm.rank % 2)
fathom.active_pixel.composite("planes", size=(24, 16), comm=half)
assert comm.allreduce(1) == comm.size
