# SPDX-License-Identifier: BSD-3-Clause
# Run by test_ranks.py under mpirun: each rank has a brick of a volume in its own memory, whose slabs lie
# among those of the others along each ray. All together are composited as one process does it.
import numpy
from mpi4py import MPI

import fathom

comm = MPI.COMM_WORLD
WIDTH, HEIGHT = 40, 30


def brick(number):
    random = numpy.random.default_rng(number)
    offsets = numpy.concatenate([[0], numpy.cumsum(random.integers(0, 7, WIDTH * HEIGHT))])
    count = offsets[-1]
    slot = numpy.arange(count) - numpy.repeat(offsets[:-1], numpy.diff(offsets))
    front = 4 * slot + number + random.uniform(0, 1, count)
    alpha = random.uniform(0, 0.6, count)
    channels = {name: alpha * random.uniform(0, 1, count) for name in "RGB"}
    channels.update(A=alpha, Z=front, ZBack=front + random.uniform(0.5, 2.5, count))
    # The windows of bricks differ.
    return fathom.DeepImage(offsets, channels, data_window=(number, 2 * number, WIDTH, HEIGHT),
                            display_window=(0, 0, 60, 50))


mine = brick(comm.rank)
flat = fathom.deep.composite(mine, comm=comm)
deep = fathom.deep.composite(mine, deep=True, comm=comm)
if comm.rank == 0:
    bricks = [brick(number) for number in range(comm.size)]
    alone, merged = fathom.deep.flatten(*bricks), fathom.deep.merge(*bricks)
    near = flat.shape == alone.shape and abs(flat - alone).max() <= 1e-6 and alone.max() > 0.5
    same = numpy.array_equal(deep.offsets, merged.offsets) and all(
        numpy.array_equal(deep[name], merged[name]) for name in merged.keys())
    print("picture", bool(near), "lists", same, "fragments", deep.fragments)
