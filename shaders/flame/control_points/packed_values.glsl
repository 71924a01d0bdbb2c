// SPDX-License-Identifier: BSD-3-Clause
// What variations take instead of their parameters: the twins of the pack functions in
// app/engine/flame/genome/variations/*.cpp, by the number of the variation. Those that are not here
// take their parameters as they are. waves, popcorn, rings and fan have none: theirs are c and f of
// the xform's matrix.

const double kEps = 1e-10LF;

/// The angle of which a variation takes cosine and sine.
double packedAngle(uint variation, double p0, double p1) {
  switch (variation) {
    case 22u:  // fan
    case 25u:  // fan2
      return kPi * (p0 * p0 + kEps) * 0.5LF;
    case 30u:  // perspective
    case 36u:  // radial_blur
      return p0 * kPi * 0.5LF;
    case 49u:  // disc2
      return p1;
    default:  // escher
      return p0;
  }
}

/// `v` holds weight and parameters before, weight and packed values after.
void packValues(uint variation, inout double v[FLAME_VARIATION_CURVES]) {
  double w = v[0], p0 = v[1], p1 = v[2], p2 = v[3], p3 = v[4];
  dvec2 turned = cosSin(packedAngle(variation, p0, p1));
  switch (variation) {
    case 15u:  // waves; b and e come with the matrix
      v[2] = 1.0LF / (p0 * p0 + kEps);
      v[4] = 1.0LF / (p1 * p1 + kEps);
      break;
    case 21u:  // rings
    case 26u:  // rings2
      v[1] = p0 * p0 + kEps;
      break;
    case 22u:  // fan
    case 25u:  // fan2
      v[1] = kPi * (p0 * p0 + kEps);
      v[3] = turned.x;
      v[4] = turned.y;
      break;
    case 23u:  // blob
      v[1] = (p0 + p1) * 0.5LF;
      v[2] = (p1 - p0) * 0.5LF;
      break;
    case 30u:  // perspective
      v[1] = p1;
      v[2] = turned.y;
      v[3] = p1 * turned.x;
      break;
    case 32u:  // julian
    case 33u:  // juliascope
      v[1] = abs(p0);
      v[2] = 1.0LF / p0;
      v[3] = p1 / (2.0LF * p0);
      break;
    case 36u:  // radial_blur
      v[1] = turned.y;
      v[2] = turned.x;
      break;
    case 37u:  // pie
      v[4] = kTwoPi / p0;
      break;
    case 38u:  // ngon
      v[1] = kTwoPi / p0;
      v[2] = p1 * 0.5LF;
      break;
    case 49u: {  // disc2
      double stretch = p1 > kTwoPi ? 1.0LF + p1 - kTwoPi : p1 < -kTwoPi ? 1.0LF + p1 + kTwoPi : 1.0LF;
      v[1] = kPi * p0;
      v[2] = (turned.x - 1.0LF) * stretch;
      v[3] = turned.y * stretch;
      break;
    }
    case 50u:  // super_shape
      v[2] = p1 * 0.25LF;
      v[3] = -1.0LF / p2;
      break;
    case 55u:  // bipolar
      v[1] = p0 * kPi * 0.5LF;
      break;
    case 58u:  // cell
      v[2] = 1.0LF / p0;
      break;
    case 59u:  // cpow
      v[1] = p0 / p2;
      v[2] = p1 / p2;
      v[4] = kTwoPi / p2;
      break;
    case 60u:  // curve
      v[3] = 1.0LF / max(p2 * p2, 1e-20LF);
      v[4] = 1.0LF / max(p3 * p3, 1e-20LF);
      break;
    case 63u:  // escher
      v[1] = (1.0LF + turned.x) * 0.5LF;
      v[2] = turned.y * 0.5LF;
      break;
    case 69u:  // oscilloscope
      v[2] = kTwoPi * p1;
      break;
    case 72u:  // scry
      v[1] = 1.0LF / (w + kEps);
      break;
    case 73u:  // separation
      v[1] = p0 * p0;
      v[3] = p2 * p2;
      break;
    case 77u:  // wedge
    case 79u:  // wedge_sph
      v[5] = 1.0LF - p0 * p2 / kTwoPi;
      break;
    case 78u:  // wedge_julia
      v[1] = abs(p2);
      v[2] = 1.0LF / p2;
      v[3] = p3 / (2.0LF * p2);
      v[4] = p0;
      v[5] = p1;
      v[6] = 1.0LF - p0 * p1 / kTwoPi;
      break;
    case 96u:  // auger
      v[4] = p3 * 0.5LF;
      break;
    case 97u:  // flux
      v[1] = w * (2.0LF + p0);
      break;
  }
}

/// b and e of waves, which evaluate_matrices.comp writes.
bool givenByMatrix(uint variation, uint value) {
  return variation == 15u && (value == 1u || value == 3u);
}
