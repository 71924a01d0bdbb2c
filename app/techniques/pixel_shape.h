// SPDX-License-Identifier: BSD-3-Clause
// For engines whose pictures have pixels that are not square (anamorphic files): an engine that is
// also a PixelShape says how wide they are, and the window shows them so. What is computed and
// exported stays as it is.
#pragma once

namespace fathom {

class PixelShape {
 public:
  virtual ~PixelShape() = default;
  /// The width of a pixel of the picture by its height, above 0.
  virtual float pixelAspect() const = 0;
};

}  // namespace fathom
