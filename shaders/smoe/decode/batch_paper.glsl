// SPDX-License-Identifier: BSD-3-Clause
// The paper's evaluation of a component, in float32 from the mixture itself and in all its p
// dimensions, to be compared with records: every batch decomposes each component again.
//   SMOE_PAPER 1, fast: R_XX^-1; d^2 = D^T R_XX^-1 D
//   SMOE_PAPER 2, slow: Cholesky L of R_XX and QR of L and R_XX; d^2 = |L^-1 D|^2
// Both: m = mu_Y + R_YX R_XX^-1 D.
//
//   for each component: c (bits, without the determinant), mu_X[p], R_XX[p (p + 1) / 2] row by row,
//   R_YX[3][p], mu_Y[3]; coordinates in model px, absolute
#ifndef SHADERS_SMOE_BATCH_PAPER
#define SHADERS_SMOE_BATCH_PAPER

#ifndef SMOE_DIMS
#define SMOE_DIMS 2
#endif
#if SMOE_DIMS == 2
#define VEC vec2
#define MAT mat2
#elif SMOE_DIMS == 3
#define VEC vec3
#define MAT mat3
#else
#define VEC vec4
#define MAT mat4
#endif
#define PAPER_STRIDE (1 + SMOE_DIMS + SMOE_DIMS * (SMOE_DIMS + 1) / 2 + 3 * SMOE_DIMS + 3)
#define Whitened VEC

layout(std430, binding = SMOE_BIND_PAPER) restrict readonly buffer Paper { float paper[]; };

shared float batchLog[BATCH];  // bits: with the determinant
shared VEC batchMean[BATCH];
shared MAT batchGate[BATCH];  // R_XX^-1, or L^-1
shared VEC batchRed[BATCH], batchGreen[BATCH], batchBlue[BATCH];  // rows of R_YX R_XX^-1
shared vec3 batchColor[BATCH];

MAT cholesky(MAT r) {
  MAT l = MAT(0.0);
  for (int i = 0; i < SMOE_DIMS; ++i)
    for (int j = 0; j <= i; ++j) {
      float sum = r[j][i];
      for (int k = 0; k < j; ++k) sum -= l[k][i] * l[k][j];
      l[j][i] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  return l;
}

/// By QR (modified Gram-Schmidt) and back substitution.
MAT inverseByQr(MAT m) {
  MAT q = m, r = MAT(0.0), x = MAT(0.0);
  for (int j = 0; j < SMOE_DIMS; ++j) {
    for (int i = 0; i < j; ++i) {
      r[j][i] = dot(q[i], q[j]);
      q[j] -= r[j][i] * q[i];
    }
    r[j][j] = length(q[j]);
    q[j] /= r[j][j];
  }
  for (int column = 0; column < SMOE_DIMS; ++column)
    for (int i = SMOE_DIMS - 1; i >= 0; --i) {
      float sum = q[i][column];
      for (int k = i + 1; k < SMOE_DIMS; ++k) sum -= r[k][i] * x[column][k];
      x[column][i] = sum / r[i][i];
    }
  return x;
}

void loadRecord(uint slot, uint component, ivec2 origin, vec2 rest) {
  uint at = component * uint(PAPER_STRIDE);
  const float prior = paper[at++];
  VEC mean;
  MAT r;
  for (int i = 0; i < SMOE_DIMS; ++i) mean[i] = paper[at++];
  for (int i = 0; i < SMOE_DIMS; ++i)
    for (int j = 0; j <= i; ++j) r[i][j] = r[j][i] = paper[at++];
#if SMOE_PAPER == 1
  const MAT solved = inverse(r);
  batchGate[slot] = solved;
  batchLog[slot] = prior - 0.5 * log2(determinant(r));
#else
  const MAT l = cholesky(r), solved = inverseByQr(r);
  batchGate[slot] = inverseByQr(l);
  float logs = 0.0;
  for (int i = 0; i < SMOE_DIMS; ++i) logs += log2(l[i][i]);
  batchLog[slot] = prior - logs;
#endif
  VEC rows[3];
  for (int c = 0; c < 3; ++c) {
    VEC row;
    for (int i = 0; i < SMOE_DIMS; ++i) row[i] = paper[at++];
    rows[c] = row * solved;
  }
  batchMean[slot] = mean;
  batchRed[slot] = rows[0];
  batchGreen[slot] = rows[1];
  batchBlue[slot] = rows[2];
  batchColor[slot] = vec3(paper[at], paper[at + 1u], paper[at + 2u]);
}

/// Bits; `position` is in model px, `d` what remains of the component's mean.
float logWeight(uint slot, vec2 position, out VEC d) {
#if SMOE_DIMS == 2
  d = position - batchMean[slot];
#elif SMOE_DIMS == 3
  d = vec3(params.at.x, position) - batchMean[slot];
#else
  d = vec4(params.at, position) - batchMean[slot];
#endif
  const VEC z = batchGate[slot] * d;
#if SMOE_PAPER == 1
  const float square = dot(d, z);
#else
  const float square = dot(z, z);
#endif
  return batchLog[slot] - 0.72134752 * square;
}

vec3 expertAt(uint slot, VEC d) {
  return batchColor[slot] +
         vec3(dot(batchRed[slot], d), dot(batchGreen[slot], d), dot(batchBlue[slot], d));
}

#endif
