// SPDX-License-Identifier: BSD-3-Clause
// Times the GPU compressor by hand: measure_compressor WIDTH HEIGHT COVERAGE [fused|five-step]
// [d32f|r32f] [spread]. Smooth blobs, RGBA bytes and float depth; wall and processor time per
// frame, and what each pass takes.
#include "app/engine/active_pixel/compress/compressor.h"
#include "tests/active_pixel/frame_textures.h"
#include "tests/active_pixel/frames.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>

using namespace fathom;
using namespace fathom::active_pixel;

int main(int count, char** arguments) {
  if (count < 4) return 2;
  const auto is = [&](const std::string& word) {
    for (int i = 4; i < count; ++i)
      if (arguments[i] == word) return true;
    return false;
  };
  gpu::Context gpu;
  Frame frame = test::randomFrame(1, std::atoi(arguments[1]), std::atoi(arguments[2]), Format{},
                                  std::atof(arguments[3]));
  const test::FrameTextures textures(gpu, frame, is("d32f"));
  Compressor compressor(gpu);
  if (is("spread")) compressor.setSpread(true);
  for (int i = 0; i < 6; ++i) {
    gpu.finish();
    gpu.timings().beginFrame();
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    const int slot = compressor.compress(textures.request(frame),
                                         is("five-step") ? Method::FiveStep : Method::Fused);
    gpu.finish();
    const auto compressed = std::chrono::steady_clock::now();
    const double cpuMs = double(std::clock() - cpu) * 1000 / CLOCKS_PER_SEC;
    const auto result = compressor.result(slot);
    const auto read = std::chrono::steady_clock::now();
    gpu.timings().endFrame();
    const auto ms = [](auto a, auto b) {
      return std::chrono::duration<double, std::milli>(b - a).count();
    };
    fmt::print(
        "compress {:.1f} ms ({:.1f} ms of processors), read {:.1f} ms; {} active, {} runs, {} "
        "bytes\n",
        ms(start, compressed), cpuMs, ms(compressed, read), result.active, result.runs,
        result.words.size() * 4);
  }
  gpu.finish();
  for (const gpu::PassTiming& pass : gpu.timings().passes())
    fmt::print("  {:<20} {:.1f} ms x {}\n", pass.name, pass.gpuMs, pass.count);
}
