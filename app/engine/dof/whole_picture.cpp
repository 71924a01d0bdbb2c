// SPDX-License-Identifier: BSD-3-Clause
// On a device of its own each slice ends by itself; on the processor the work runs on a fiber.
#include "app/engine/dof/whole_picture.h"

#include "app/engine/gpu/sliced_work.h"

namespace fathom::dof {
namespace {

constexpr double kSliceMs = 200;

}  // namespace

void makeWholePicture(gpu::Context& gpu, DofEngine& technique, Effect effect,
                      const std::function<void()>& betweenSlices) {
  const auto update = [&] {
    const bool done = technique.update(gpu, effect, kSliceMs);
    effect = Effect::None;
    return done;
  };
  if (!gpu.device().software) {
    while (!update()) betweenSlices();
    return;
  }
  gpu::SlicedWork work;
  work.start([&] {
    while (!update()) gpu::yieldIfOverBudget();
  });
  while (!work.resume(kSliceMs)) betweenSlices();
}

}  // namespace fathom::dof
