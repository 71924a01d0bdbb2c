// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into one rank: where ranks say who they are, one of its numbers arrives with a bit
// turned over. TURN: 0 the rank, 1 the process.
#include <mpi.h>

int MPI_Allgather(const void* mine, int count, MPI_Datatype type, void* all, int allCount,
                  MPI_Datatype allType, MPI_Comm ranks) {
  int size = 0, said[2] = {};
  MPI_Comm_size(ranks, &size);
  if (size > 1 && type == MPI_INT && count <= 2) {
    std::memcpy(said, mine, std::size_t(count) * sizeof(int));
    said[std::atoi(std::getenv("TURN"))] ^= 1 << 30;
    mine = said;
  }
  return PMPI_Allgather(mine, count, type, all, allCount, allType, ranks);
}
