// SPDX-License-Identifier: BSD-3-Clause
// What the models of this session were worth as files, as far as they were measured: the points of
// the plot on the page Fit.
#pragma once

#include "app/engine/smoe/checks.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fathom::smoe {

/// A model as one encoding saves it, decoded and compared with its source.
struct MeasuredRate {
  double bitsPerPixel = 0, psnr = 0;
  int components = 0;
  Encoding encoding = Encoding::F32;
  bool operator==(const MeasuredRate&) const = default;
};

class RateHistory {
 public:
  /// Takes over what `checks` have measured completely, once, where it is against a source.
  void follow(const Checks& checks, const std::string& source);
  /// Ascending in bits; empty: nothing was measured of this source.
  const std::vector<MeasuredRate>& of(const std::string& source) const;

 private:
  std::map<std::string, std::vector<MeasuredRate>> rates_;  // by source
  std::shared_ptr<const Model> last_;
};

}  // namespace fathom::smoe
