// SPDX-License-Identifier: BSD-3-Clause
// Which part of time a strip of the window shows: between times and places along it, marks at round
// numbers, zoom and pan. Plain numbers, without a window.
#pragma once

namespace fathom::flame {

class Ruler {
 public:
  /// A film with some room at both ends, more behind it, where it may continue.
  void fit(double first, double last);
  /// The strip on the window, in pixels.
  void place(float x, float width);
  double timeAt(float x) const;
  float xAt(double time) const;
  /// The time under x stays there.
  void zoomAt(float x, double factor);
  void pan(float pixels);
  /// Scrolls until a time is visible.
  void show(double time);
  /// Frames between marks that are at least `pixels` apart: 1, 2, 5, 10, ...
  double step(float pixels) const;
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_ = 0, high_ = 100;
  float x_ = 0, width_ = 100;
};

}  // namespace fathom::flame
