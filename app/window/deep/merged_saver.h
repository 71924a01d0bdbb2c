// SPDX-License-Identifier: BSD-3-Clause
// Saves what is merged as a deep EXR beside the picture, some rows per slice of time.
#pragma once

#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/deep/bands/inputs.h"
#include "app/engine/deep/bands/merge_setup.h"

#include <optional>
#include <string>

namespace fathom::deep {

class MergedSaver {
 public:
  explicit MergedSaver(const Inputs& inputs) : inputs_(inputs) {}

  /// Files, not scenes, of which the device alone has the fragments.
  bool canSave() const { return inputs_.isOpen() && !inputs_.scene(); }
  /// Begins; what is saved before is dropped, unless it is complete. Throws Error.
  void begin(const std::string& file, const Settings& settings);
  /// Other inputs come: what is not complete is dropped.
  void stop();
  /// One slice; true while more is to do. Throws Error, which ends it.
  bool step(double budgetMs);

  bool isBusy() const { return writer_.has_value(); }
  float share() const;  // of the rows
  /// What came of the last one, for the page; empty: nothing was saved yet.
  const std::string& result() const { return result_; }

 private:
  const Inputs& inputs_;
  std::optional<DeepExrWriter> writer_;
  std::string file_, result_;
  MergeSetup setup_;
  Rect window_;
  int row_ = 0;  // the next one
  std::uint64_t fragments_ = 0;
};

}  // namespace fathom::deep
