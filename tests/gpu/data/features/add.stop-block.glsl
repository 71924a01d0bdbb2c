// SPDX-License-Identifier: BSD-3-Clause
// Two.
value += 2u;
