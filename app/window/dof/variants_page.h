// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a sweep over variants: a dot for each with axes, and for each dimension what its
// values cost.
#pragma once

#include "app/window/dof/variant_browser.h"

#include <string>
#include <vector>

namespace fathom::dof {

/// Times over variants within the rest of the window, the variant `used` marked; the dot under the
/// mouse, or null.
const VariantBrowser::Dot* drawTimes(const std::vector<VariantBrowser::Dot>& dots, int used,
                                     bool sorted);

/// The median time of all variants that have this value of this dimension; 0: none was timed.
double medianOf(const std::vector<VariantBrowser::Dot>& dots, int dimension, int value);
/// A row per dimension, a cell per value: medians, the fastest of a row marked.
void drawHeatMap(const std::vector<VariantBrowser::Dot>& dots);

/// Source with line numbers and colored words; `difference`: lines begin with their sign.
void drawSourceText(const std::string& text, bool difference);

class VariantPage {
 public:
  VariantBrowser browser;

  /// Widgets for the variant whose id is `setting` ("auto" stands for `inUse`); a choice is written
  /// to `setting`. `radius` is what a sweep measures with.
  void draw(std::string& setting, const Variant& inUse, int radius, bool coverage);

 private:
  void drawDimensions(std::string& setting, const Variant& variant);
  void drawDimensionRows(std::string& setting, const Variant& variant);
  void drawSweep(int radius, bool coverage);
  void drawPlot(std::string& setting, const Variant& variant, VariantBrowser::Order order);
  void drawSource(const Variant& variant);

  int size_ = 0;  // of the sweep: index into the sizes offered
  enum class View { Times, Dimensions, Source };
  View view_ = View::Times;
  bool byTime_ = false, compared_ = false;
  std::string saved_;     // where the table went
  std::string markedId_;  // of the variant that others are compared with; empty: the default
  std::string sourceOf_, source_, difference_;  // what is shown, and of which variants
};

}  // namespace fathom::dof
