// SPDX-License-Identifier: BSD-3-Clause
// The parts and what goes from one to the other. What is merged is saved by the way of steps: rows
// on the host, which are written at once.
#include "app/window/deep/parts.h"

#include "app/engine/core/text.h"
#include "app/engine/deep/bands/steps.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_exr.h"

namespace fathom::deep {

DeepWindowParts::DeepWindowParts(DeepEngine& engine)
    : engine_(engine),
      surveyor_(engine.bands(), engine.setup(), [&engine] { return engine.isIdle(); }),
      tool_(engine.settingsStruct(), engine.opened(), engine.points(), engine.inspection()),
      inputsPage_(engine.settingsStruct(), engine.opened(), request_),
      peel_(engine.settingsStruct(), surveyor_) {
  editing = this, panels = this, background = this;
  playing = &frames_, tools = &tool_;
}

void DeepWindowParts::adopted(const std::vector<std::string>&) {
  const Inputs& inputs = engine_.opened();
  const bool areFiles = !inputs.scene() && !inputs.streamed();
  frames_.open(areFiles ? inputs.names() : std::vector<std::string>());
  noteFrame();
}

void DeepWindowParts::advance() {
  ofPixels = engine_.settingsStruct().show != Show::Points;
  const std::shared_ptr<const Loaded> frame = frames_.take();
  if (!frame) return;
  engine_.adoptFrame(*frame);
  noteFrame();
}

void DeepWindowParts::noteFrame() {
  const std::vector<int>& frames = frames_.frames();
  engine_.setFrameNumber(frames.empty() ? std::nullopt : std::optional(frames[frames_.shown()]));
}

std::optional<TechniqueFile> DeepWindowParts::savable() const {
  const bool areFiles = engine_.opened().isOpen() && !engine_.opened().scene();
  if (engine_.settingsStruct().steps.empty())
    return areFiles ? std::optional(TechniqueFile{"merged image", {".exr", ".fdp"}, "merged.exr"})
                    : std::nullopt;
  if (!areFiles) return TechniqueFile{"recipe", {".recipe"}, "shot.recipe"};
  return TechniqueFile{"recipe or image", {".recipe", ".exr", ".fdp"}, "shot.recipe"};
}

void DeepWindowParts::save(const std::string& file) {
  parseSteps(engine_.settingsStruct().steps, file);  // what deep run would refuse is not written
  writeFile(file, engine_.settingsStruct().steps);
}

std::function<void()> DeepWindowParts::writer(const std::string& file) {
  if (endingOf(file) == ".recipe") return {};
  const Inputs& inputs = engine_.opened();
  if (isInput(file, inputs.names()))
    fail("{}: expected another file than the inputs, which are open", file);
  const std::string& wrong = inputs.made().complaint;
  if (inputs.made().steps != engine_.settingsStruct().steps || !wrong.empty())
    fail("{}: expected steps that are done, found {}", file,
         wrong.empty() ? "steps in progress" : wrong);
  const MergeSetup setup(engine_.settingsStruct(), inputs);
  return [file, header = savedHeader(inputs, setup), edits = setup.edits(Purpose::File),
          images = inputs.kept()] {
    DeepExrWriter out(file, header);
    mergeRows(editedInputs(*images, edits), edits.merged, header.dataWindow, out.rowStep(),
              [&](DeepImage&& rows) { out.writeRows(rows); });
    out.finish();
  };
}

}  // namespace fathom::deep
