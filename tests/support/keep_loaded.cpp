// SPDX-License-Identifier: BSD-3-Clause
// Linked into every program of a sanitizer build: nothing is unloaded, so that a leak in the driver
// is still attributed to the driver when leaks are looked for at the very end.
extern "C" int dlclose(void*) { return 0; }
