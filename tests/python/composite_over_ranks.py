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

# What fails on the last rank only is raised on all: a wrong argument, its type, a file that is missing.
last = comm.rank == comm.size - 1


def told(call):
    try:
        return f"{type(call()).__name__} returned"
    except fathom.Error as error:
        return f"{type(error).__name__}: {error}"


image = fathom.deep.capture("planes", size=(24, 16))
for name, call in {
    "value": lambda: fathom.deep.composite("planes", thin=-1 if last else 0, size=(24, 16), comm=comm),
    "type": lambda: fathom.deep.composite("planes", size={} if last else (24, 16), comm=comm),
    "file": lambda: fathom.deep.composite("nosuch.exr" if last else image, comm=comm),
    "scene": lambda: fathom.active_pixel.composite("planes", frames=2 if last else 1, comm=comm),
}.items():
    for rank, said in enumerate(comm.allgather(told(call))):
        if comm.rank == 0:
            print(name, rank, said)
