// SPDX-License-Identifier: BSD-3-Clause
// One step: find out what changed, decide between preview and full resolution, and run one slice of
// the engine.
#include "app/window/document/picture_maker.h"

#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/compiler.h"
#include "app/engine/gpu/context.h"

namespace fathom::viewer {

PictureMaker::PictureMaker(gpu::Context& gpu, ActiveTechnique& active)
    : gpu_(gpu),
      active_(active),
      compilesBeside_(!gpu.device().software),
      previews_(gpu),
      slices_(gpu) {}

// ---- What changed

void PictureMaker::cameraMoved() {
  ++viewGeneration_;
  previews_.resolution().moved(Clock::now());
}

void PictureMaker::inputsChanged() {
  restart();
  if (!active_.parts().animated()) timed_.reset();  // what plays changes inputs itself
  opening_ = true;
  // A scene starts with a preview.
  if (active_.hasCamera()) previews_.resolution().moved(Clock::now());
}

bool PictureMaker::stale() const {
  Engine* const engine = active_.engine();
  if (!engine) return false;
  if (b_ && b_->own) {
    if (stateOf(*engine) != b_->own) return true;
    const ScopedState b(*engine, b_->state);
    return engine->stale();
  }
  if (const EngineState* const begunWith = previews_.state()) {
    const ScopedState preview(*engine, *begunWith);
    return engine->stale();
  }
  return engine->stale() && !(refused_ && stateOf(*engine) == *refused_);
}

/// True when a new picture is to be begun.
bool PictureMaker::takeRequests() {
  Engine& engine = *active_.engine();
  const bool follows = active_.hasCamera();
  const glm::ivec2 full = glm::max(viewSize_, glm::ivec2(1));
  const bool resized = renderedFor_ != full;
  if (!follows && resized) {
    // What is no scene may still be made for the room there is.
    renderedFor_ = full;
    b_ ? endB("the window was resized") : abandon();
    engine.setSize(full.x, full.y);
  }
  active_.parts().advance();
  const bool changed =
      requested_ != Request::None || stale() || (follows && resized && !previews_.making());
  // One edit is often the first of many: a slider or a border is being dragged.
  if (changed && follows && generation_ > 0 && requested_ != Request::RestartInFull)
    previews_.resolution().moved(Clock::now());
  return changed;
}

// ---- Rendering

bool PictureMaker::step() {
  const std::uint64_t before = generation_;
  previews_.collect();
  const bool changed = takeRequests();
  if (b_ && !changed && !rendering()) {
    stepB();
    return false;
  }
  if (slices_.hasBackground() && !changed && !rendering() && !previews_.resolution().restAt()) {
    stepBackground();
    return false;
  }
  if (b_ && changed) endB("something has changed");  // the user's own picture comes first
  const bool follows = active_.hasCamera();
  const bool preview = follows && previews_.resolution().moving(Clock::now());
  const bool rested = previews_.resolution().restAt() && !preview && !previews_.making() &&
                      !(opening_ && rendering());
  if (changed) {
    begin(preview);
  } else if (rested) {
    // The last preview may have been at full resolution already.
    if (follows && previews_.resolution().scale() < 1.0)
      begin(false);
    else
      previews_.resolution().rest();
  } else if (rendering()) {
    run(state_ == State::Compiling);
  }
  const bool made = generation_ != before;
  if (made && state_ == State::Complete) kept_ = {}, holding_ = false;
  return made;
}

void PictureMaker::abandon() {
  slices_.abandon(), previews_.giveUp();
  gpu_.timings().endFrame();  // so that no pause before the next picture counts
}

/// Times of other settings, inputs or techniques are no history of these.
void PictureMaker::timesOf(std::vector<FieldValue> values) {
  if (timed_ && active_.parts().animated()) return;
  if (timed_ != values) gpu_.timings().clear(), ++timesGeneration_;
  timed_ = std::move(values);
}

/// The first slice of a new picture. Previews have no budget, since their resolution follows from
/// the time that a whole one takes: they are left only where slices end in the middle of passes.
/// But the first of new inputs also has to bring these in.
void PictureMaker::begin(bool preview) {
  Engine& engine = *active_.engine();
  const bool follows = engine.camera() != nullptr;
  const glm::ivec2 full = glm::max(viewSize_, glm::ivec2(1));
  glm::ivec2 size = full;
  if (follows && preview)
    size =
        glm::max(glm::ivec2(glm::dvec2(full) * previews_.resolution().next() + 0.5), glm::ivec2(1));
  else
    previews_.resolution().rest();
  abandon();
  const bool whole = follows && preview && !opening_;
  if (!preview && !holding_) keep();
  if (whole && gpu_.device().software && state_ != State::Failed) keepShown();
  if (std::exchange(requested_, Request::None) != Request::None) engine.restart();
  engine.setSize(size.x, size.y);
  if (std::exchange(renderedFor_, full) != full) timed_.reset();
  if (whole) previews_.begin(engine);
  run(true);
  if (follows && !previews_.making()) setSize(full);
}

/// One slice; `first`: of a picture.
void PictureMaker::run(bool first) {
  Engine& engine = *active_.engine();
  const Stopwatch watch;
  if (state_ == State::Compiling) gpu_.timings().compileMs += sinceCompiling_.ms();
  // Each slice asks: what was begun while it played, with settings that have no times yet, may end
  // when it no longer plays.
  const auto ownTimes = [&] { timesOf(valuesOf(engine.settings())); };
  if (!suspended()) ownTimes();
  // All slices of a picture are one frame of the timings, unless each is shown.
  const bool refines = engine.frame().refines;
  if (!suspended() && (first || refines)) gpu_.timings().beginFrame();
  try {
    std::optional<gpu::Context::CompilesBeside> beside;
    if (compilesBeside_) beside.emplace(gpu_);
    const bool partial = slices_.step(engine, previews_.state()).partial;
    state_ = partial ? State::Rendering : State::Complete;
    refused_.reset();
  } catch (const gpu::Compiling&) {
    state_ = State::Compiling;  // the old picture stays
    sinceCompiling_.restart();
    return;
  } catch (const std::exception& e) {
    error_ = e.what();
    state_ = State::Failed;
    requested_ = Request::None;
    if (engine.stale()) refused_ = stateOf(engine);
  }
  previews_.spent(watch.ms());
  if (suspended()) return;
  ownTimes();
  if (!rendering()) opening_ = false;
  if (previews_.making()) {
    setSize(renderedFor_);
    previews_.finish(state_ == State::Complete, engine.frame().size);
  }
  if (!rendering() || refines) gpu_.timings().endFrame();
  ++generation_, wholeOnes_ += state_ == State::Complete;
  if (!engine.camera()) setSize(engine.frame().size);
}

void PictureMaker::setSize(glm::ivec2 size) {
  if (size != size_) ++viewGeneration_;
  size_ = size;
}

bool PictureMaker::busy() const {
  return rendering() || requested_ != Request::None || b_ || slices_.hasBackground() ||
         previews_.resolution().restAt() || stale();
}

std::optional<Clock::time_point> PictureMaker::dueAt() const {
  if (rendering() || requested_ != Request::None || b_ || slices_.hasBackground() || stale())
    return Clock::now();
  const Playing* const playing = active_.parts().playing;
  const auto due = playing ? playing->dueAt() : std::nullopt;
  const auto rest = previews_.resolution().restAt();
  return due && rest ? std::min(due, rest) : due ? due : rest;
}

// ---- What is shown

void PictureMaker::keep() {
  if (!active_ || state_ != State::Complete || generation_ == 0) return;
  const Frame frame = active_.engine()->frame();
  if (frame.refines || !frame.picture) return;  // partial pictures are shown instead
  kept_ = {};
  keepShown();
}

/// Keeps the picture, also a partial one, unless one is kept already.
void PictureMaker::keepShown() {
  const gpu::Texture* const shown = active_.engine()->frame().picture;
  if (!kept_ && shown) kept_ = gpu::copyOf(gpu_, "picture kept", *shown);
}

const gpu::Texture* PictureMaker::picture() const {
  if (!active_) return nullptr;
  if (holding_ && kept_) return &kept_;
  const Frame frame = active_.engine()->frame();
  // A partial picture of another size would jump; the kept one stays until the new one is complete.
  const bool making = previews_.making() || (rendering() && !frame.refines);
  const bool failed = state_ == State::Failed;
  if (kept_ && (failed || making)) return &kept_;
  return generation_ > 0 && (!failed || frame.refines) ? frame.picture : nullptr;
}

bool PictureMaker::refines() const { return active_ && active_.engine()->frame().refines; }

// ---- Besides the picture

void PictureMaker::renderB(std::vector<FieldValue> values, glm::ivec2 size,
                           std::function<void(PictureB)> done) {
  FATHOM_CHECK(active_.engine() != nullptr);
  if (b_) endB("another image is made in its place");
  b_ = TaskB{{std::move(values), {}}, size, std::move(done)};
}

void PictureMaker::endB(const std::string& why) {
  if (!b_) return;
  abandon();
  holding_ = false;
  const TaskB ended = std::move(*std::exchange(b_, std::nullopt));
  if (ended.own) restartInFull();  // the engine has another size
  PictureB none;
  none.error = why, none.ended = true;
  ended.done(std::move(none));
}

/// One slice. The other settings are the engine's only while it works on their picture.
void PictureMaker::stepB() {
  Engine& engine = *active_.engine();
  const bool first = !b_->own;
  if (first) {
    keepShown();
    holding_ = true;
    timesOf(b_->state.values);
    gpu_.timings().beginFrame();
    b_->own = stateOf(engine);
    b_->state.camera = b_->own->camera;
    if (b_->size.x > 0) engine.setSize(b_->size.x, b_->size.y);
  }
  bool done = true;
  PictureB made;
  try {
    const ScopedState b(engine, b_->state);
    if (first) engine.restart();
    const Frame frame = slices_.step(engine);
    done = !frame.partial;
    if (done && frame.picture) made.picture = gpu::copyOf(gpu_, "image B", *frame.picture);
  } catch (const std::exception& e) {
    made.error = e.what();
  }
  if (!done) return;
  gpu_.timings().endFrame();
  gpu_.timings().finish();
  made.gpuMs = gpu_.timings().gpuSumMs();
  const TaskB ended = std::move(*std::exchange(b_, std::nullopt));
  restartInFull();
  ended.done(std::move(made));
}

void PictureMaker::stepBackground() {
  const gpu::Timings::Pause notThePicture(gpu_.timings());
  try {
    slices_.stepBackground();
  } catch (const std::exception& e) {
    error_ = e.what();
  }
}

// ---- Previews: resolutions by measured times, which do not stall the GPU

constexpr std::chrono::milliseconds kPause{150};
constexpr double kFixedShare =
    0.5;  // share of the time that is independent of the pixels, until measured
constexpr double kGain = 0.88;  // a coarser picture must take less than this share of the time
constexpr int kRetry = 12;      // pictures until the next step up is tried again

void Resolution::moved(Time now) { restAt_ = now + kPause; }

double Resolution::next() {
  previewStep_ = step_;
  scale_ = kScales[step_];
  return scale_;
}

void Resolution::measured(std::size_t step, double ms) {
  double& here = ms_[step];
  here = here == 0 ? ms : here * 0.5 + ms * 0.5;
  if (step != step_) return;                   // begun before the step changed
  if (++stayed_ >= kRetry && step_ < kFull) {  // rendering may have become cheaper
    ms_[step_ + 1] = 0;
    stayed_ = 0;
  }
  // Some of the work grows with the pixels and some does not (drawing triangles), so what a step
  // saves is measured, not assumed.
  const std::size_t before = step_;
  double above = std::numeric_limits<double>::infinity();
  bool wasted = false;  // the coarser picture saved nothing
  if (step_ < kFull) {
    const double growth = std::pow(kScales[step_ + 1] / kScales[step_], 2);
    const double known = ms_[step_ + 1];
    above = known != 0 ? known : here * (kFixedShare + (1 - kFixedShare) * growth);
    wasted = known != 0 && here >= known * kGain;
  }
  if (wasted || above <= maxMs_) {
    ++step_;
  } else if (here > maxMs_ && step_ > 0) {
    const double below = ms_[step_ - 1];
    if (below == 0 || below < here * kGain) --step_;
  }
  if (step_ != before) stayed_ = 0;
}

Previews::Previews(gpu::Context& gpu)
    : gpu_(gpu), resolution_(gpu.device().software), timer_(gpu) {}

void Previews::begin(Engine& engine) {
  made_ = Preview{stateOf(engine), gpu::workCounts().compiles};
  timer_.begin();
}

void Previews::spent(double ms) {
  if (made_) made_->ms += ms;
}

void Previews::finish(bool whole, glm::ivec2 size) {
  const Preview made = *std::exchange(made_, std::nullopt);
  const bool known = whole && gpu::workCounts().compiles == made.compiles;
  const std::size_t step = resolution_.step();
  constexpr double kNotMeasured = -1;
  if (!gpu_.device().software) return timer_.end(known ? double(step) : kNotMeasured);
  const Stopwatch wait;
  gpu_.finish();
  const double ms = made.ms + wait.ms();
  log::info("preview: {} x {}, {:.0f} ms", size.x, size.y, ms);
  if (known) resolution_.measured(step, ms);
}

void Previews::collect() {
  if (gpu_.device().software) return;
  while (const auto finished = timer_.take()) {
    if (finished->work < 0) continue;
    log::info("preview: step {:.0f}, {:.0f} ms", finished->work, finished->ms);
    resolution_.measured(std::size_t(finished->work), finished->ms);
  }
}

}  // namespace fathom::viewer
