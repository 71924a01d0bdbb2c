// SPDX-License-Identifier: BSD-3-Clause
// Wrong on line 4.
void bad() {
  vec3 v = mat4(1);
}
