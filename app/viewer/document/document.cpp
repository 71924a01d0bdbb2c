// SPDX-License-Identifier: BSD-3-Clause
// Chooses the technique for inputs, and adopts what has been read.
#include "app/viewer/document/document.h"

#include "app/core/error.h"
#include "app/techniques/choose.h"

#include <exception>

namespace fathom::viewer {

Document::Document(gpu::Context& gpu, const std::vector<TechniqueEntry>& available, Prepare prepare)
    : available_(available), prepare_(std::move(prepare)), gpu_(gpu), pictures_(gpu, active_) {}

void Document::open(const std::vector<std::string>& inputs) {
  if (inputs.empty()) return;
  std::vector<std::string> preferred{preferred_};
  if (active_) preferred.push_back(info().name);
  loader_.start(chooseTechnique(available_, inputs, preferred), inputs);
  preferred_.clear();
}

void Document::reload() {
  if (active_ && !technique()->inputs().empty()) open(technique()->inputs());
}

void Document::use(const TechniqueEntry& entry) {
  if (active_ && active_.entry() != &entry) loader_.start(entry, technique()->inputs());
}

void Document::adopt(Loader::Loaded loaded) {
  pictures_.keep();
  bool made = false;
  try {
    made = active_.adopt(*loaded.entry, loaded.names, std::move(loaded.inputs));
  } catch (const std::exception& e) {
    errors_.emplace_back(e.what());
    return;
  }
  if (made) {
    try {
      prepare_(info(), *technique());
    } catch (const Error& e) {
      errors_.emplace_back(e.what());
    }
  }
  choices_ = techniquesFor(available_, technique()->inputs());
  pictures_.inputsChanged();
  ++inputGeneration_;
}

bool Document::step() {
  const std::uint64_t before = inputGeneration_;
  if (auto loaded = loader_.take(errors_)) adopt(std::move(*loaded));
  if (!active_) return false;
  const bool changed = pictures_.step();
  if (auto error = pictures_.takeError()) errors_.push_back(std::move(*error));
  return changed || inputGeneration_ != before;
}

bool Document::backgroundStep() {
  Background* const background = active_.background();
  if (!background || backgroundFailedAt_ == pictures_.generation()) return false;
  try {
    return background->backgroundStep(gpu_, pictures_.sliceMs());
  } catch (const std::exception& e) {
    errors_.emplace_back(e.what());
    backgroundFailedAt_ = pictures_.generation();
    return false;
  }
}

}  // namespace fathom::viewer
