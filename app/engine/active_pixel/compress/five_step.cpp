// SPDX-License-Identifier: BSD-3-Clause
// The five steps, numbered as in the paper, each an array of one word per pixel.
#include "app/engine/active_pixel/compress/five_step.h"

#include "app/engine/gpu/dispatch_cost.h"
#include "app/engine/active_pixel/compress/image_writer.h"

namespace fathom::active_pixel {

void FiveStep::compress(DeviceImage& image, const TextureSource& source, int sourceX, int sourceY) {
  const std::size_t count = std::size_t(image.width) * std::size_t(image.height);
  gpu::ensure(gpu_, active_, "active pixels", count);
  gpu::ensure(gpu_, run_, "runs of pixels", count);
  gpu::ensure(gpu_, runSums_, "sums of run starts", count + 1);
  gpu::ensure(gpu_, index_, "indices of active pixels", count + 1);
  gpu::ensure(gpu_, lengths_, "lengths of runs", count);
  shared::Params params = paramsOf(image);
  params.sourceX = sourceX;
  params.sourceY = sourceY;
  std::vector<gpu::Define> defines = definesOf(image.format);
  for (const gpu::Define& define : source.defines()) defines.push_back(define);

  // 1. Which pixels are active, and where does that change?
  gpu::Pass& mark = gpu_.pass({"mark pixels", "shaders/active_pixel/mark_pixels.comp", defines});
  mark.storage(AP_BIND_ACTIVE, active_).storage(AP_BIND_NEW, run_).params(AP_BIND_PARAMS, params);
  source.bind(mark);
  gpu::dispatch(mark, count, gpu::Each{40});
  gpu::barrier(gpu::Reader::Storage);  // the scans

  // 2. The number of each pixel's run, from 1: an inclusive sum.
  scanner_.exclusive(run_, runSums_, count);
  gpu::Pass& number = gpu_.pass({"number runs", "shaders/active_pixel/number_runs.comp", {}});
  number.storage(AP_BIND_NEW, run_)
      .storage(AP_BIND_RUN_SUMS, runSums_)
      .params(AP_BIND_PARAMS, params);
  gpu::dispatch(number, count, gpu::Each{10});
  gpu::barrier(gpu::Reader::Storage);  // reduce by key

  // 3. The length of each run. The sums are not needed any more, their array takes the keys.
  reducer_.reduce(run_, nullptr, count, runSums_, lengths_);

  // 4. The number of active pixels before each.
  scanner_.exclusive(active_, index_, count);

  // 5. Payloads and pairs to their places (eq. 1).
  defines.push_back(windowedDefine(gpu_, image));
  gpu::Pass& place = gpu_.pass({"place pixels", "shaders/active_pixel/place_pixels.comp", defines});
  throughWindows(gpu_, image, place, params, [&](const shared::Params& window) {
    place.storage(AP_BIND_ACTIVE, active_)
        .storage(AP_BIND_NEW, run_)
        .storage(AP_BIND_LENGTHS, lengths_)
        .storage(AP_BIND_INDEX, index_)
        .storage(AP_BIND_FACTS, image.facts)
        .params(AP_BIND_PARAMS, window);
    source.bind(place);
    gpu::dispatch(place, count, gpu::Each{60});
  });
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);
}

}  // namespace fathom::active_pixel
