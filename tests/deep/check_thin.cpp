// SPDX-License-Identifier: BSD-3-Clause
// The largest error of a thinned deep EXR of points in float64, at every boundary of every pixel,
// by sweeps of its own: deep_check_thin WHOLE THINNED
#include "app/engine/io/exr/deep_exr.h"

namespace {

using namespace fathom;

/// Alpha and light in front of what comes next.
struct Sweep {
  const DeepImage& image;
  std::size_t at, end;
  glm::dvec4 shown{0};
  Sweep(const DeepImage& of, int x, int y) : image(of), at(0), end(0) {
    if (!of.dataWindow.contains(x, y)) return;
    at = of.fragmentOffsets[of.pixelIndex(x, y)], end = of.fragmentOffsets[of.pixelIndex(x, y) + 1];
  }
  double next() const { return at < end ? decodeFragment(image, at).z : INFINITY; }
  /// Takes in everything at z or in front of it.
  void passTo(double z) {
    for (; at < end && decodeFragment(image, at).z <= z; ++at) {
      const Fragment f = decodeFragment(image, at);
      shown += (1 - shown.a) * glm::dvec4(f.r, f.g, f.b, f.a);
    }
  }
};

double distance(const glm::dvec4& a, const glm::dvec4& b) {
  const glm::dvec4 d = glm::abs(a - b);
  return std::max({d.r, d.g, d.b, d.a});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const DeepImage whole = readDeepExr(argv[1]), thin = readDeepExr(argv[2]);
  double largest = 0, flat = 0;
  std::size_t boundaries = 0;
  const Rect& window = whole.dataWindow;
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = window.x; x < window.right(); ++x) {
      Sweep a(whole, x, y), b(thin, x, y);
      while (a.at < a.end || b.at < b.end) {
        const double z = std::min(a.next(), b.next());
        a.passTo(z), b.passTo(z);
        largest = std::max(largest, distance(a.shown, b.shown));
        ++boundaries;
      }
      flat = std::max(flat, distance(a.shown, b.shown));
    }
  std::puts(fmt::format("{} to {} fragments ({:.2f} times fewer); largest error {:.9f} at {} "
                        "boundaries, of the flat picture {:.9f}",
                        whole.fragmentCount(), thin.fragmentCount(),
                        double(whole.fragmentCount()) /
                            double(std::max<std::size_t>(1, thin.fragmentCount())),
                        largest, boundaries, flat)
                .c_str());
}
