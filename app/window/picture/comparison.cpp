// SPDX-License-Identifier: BSD-3-Clause
// B's settings are kept as text, so that they outlive the technique and fit into a session.
#include "app/window/picture/comparison.h"

#include "app/engine/gpu/context.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/io/picture.h"

namespace fathom::viewer {
namespace {

float largestDifference(const Image& a, const Image& b) {
  float largest = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const float difference = std::abs(a.pixels[i][c] - b.pixels[i][c]);
      if (std::isfinite(difference)) largest = std::max(largest, difference);
    }
  return largest;
}

std::string nameOf(const Document& document) {
  const std::vector<std::string>& inputs = document.technique()->inputs();
  return inputs.empty() ? document.info().title : fs::path(inputs[0]).filename().string();
}

}  // namespace

void Comparison::store(gpu::Context& gpu, Document& document) {
  if (!document.complete() || !document.picture()) return;
  measures_.reset();
  values_ = valuesOf(document.technique()->settings());
  name_ = "settings of " + document.info().title;
  document_ = nameOf(document);
  picture_ = gpu::copyOf(gpu, "image B", *document.picture());
  gpuMs_ = gpu.timings().gpuSumMs();
  viewGeneration_ = document.pictures().viewGeneration();
  inputGeneration_ = document.inputGeneration();
  if (show == Show::A) show = Show::Split;
  ++generation_;
}

void Comparison::read(const std::string& file) {
  jobs_.submit(
      [this, file]() -> JobQueue::Delivery {
        auto image = std::make_shared<const Image>(readPicture(file).image);
        return [this, file, image] {
          values_.clear();
          name_ = document_ = fs::path(file).filename().string();
          read_ = image;
          gpuMs_ = 0;
          if (show == Show::A) show = Show::Split;
        };
      },
      [this](std::exception_ptr error) { error_ = messageOf(error); });
}

void Comparison::restore(std::vector<FieldValue> values, bool splitOn) {
  clear();
  values_ = std::move(values);
  name_ = "settings of the session";
  show = splitOn ? Show::Split : Show::A;
  viewGeneration_ = ~0ull;  // matches no picture, so that the next update renders it
}

void Comparison::clear() {
  values_.clear();
  name_.clear();
  picture_ = {};
  measures_.reset();
  a_.reset(), b_.reset();
  ++generation_;
}

void Comparison::freeze() {
  if (values_.empty()) return;
  values_.clear();
  name_ = document_;
  if (!picture_) clear();
}

void Comparison::swap(gpu::Context& gpu, Document& document) {
  if (!canSwap() || !document.complete()) return;
  const std::vector<FieldValue> other = values_;
  store(gpu, document);
  for (const FieldValue& value : other)
    assign(document.technique()->settings(), value.name, value.text);
}

bool Comparison::stale(const Document& document) const {
  return !values_.empty() && document.technique() &&
         (viewGeneration_ != document.pictures().viewGeneration() ||
          inputGeneration_ != document.inputGeneration());
}

void Comparison::update(gpu::Context& gpu, Document& document) {
  jobs_.deliver();
  if (const auto image = std::exchange(read_, nullptr)) {
    picture_ =
        gpu::Texture(gpu, "image B", gpu::TextureFormat::Rgba32f, image->width, image->height);
    picture_.upload(*image);
    ++generation_;
  }
  if (!error_.empty()) throw Error(std::exchange(error_, {}));
  if (auto other = std::exchange(made_, std::nullopt); other && !values_.empty()) {
    viewGeneration_ = document.pictures().viewGeneration();
    inputGeneration_ = document.inputGeneration();
    ++generation_;
    if (!other->error.empty()) {
      clear();
      throw Error(other->error);
    }
    picture_ = std::move(other->picture);
    document_ = nameOf(document);
    gpuMs_ = other->gpuMs;
  }
  if (stale(document) && document.complete())
    document.pictures().renderB(values_, {}, [this](PictureMaker::PictureB made) {
      if (!made.ended) made_ = std::move(made);
    });
  measure(document);
}

/// Downloads both pictures when either has changed, and compares them on a worker.
void Comparison::measure(const Document& document) {
  const std::uint64_t generation = document.pictures().generation();
  const bool measured = generation == measuredA_ && generation_ == measuredB_;
  if (!measured) measures_.reset();
  const gpu::Texture* const b = picture(document);
  if (!b || !document.complete() || !document.picture() || jobs_.pending() > 0) return;
  if (document.active().parts().animated()) return;
  if (measured) return;
  const gpu::Texture& a = *document.picture();
  if (std::exchange(measuredB_, generation_) != generation_ || !b_)
    b_ = std::make_shared<const Image>(b->downloadImage());
  measuredA_ = generation;
  if (a.size() != b->size()) return a_.reset();
  a_ = std::make_shared<const Image>(a.downloadImage());
  jobs_.submit([this, first = a_, second = b_]() -> JobQueue::Delivery {
    const Measures found{compare(*first, *second), largestDifference(*first, *second),
                         flipError(*first, *second)};
    return [this, found] { measures_ = found; };
  });
}

const gpu::Texture* Comparison::picture(const Document& document) const {
  return has() && picture_ && !stale(document) ? &picture_ : nullptr;
}

}  // namespace fathom::viewer
