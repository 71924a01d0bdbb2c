// SPDX-License-Identifier: BSD-3-Clause
// CPU time of resizing a deep EXR to half and of turning it:
// deep_measure_resample FILE [SCALE]
#include "app/engine/deep/operations/resample.h"
#include "app/engine/io/exr/deep_exr.h"

namespace {

using namespace fathom;

template <class Work>
double cpuSeconds(const Work& work) {
  const std::clock_t begin = std::clock();  // of all threads
  work();
  return double(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// One line: CPU time of all threads.
void measure(const std::string& name, const DeepImage& image, deep::Resampling how) {
  std::size_t whole = 0, thin = 0;
  const double fast = cpuSeconds([&] { whole = deep::resampled(image, how).fragmentCount(); });
  how.thinError = 1.0 / 2048, how.thinDepth = 1.0 / 1024;
  const double thinned = cpuSeconds([&] { thin = deep::resampled(image, how).fragmentCount(); });
  std::puts(fmt::format("{:13} {} fragments to {}, thinned {}: {:.3f} s, with thinning {:.2f} s",
                        name, image.fragmentCount(), whole, thin, fast, thinned)
                .c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const DeepImage image = readDeepExr(argv[1]);
  const double scale = argc > 2 ? std::atof(argv[2]) : 0.5;
  const glm::ivec2 size(int(image.displayWindow.width * scale),
                        int(image.displayWindow.height * scale));
  const double angle = 0.1;
  const glm::dmat3 turned(std::cos(angle), std::sin(angle), 0, -std::sin(angle), std::cos(angle), 0,
                          3, 5, 1);
  for (const auto& [name, filter] :
       {std::pair("box", deep::PixelFilter::Box), std::pair("tent", deep::PixelFilter::Tent),
        std::pair("gaussian", deep::PixelFilter::Gaussian),
        std::pair("mitchell", deep::PixelFilter::Mitchell)}) {
    measure(name, image, deep::resizing(image, size, filter));
    measure(fmt::format("{} turned", name), image, deep::transforming(image, turned, filter));
  }
}
