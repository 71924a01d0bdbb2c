// SPDX-License-Identifier: BSD-3-Clause
// Rows are merged on the host, as fathom deep merge does where the device cannot, and written at
// once.
#include "app/window/deep/merged_saver.h"

#include "app/engine/core/deep_image.h"
#include "app/engine/core/stopwatch.h"

#include <algorithm>
#include <filesystem>

namespace fathom::deep {

void MergedSaver::begin(const std::string& file, const Settings& settings) {
  stop();
  if (std::filesystem::path(file).extension() != ".exr")
    fail("{}: expected a name that ends in .exr", file);
  setup_ = MergeSetup(settings, inputs_);
  const DeepImage header = savedHeader(inputs_, setup_);
  writer_.emplace(file, header);
  window_ = header.dataWindow;
  file_ = file, row_ = window_.y, fragments_ = 0;
}

void MergedSaver::stop() {
  if (writer_) result_ = "not saved: " + file_;
  writer_.reset();
}

float MergedSaver::share() const {
  return isBusy() ? float(row_ - window_.y) / float(std::max(1, window_.height)) : 0;
}

bool MergedSaver::step(double budgetMs) {
  if (!writer_) return false;
  constexpr int kRows = 4;
  try {
    const Stopwatch watch;
    const Edits edits = setup_.edits(Purpose::File);
    while (row_ < window_.bottom() && watch.ms() < budgetMs) {
      const Rect rows{window_.x, row_, window_.width,
                      std::min(std::max(kRows, writer_->rowStep()), window_.bottom() - row_)};
      DeepImage band =
          mergeEdited(editedInputs(inputs_.images(), edits), edits.merged, nullptr, rows);
      fragments_ += band.fragmentCount();
      writer_->writeRows(band);
      row_ = rows.bottom();
    }
    if (row_ < window_.bottom()) return true;
    writer_->finish();
    result_ = fmt::format("saved {} fragments: {}", fragments_, file_);
    writer_.reset();
  } catch (...) {
    stop();
    throw;
  }
  return false;
}

}  // namespace fathom::deep
