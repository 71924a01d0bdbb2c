// SPDX-License-Identifier: BSD-3-Clause
// Full chunks with a constant bound, then what is left. Whoever left early skips that.
  uint fullRounds = count / CHUNK, tail = count % CHUNK, i = 0u;
  for (; i < fullRounds; ++i) {
#define COUNT CHUNK
#include "@round"
#undef COUNT
  }
  if (i == fullRounds && tail > 0u) do {
#define COUNT tail
#include "@round"
#undef COUNT
  } while (false);
