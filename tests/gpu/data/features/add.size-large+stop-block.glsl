// SPDX-License-Identifier: BSD-3-Clause
// Does not compile.
value += nonsense;
