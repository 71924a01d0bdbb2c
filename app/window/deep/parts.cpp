// SPDX-License-Identifier: BSD-3-Clause
// The parts and what goes from one to the other: a frame that is due ends saving and is adopted.
// Saving merges rows on the host, as fathom deep merge does where the device cannot, and writes
// them at once.
#include "app/window/deep/parts.h"

#include "app/engine/core/deep_image.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"

namespace fathom::deep {

DeepWindowParts::DeepWindowParts(DeepEngine& engine)
    : engine_(engine),
      surveyor_(engine.bands(), engine.setup(), [&engine] { return engine.isIdle(); }),
      saver_(engine.opened()),
      tool_(engine.settingsStruct(), engine.opened(), engine.points(), engine.inspection()),
      panels_({engine.settingsStruct(), engine.opened(), engine.points(), surveyor_, tool_, saver_,
               frames_}) {
  editing = this;
  playing = &frames_;
  panels = &panels_;
  tools = &tool_;
  background = this;
}

void DeepWindowParts::adopted(const std::vector<std::string>&) {
  saver_.stop();
  const Inputs& inputs = engine_.opened();
  const bool areFiles = !inputs.scene() && !inputs.streamed();
  frames_.open(areFiles ? inputs.names() : std::vector<std::string>());
  noteFrame();
}

void DeepWindowParts::advance() {
  const std::shared_ptr<const Loaded> frame = frames_.take();
  if (!frame) return;
  saver_.stop();
  engine_.adoptFrame(*frame);
  noteFrame();
}

void DeepWindowParts::noteFrame() {
  const std::vector<int>& frames = frames_.frames();
  engine_.setFrameNumber(frames.empty() ? std::nullopt : std::optional(frames[frames_.shown()]));
}

std::optional<TechniqueFile> DeepWindowParts::savable() const {
  if (engine_.settingsStruct().steps.empty()) return std::nullopt;
  return TechniqueFile{"recipe", {".recipe"}, "shot.recipe"};
}

void DeepWindowParts::save(const std::string& file) {
  parseSteps(engine_.settingsStruct().steps, file);  // what deep run would refuse is not written
  writeFile(file, engine_.settingsStruct().steps);
}

bool DeepWindowParts::backgroundStep(gpu::Context& gpu, double budgetMs) {
  if (saver_.isBusy()) return saver_.step(budgetMs) || true;
  return surveyor_.step(gpu);
}

std::unique_ptr<WindowParts> makeWindowParts(Engine& engine) {
  return std::make_unique<DeepWindowParts>(dynamic_cast<DeepEngine&>(engine));
}

void MergedSaver::begin(const std::string& file, const Settings& settings) {
  stop();
  if (std::filesystem::path(file).extension() != ".exr" && !isPackedName(file))
    fail("{}: expected a name that ends in .exr or .fdp", file);
  std::error_code ignored;
  for (const std::string& input : inputs_.names())
    if (std::filesystem::equivalent(splitPart(input).first, file, ignored))
      fail("{}: expected another file than the inputs, which are open", file);
  setup_ = MergeSetup(settings, inputs_), generation_ = inputs_.generation();
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
  if (generation_ != inputs_.generation()) return stop(), false;  // steps made others
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
    result_ = fmt::format("saved {} fragments: {}", grouped(fragments_), file_);
    writer_.reset();
  } catch (...) {
    stop();
    throw;
  }
  return false;
}

}  // namespace fathom::deep
