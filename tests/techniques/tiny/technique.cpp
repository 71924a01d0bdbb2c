// SPDX-License-Identifier: BSD-3-Clause
// Input and engine of the ramp.
#include "tests/techniques/tiny/technique.h"

#include "app/engine/gpu/pass.h"
#include "app/engine/io/atomic_file.h"
#include "tests/techniques/tiny/reference.h"
#include "tests/techniques/tiny/shared.h"

namespace fathom::tiny {

bool accepts(const std::vector<std::string>& inputs) {
  return inputs.size() == 1 && inputs[0].ends_with(".ramp");
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress&) {
  auto ramp = std::make_unique<RampFile>();
  ramp->names = inputs;
  const std::string text = readFile(inputs.at(0));
  if (std::sscanf(text.c_str(), "RAMP %d %d", &ramp->size.x, &ramp->size.y) != 2 ||
      ramp->size.x < 1 || ramp->size.y < 1 || ramp->size.x > 8192 || ramp->size.y > 8192)
    fail("{}: expected RAMP WIDTH HEIGHT with sides from 1 to 8192, found \"{}\"", inputs[0],
         text.substr(0, 20));
  return ramp;
}

RampTechnique::RampTechnique() {
  stages_.add(
      "fill",
      [this] {
        return std::tuple(settings_.left, settings_.right, settings_.steps, size_.x, size_.y,
                          gpu_->shaderGeneration());
      },
      [this](double) {
        fill();
        return true;
      });
}

void RampTechnique::adopt(std::unique_ptr<LoadedInputs> inputs) {
  auto& ramp = ownInputs<RampFile>(*inputs);
  inputs_ = std::move(ramp.names);
  size_ = ramp.size;
}

bool RampTechnique::work(gpu::Context& gpu, double budgetMs) {
  if (size_.x == 0) return true;
  gpu_ = &gpu;
  return stages_.run(budgetMs, [&] { gpu.finish(); });
}

void RampTechnique::fill() {
  gpu::ensure(*gpu_, ramp_, "ramp", gpu::TextureFormat::Rgba32f, size_);
  gpu::Pass& pass = gpu_->pass({"fill ramp", "tests/techniques/tiny/fill_ramp.comp", {}});
  const shared::FillParams params{settings_.left, settings_.right, std::uint32_t(settings_.steps),
                                  std::uint32_t(size_.x)};
  pass.image(TINY_IMAGE_RAMP, ramp_).params(TINY_BIND_PARAMS, params);
  pass.dispatch(std::int64_t(size_.x) * size_.y, gpu::Each{10});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // display
}

Image RampTechnique::reference() const { return reference::ramp(settings_, size_.x, size_.y); }

}  // namespace fathom::tiny
