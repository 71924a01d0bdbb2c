// SPDX-License-Identifier: BSD-3-Clause
// Each input through its steps; then, where there are steps of what is merged, all of them merged
// after their edits, and through those.
#include "app/engine/deep/bands/steps.h"

#include "app/engine/core/error.h"
#include "app/engine/deep/bands/merge.h"
#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/io/exr/exr_attributes.h"

namespace fathom::deep {
namespace {

/// Inputs, merged after their edits, through a chain.
DeepImage through(std::span<const EditedInput> inputs, const MergeEdit& edit,
                  std::span<const std::string> names, std::span<const Step> steps,
                  ChainContext& context, const std::atomic<bool>& stop) {
  DeepImage header = emptyLike(*inputs[0].image, {});
  std::vector<SharedAttributes> attributes;
  for (const EditedInput& input : inputs) {
    header.dataWindow = unite(header.dataWindow, input.image->dataWindow);
    attributes.push_back(input.image->attributes);
  }
  header.attributes = std::make_shared<const Attributes>(unitedAttributes(attributes, names));
  context.file = names[0];
  Chain chain(steps, header, context);
  DeepImage out = emptyLike(chain.header(), {});
  const auto add = [&](DeepImage&& rows) { appendRows(out, std::move(rows)); };
  mergeRows(inputs, edit, header.dataWindow, 1, [&](DeepImage&& rows) {
    if (stop) throw Cancelled();
    chain.take(std::move(rows), add);
  });
  chain.end(add);
  out.displayWindow = chain.header().displayWindow;
  out.attributes = chain.header().attributes;
  return out;
}

void makeCompatible(std::vector<DeepImage>& images, const Inputs& inputs) {
  unify(images, {});  // those that were opened have been warned about
  countThrough(images, inputs.names());
}

}  // namespace

void mergeRows(std::span<const EditedInput> inputs, const MergeEdit& edit, const Rect& window,
               int step, const std::function<void(DeepImage&&)>& take) {
  step = std::max(step, 16);
  for (int y = window.y; y < window.bottom(); y += step)
    take(mergeEdited(inputs, edit, nullptr,
                     {window.x, y, window.width, std::min(step, window.bottom() - y)}));
}

std::vector<std::string> inputNames(const Inputs& inputs) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < inputs.openedCount(); ++i)
    names.push_back(inputs.scene() ? inputs.nameOf(i) : inputs.names()[i]);
  return names;
}

Settings withStepEdits(Settings settings, const Inputs& inputs) {
  if (inputs.made().isMerged) {
    setEdits(settings, {});
    settings.order.clear(), settings.dropHidden = 0, settings.thin = 0;
    if (inputs.made().isResampled) settings.thinError.clear();
  } else if (!settings.steps.empty()) {
    try {
      std::vector<InputEdit> edits = editsOf(settings, inputs.openedCount());
      sortSteps(stepsIn(settings.steps, kStepsPlace), inputNames(inputs), edits);
      setEdits(settings, edits);
    } catch (const UsageError&) {  // runSteps() says so
    }
  }
  settings.steps.clear();
  return settings;
}

MadeImages runSteps(const Inputs& inputs, Settings settings, std::optional<int> frame,
                    const std::atomic<bool>& stop) {
  MadeImages made;
  made.steps = settings.steps;
  const std::vector<std::string> names = inputNames(inputs);
  std::vector<InputEdit> edits = editsOf(settings, names.size());
  const std::vector<Step> given = stepsIn(settings.steps, kStepsPlace);
  const SortedSteps steps = sortSteps(given, names, edits);
  const bool mayHaveIds =
      !steps.onInputs.empty() || std::ranges::any_of(inputs.openedImages(), [](const auto& image) {
        return hasIds(image.channels);
      });
  for (const Step& step : given)
    if (step.kind->name == "ids" && !mayHaveIds)
      throw UsageError(step.place + "expected an integer ID channel, found none");
  if (steps.onInputs.empty() && steps.merged.empty()) return made;
  const Step& first = steps.onInputs.empty() ? steps.merged[0] : steps.onInputs[0].second;
  if (inputs.openedImages().empty())
    throw UsageError(first.place + "expected deep EXR files, found a scene");

  ChainContext context;
  context.frame = frame;
  context.thinError = thinErrorOf(settings.thinError);
  context.thinDepth = thinErrorOf(settings.thinDepth);
  const Edits none = editsOf(Settings(), names.size(), false, Purpose::File);
  const std::vector<EditedInput> opened = editedInputs(inputs.openedImages(), none);
  for (std::size_t i = 0; i < names.size() && !steps.onInputs.empty(); ++i) {
    std::vector<Step> own;
    for (const auto& [input, step] : steps.onInputs)
      if (input == i) own.push_back(step);
    made.images.push_back(
        through(std::span(&opened[i], 1), {}, std::span(&names[i], 1), own, context, stop));
  }
  makeCompatible(made.images, inputs);
  if (steps.merged.empty()) return made;

  setEdits(settings, edits);
  settings.thinError.clear();  // when it is saved
  const std::span<const DeepImage> images =
      made.images.empty() ? inputs.openedImages() : made.images;
  const Edits all = editsOf(settings, names.size(), images[0].hasZBack, Purpose::File);
  std::vector<DeepImage> one;
  one.push_back(through(editedInputs(images, all), all.merged, names, steps.merged, context, stop));
  makeCompatible(one, inputs);
  made.images = std::move(one);
  made.isMerged = true;
  made.isResampled = std::ranges::any_of(steps.merged, [](const Step& step) {
    return step.kind->name == "resize" || step.kind->name == "transform";
  });
  return made;
}

}  // namespace fathom::deep
