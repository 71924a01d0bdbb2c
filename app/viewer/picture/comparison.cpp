// SPDX-License-Identifier: BSD-3-Clause
// B's settings are kept as text, so that they outlive the technique and fit into a session.
#include "app/viewer/picture/comparison.h"

#include "app/gpu/context.h"
#include "app/gpu/present.h"

namespace fathom::viewer {

void Comparison::store(gpu::Context& gpu, Document& document) {
  if (!document.complete() || !document.picture()) return;
  values_ = valuesOf(document.technique()->settings());
  picture_ = gpu::copyOf(gpu, "picture B", *document.picture());
  gpuMs_ = gpu.timings().gpuSumMs();
  viewGeneration_ = document.pictures().viewGeneration();
  inputGeneration_ = document.inputGeneration();
  ++generation_;
}

void Comparison::restore(std::vector<FieldValue> values, bool splitOn) {
  clear();
  values_ = std::move(values);
  split = splitOn;
  viewGeneration_ = ~0ull;  // matches no picture, so that the next update renders it
}

void Comparison::clear() {
  values_.clear();
  picture_ = {};
  ++generation_;
}

void Comparison::swap(gpu::Context& gpu, Document& document) {
  if (!has() || !document.complete()) return;
  const std::vector<FieldValue> other = values_;
  store(gpu, document);
  for (const FieldValue& value : other)
    assign(document.technique()->settings(), value.name, value.text);
}

bool Comparison::stale(const Document& document) const {
  return has() && document.technique() &&
         (viewGeneration_ != document.pictures().viewGeneration() ||
          inputGeneration_ != document.inputGeneration());
}

void Comparison::update(Document& document) {
  if (!stale(document) || !document.complete()) return;
  viewGeneration_ = document.pictures().viewGeneration();
  inputGeneration_ = document.inputGeneration();
  ++generation_;
  try {
    PictureMaker::Other other = document.pictures().renderWith(values_);
    picture_ = std::move(other.picture);
    gpuMs_ = other.gpuMs;
  } catch (...) {
    clear();
    throw;
  }
}

const gpu::Texture* Comparison::picture(const Document& document) const {
  return has() && picture_ && !stale(document) ? &picture_ : nullptr;
}

}  // namespace fathom::viewer
