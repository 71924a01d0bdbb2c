// SPDX-License-Identifier: BSD-3-Clause
// A deep image as Python has it: offsets and one flat array per channel. It holds either the words
// of a DeepImage, which its arrays show where they can, or arrays that Python gave; whoever works
// with it takes rows.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/python/values.h"
#include "app/engine/deep/read/streaming.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fathom::python {

/// Pixels that an image may have; its offsets take 8 bytes each.
constexpr std::int64_t kMaxDeepPixels = std::int64_t(1) << 31;

class DeepValue : public std::enable_shared_from_this<DeepValue> {
 public:
  virtual ~DeepValue() = default;

  /// Windows, channels and format, without fragments.
  virtual const DeepImage& header() const = 0;
  /// size_t[pixels + 1], valid as long as this.
  virtual const std::vector<std::size_t>& offsets() const = 0;
  /// The values of a channel in its own type, one per fragment, lists front to back.
  virtual py::array channel(std::size_t index) const = 0;
  /// Rows first <= y < last with fragments in order. `asStored`: color and alpha that a reader
  /// would repair stay as they are. Touches no Python object; safe from any thread.
  virtual DeepImage rows(int first, int last, bool asStored) const = 0;
  /// All of it, where it is held that way; null: take rows.
  virtual const DeepImage* whole() const { return nullptr; }
  /// Memory of offsets and values.
  virtual std::size_t bytes() const = 0;

  std::size_t fragmentCount() const { return offsets().back(); }
  /// Rows for StreamedFiles, repaired as those of a file are.
  std::unique_ptr<deep::DeepRows> asRows() const;
};

std::shared_ptr<const DeepValue> valueOf(DeepImage image);

/// What Python may say about the windows; else they follow from the offsets' shape.
struct DeepWindows {
  std::optional<std::array<std::int64_t, 4>> data, display;  // x, y, width, height
  double pixelAspect = 1;
};

/// From arrays, which are kept and not copied where they are contiguous; offsets are copied. Throws
/// UsageError that names what is wrong: type, shape, order, NaN depth.
std::shared_ptr<const DeepValue> valueFrom(const py::array& offsets, const py::dict& channels,
                                           const DeepWindows& windows,
                                           SharedAttributes attributes);

}  // namespace fathom::python
