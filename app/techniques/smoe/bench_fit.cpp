// SPDX-License-Identifier: BSD-3-Clause
// Fitting: what ten steps of gradient descent cost, and how good the model is after all stages. The
// paper does not fit.
#include "app/techniques/smoe/bench_models.h"
#include "app/techniques/smoe/bench_parts.h"

#include <cmath>
#include <limits>

namespace fathom::smoe {
namespace {

constexpr int kSteps = 10;

void toTheEnd(Fitter& fitter, Progress& progress) {
  while (!fitter.step(std::numeric_limits<double>::infinity(), progress)) {
  }
}

void measureFit(BenchRun& run, glm::ivec2 size, int components, int steps) {
  const auto training = std::make_shared<const TrainingSet>(benchPicture(size, 0.15f, 3));
  FitRequest request;
  request.components = components;
  request.steps = steps;
  request.seed = run.seed();
  Fitter fitter(run.gpu(), training, request);
  toTheEnd(fitter, run.progress());
  const double start = fitter.curve().front().psnr;
  const FitPoint end = fitter.curve().back();

  BenchCase c;
  c.workload = fmt::format("{} steps of descent", kSteps);
  c.label = fmt::format("K = {}", components);
  c.size = size;
  c.work = double(kSteps) * size.x * size.y;
  c.trial = [&] {
    fitter.continueFor(kSteps);
    toTheEnd(fitter, run.progress());
  };
  c.check = [&] {
    return CheckResult{end.psnr > start + 1,
                   fmt::format("{:.2f} dB from {:.2f} dB after {} steps, {:.1f} s", end.psnr, start,
                               steps, end.seconds),
                   fmt::format("{:.2f} dB from {:.2f} dB", end.psnr, start),
                   {{"PSNR dB", end.psnr}}};
  };
  run.measure(c);
}

void runFit(BenchRun& run) {
  if (run.scale() == BenchScale::Quick) return measureFit(run, {64, 64}, 60, 40);
  std::vector<int> counts{500, 2000};
  if (run.scale() == BenchScale::Paper) counts = {500, 2000, 8000, 20'000};
  for (const int count : counts) measureFit(run, {512, 512}, count, 1000);
}

}  // namespace

Bench fitBench() {
  return {"smoe.fit", "Steps of gradient descent, and what a whole fit reaches.", "", "pixels", {},
          runFit};
}

}  // namespace fathom::smoe
