// SPDX-License-Identifier: BSD-3-Clause
// The whole list is read.
#define VOTE_BEFORE_LOAD(i)
#define VOTE_AFTER_LOAD(i)
#define VOTE_AFTER_CHUNK(i)
