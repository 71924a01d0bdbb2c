// SPDX-License-Identifier: BSD-3-Clause
// The page of variants in the window: a variant chosen dimension by dimension, the browser of all
// of them, the source of one.
#pragma once

#include "app/engine/dof/variants/variant_browser.h"

#include <string>

namespace fathom::dof {

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
