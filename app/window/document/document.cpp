// SPDX-License-Identifier: BSD-3-Clause
// Reads inputs, chooses the technique for them, and adopts what has been read.
#include "app/window/document/document.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"

namespace fathom::viewer {
void Loader::start(const TechniqueEntry& entry, const std::vector<std::string>& inputs) {
  cancel();
  auto progress = std::make_shared<Progress>();
  progress->answerQuestions();
  progress_ = progress;
  inputs_ = inputs;
  jobs_.submit(
      [this, &entry, progress, inputs]() -> JobQueue::Delivery {
        progress->throwIfCancelled();
        // std::function must be copyable, but inputs can only be moved.
        auto loaded =
            std::make_shared<std::unique_ptr<LoadedInputs>>(entry.read(inputs, *progress));
        progress->throwIfCancelled();
        return [this, &entry, progress, inputs, loaded] {
          if (progress == progress_) progress_.reset();
          if (!progress->cancelled()) done_ = Loaded{&entry, inputs, std::move(*loaded)};
        };
      },
      [this, progress](std::exception_ptr error) {
        if (progress == progress_) progress_.reset();
        if (!progress->cancelled()) failures_.push_back(messageOf(error));
      });
}

void Loader::cancel() {
  if (progress_) progress_->cancel();
  progress_.reset();
}

std::optional<Loader::Loaded> Loader::take(std::vector<std::string>& errors) {
  jobs_.deliver();
  for (std::string& failure : std::exchange(failures_, {})) errors.push_back(std::move(failure));
  return std::exchange(done_, std::nullopt);
}

static thread_local std::vector<std::string>* warned = nullptr;  // while inputs are adopted

Document::Document(gpu::Context& gpu, const std::vector<TechniqueEntry>& available, Prepare prepare)
    : available_(available), prepare_(std::move(prepare)), gpu_(gpu), pictures_(gpu, active_) {
  log::setSink([](const std::string& warning) {
    log::line(log::Level::Normal, "fathom: warning: " + warning);
    if (warned) warned->push_back(warning);
  });
}

void Document::open(const std::vector<std::string>& inputs) {
  if (inputs.empty()) return;
  firstError_.clear();
  std::vector<std::string> preferred{preferred_};
  if (active_) preferred.push_back(info().name);
  const TechniqueEntry& chosen = chooseTechnique(available_, inputs, preferred);
  untried_ = techniquesFor(available_, inputs);
  std::erase(untried_, &chosen);
  loader_.start(chosen, inputs);
  for (const TechniqueEntry& wanted : available_)
    if (wanted.info.name == preferred_ && &wanted != &chosen)
      notes_.push_back(wanted.info.title + " cannot show these files; opened with " +
                       chosen.info.title);
  preferred_.clear();
}

bool Document::tryNext() {
  if (untried_.empty() || errors_.empty()) return false;
  const TechniqueEntry& next = *untried_.front();
  untried_.erase(untried_.begin());
  // What one technique refuses, another may show; what none can read is told by the first.
  if (firstError_.empty()) firstError_ = errors_.back();
  errors_.pop_back();
  loader_.start(next, loader_.inputs());
  return true;
}

void Document::reload() {
  if (active_ && !technique()->inputs().empty()) open(technique()->inputs());
}

void Document::use(const TechniqueEntry& entry) {
  if (!active_ || active_.entry() == &entry) return;
  untried_.clear();
  firstError_.clear();
  loader_.start(entry, technique()->inputs());
}

template <class Do>
void Document::noteErrors(Do&& action) {
  try {
    action();
  } catch (const Error& e) {
    errors_.emplace_back(e.what());
  }
}

void Document::adopt(Loader::Loaded loaded) {
  if (!firstError_.empty())
    notes_.push_back("Opened with " + loaded.entry->info.title + ": " +
                     std::exchange(firstError_, {}));
  if (active_ && leave_) noteErrors(leave_);
  pictures_.keep();
  pictures_.abandon();
  bool made = false;
  std::vector<std::string> warnings;
  warned = &warnings;
  try {
    made = active_.adopt(*loaded.entry, loaded.names, std::move(loaded.inputs));
  } catch (const std::exception& e) {
    warned = nullptr;
    errors_.emplace_back(e.what());
    return;
  }
  warned = nullptr;
  if (active_.hasCamera()) std::ranges::copy(warnings, std::back_inserter(notes_));
  if (made) noteErrors([&] { prepare_(info(), *technique()); });
  if (adopted_) noteErrors([&] { adopted_(made); });
  choices_ = techniquesFor(available_, technique()->inputs());
  pictures_.inputsChanged();
  ++inputGeneration_;
}

bool Document::step() {
  const std::uint64_t before = inputGeneration_;
  const std::size_t errors = errors_.size();
  if (auto loaded = loader_.take(errors_))
    adopt(std::move(*loaded));
  else if (errors_.size() > errors && !tryNext() && !firstError_.empty())
    errors_.back() = std::exchange(firstError_, {});
  if (!active_) return false;
  const bool changed = pictures_.step();
  const int shown = active_.hasCamera() ? pictures_.size().x : 0;
  active_.parts().previewScale = shown > 0 ? double(technique()->frame().size.x) / shown : 1;
  if (auto error = pictures_.takeError()) errors_.push_back(std::move(*error));
  return changed || inputGeneration_ != before;
}

bool Document::backgroundStep() {
  Background* const background = active_.parts().background;
  if (!background || pictures_.suspended() || backgroundFailedAt_ == pictures_.generation())
    return false;
  try {
    return background->backgroundStep(gpu_, pictures_.sliceMs());
  } catch (const std::exception& e) {
    errors_.emplace_back(e.what());
    backgroundFailedAt_ = pictures_.generation();
    return false;
  }
}

}  // namespace fathom::viewer
