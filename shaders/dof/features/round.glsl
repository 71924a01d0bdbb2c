// SPDX-License-Identifier: BSD-3-Clause
// Round i: load COUNT nodes, then each pixel goes through them.
  VOTE_BEFORE_LOAD(i)
  if (LANE < COUNT) CHUNK_STORE(fetchNode(first + LIST_INDEX(i * CHUNK + LANE)));
  CHUNK_SYNC;
  VOTE_AFTER_LOAD(i)
  for (uint j = EXIT_FIRST(COUNT); j < COUNT; ++j) {
#include "@element"
  }
  VOTE_AFTER_CHUNK(i)
  CHUNK_SYNC;
