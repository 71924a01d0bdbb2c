// SPDX-License-Identifier: BSD-3-Clause
// A fiber where passes can be cut, else the engine's own slices.
#include "app/window/document/engine_slices.h"

#include "app/engine/gpu/context.h"

#include <limits>
#include <optional>

namespace fathom::viewer {
namespace {

constexpr double kUnlimitedMs = std::numeric_limits<double>::infinity();
constexpr double kSliceMs = 15, kSoftwareSliceMs = 40;

}  // namespace

double EngineSlices::sliceMs() const {
  return gpu_.device().software ? kSoftwareSliceMs : kSliceMs;
}

bool EngineSlices::cuts() const { return gpu_.device().software; }

bool EngineSlices::update(Engine& engine, Effect effect, const EngineState* begunWith) {
  const double ownMs = begunWith ? kUnlimitedMs : sliceMs();
  if (!cuts()) return engine.update(gpu_, effect, ownMs);
  std::optional<OtherState> begun;
  if (begunWith && inTheMiddle()) begun.emplace(engine, *begunWith);
  if (!slice_.pending())
    slice_.start([this, &engine, effect, ownMs] { updated_ = engine.update(gpu_, effect, ownMs); });
  return slice_.resume(sliceMs()) && updated_;
}

void EngineSlices::goOnAside() {
  try {
    if (!slice_.pending()) slice_.start(aside_);
    if (slice_.resume(sliceMs())) aside_ = nullptr;
  } catch (...) {
    aside_ = nullptr;
    throw;
  }
}

}  // namespace fathom::viewer
