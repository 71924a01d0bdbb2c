// SPDX-License-Identifier: BSD-3-Clause
// Pictures of errors: the difference of a decoded picture from its source, and the small heat map
// of a fit that is in progress.
#pragma once

#include "app/engine/gpu/context.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/model.h"

namespace fathom::smoe {

/// Turns pictures into their amplified difference from a source.
class DifferenceView {
 public:
  /// `picture` (Rgba32f of window.size) becomes gain times its difference from the view or frame of
  /// the source that is nearest to window.at.
  void apply(gpu::Context& gpu, const gpu::Texture& picture, const ViewWindow& window, float gain,
             const std::shared_ptr<const TrainingSet>& source);
  /// Draws source, picture and amplified difference side by side into `result`, Rgba32f of three
  /// times the window's width. Without a source only the picture.
  void applyBeside(gpu::Context& gpu, const gpu::Texture& picture, const gpu::Texture& result,
                   const ViewWindow& window, float gain,
                   const std::shared_ptr<const TrainingSet>& source);

 private:
  void show(gpu::Context& gpu, const std::shared_ptr<const TrainingSet>& source,
            ViewCoordinates at);
  void upload(gpu::Context& gpu, std::size_t index);

  std::shared_ptr<const TrainingSet> source_;
  std::size_t index_ = 0;  // of the source's picture that texture_ holds
  gpu::Texture texture_;   // linear
};

/// The error of a fit as a small picture in false color.
class ErrorHeat {
 public:
  static constexpr float kGain = 8;

  void draw(gpu::Context& gpu, const gpu::Texture& error);
  const gpu::Texture& texture() const { return texture_; }

 private:
  gpu::Texture texture_;
};

}  // namespace fathom::smoe
