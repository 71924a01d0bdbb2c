// SPDX-License-Identifier: BSD-3-Clause
// The work group's own genome, into shared memory; its camera is read from there by all. The buffer,
// the sizes and the other arrays are those of the generated text around.
shared vec4 camera[FLAME_CAMERA_ROWS];
void loadControlPoint() {
  uint rows = FLAME_CAMERA_ROWS + kParameterRows + kThresholdRows;
  uint first = invocationIndex() / FLAME_GROUP * rows;
  for (uint i = gl_LocalInvocationID.x; i < rows; i += FLAME_GROUP) {
    vec4 row = controlPoints[first + i];
    if (i < FLAME_CAMERA_ROWS)
      camera[i] = row;
    else if (i < FLAME_CAMERA_ROWS + kParameterRows)
      parameters[i - FLAME_CAMERA_ROWS] = row;
    else
      thresholds[i - FLAME_CAMERA_ROWS - kParameterRows] = uvec4(row);
  }
  barrier();  // read by the whole group from here on
}
