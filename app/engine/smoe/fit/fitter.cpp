// SPDX-License-Identifier: BSD-3-Clause
// The stages of a fit, and what can be read from it while it is in progress. A stage works in
// units: an iteration over one picture, a step of descent, a relocation.
#include "app/engine/smoe/fit/fitter.h"

#include "app/engine/core/random.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/io/deflate.h"
#include "app/engine/smoe/fit/adam.h"
#include "app/engine/smoe/fit/experts.h"
#include "app/engine/smoe/fit/mixture.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/fit/regions.h"
#include "app/engine/smoe/fit/relocate.h"

namespace fathom::smoe {
namespace {

// Of lists: EM and what is measured see all that matters. A step of descent may leave out weights
// of 3e-4: each then costs a quarter less, and more steps gain more than exact ones. While a
// picture is far from its source, 2.5e-3 do no harm either, and save a sixth more.
constexpr double kTauEm = 12, kTau = 11, kTauDescent = 8, kTauCoarse = 6;
constexpr double kCoarsePsnr = 37;  // dB, up to which a picture is far from its source
constexpr int kListAge = 20;        // steps that lists serve
constexpr int kViewListAge = 40;    // the same where steps are half as long
constexpr int kEmListAge = 4;       // iterations, for views
constexpr int kPicturesPerStep = 6;
constexpr std::size_t kPicturesMeasured = 12;  // by relocation and for most points of the curve
constexpr int kCurveSteps = 10;
// Steps from snapshot to snapshot. Lists are made anew there, in every fit, so that one that is
// continued has the same.
constexpr int kSnapshotSteps = kListAge, kViewSnapshotSteps = 200;
constexpr double kMaxMoved = 0.05;  // of the components, per relocation
constexpr double kMaxAdded = 0.1;   // of the components, per round, unless rounds are too few

enum class Stage { Em, Refit, Adam, Done };

std::uint32_t checksumOf(const TrainingSet& training) {
  std::vector<std::uint32_t> sums;
  for (const Image& picture : training.pictures)
    sums.push_back(crc32(std::as_bytes(std::span(picture.pixels))));
  for (const std::size_t i : training.heldOut) sums.push_back(std::uint32_t(i));
  return crc32(std::as_bytes(std::span(sums)));
}

/// Only differences between weights matter; the file format bounds them around their middle.
void centerWeights(std::vector<Component>& components) {
  if (components.empty()) return;
  const float middle = medianC(components);
  for (Component& c : components) c.c -= middle;
}

struct FitClock {
  double before = 0;    // s spent in earlier calls of step()
  Stopwatch sinceStep;  // since the current call began
  double elapsed() const { return before + sinceStep.seconds(); }
};

/// What a decode of some regions is worth.
struct Errors {
  double squares = 0, values = 0;  // over the channels
  double ssim = 0, windows = 0;
  /// After FitPasses::decode(), and structure() where SSIM has a share.
  void add(const FitPasses& passes, const FitRegion& region, float structure) {
    squares += passes.squaredError();
    values += 3.0 * region.box().count();
    if (structure <= 0) return;
    ssim += passes.structureSum(region);
    windows += structureWindows(region);
  }
  double psnr() const { return decibels(squares / values); }
  /// Decibels of the loss, which is what descent lowers.
  double score(float structure) const {
    if (structure <= 0) return psnr();
    const double share = double(structure);
    return decibels((1 - share) * squares / values + share * kStructure * (1 - ssim / windows));
  }
};

struct BestMet {
  std::vector<Component> components;
  double psnr = 0, score = 0;
};

struct Snapshots {
  std::optional<FitSnapshot> newest;
  std::optional<std::uint32_t> pictureSum;  // once it is needed
};

}  // namespace

struct Fitter::State : FitState {
  State(gpu::Context& context, SharedTraining set, const FitRequest& wanted)
      : FitState{wanted},
        gpu(context),
        frame(emptyModel(*set)),
        areas(context, std::move(set)),
        random(wanted.seed),
        schedule(wanted.steps, frame.dims > 2, wanted.relocate) {
    if (wanted.structure > 0 && std::min(frame.width, frame.height) < kStructureWindow)
      fail("{}: expected an image of at least {} x {} pixels for a fit by SSIM, found {} x {}",
           frame.source, kStructureWindow, kStructureWindow, frame.width, frame.height);
  }

  gpu::Context& gpu;
  Model frame;  // without components
  FitAreas areas;
  Random random;
  FitSchedule schedule;
  Stage stage = Stage::Em;
  std::size_t nextPicture = 0;  // of the EM iteration under way
  FitClock clock;

  std::unique_ptr<FitPasses> passes;
  std::unique_ptr<FitEm> em;
  std::unique_ptr<ExpertSolver> refit;
  std::unique_ptr<FitAdam> adam;
  std::vector<Component> settled;  // what the model is while the refit tries others
  Errors watched;                  // since the last point of the curve
  BestMet best;                    // in descent, its start included
  double measuredPsnr = 0;         // by the last measure()
  gpu::Texture errorPicture;
  Snapshots snapshots;

  void start();
  void adopt(std::vector<Component> components);
  void unit();
  void emUnit();
  void refitUnit();
  void adamUnit();
  void enter(Stage next);
  void report(Progress& progress);
  enum class Which { Some, All };
  Errors errorsNow(Which which);
  void remember(std::vector<Component> components, const Errors& errors) {
    best = {std::move(components), errors.psnr(), errors.score(request.structure)};
  }
  std::vector<std::size_t> pictures(Which which) const;
  void addPoint(const std::string& name, double psnr);
  std::vector<std::size_t> picturesOfStep();
  std::vector<ComponentWorth> measure();
  void relocateWorst();
  void grow();
  void adoptGrown(std::vector<Component> components, std::size_t before,
                  const std::vector<std::uint32_t>& changed);
  void finishDescent();
  void takeSnapshot(FitSnapshot::Stage at);
  void restore(const FitSnapshot& from);
  Model shown(std::vector<Component> components, double psnr) const;
  double descentTau() const {
    return frame.dims == 2 && best.psnr < kCoarsePsnr ? kTauCoarse : kTauDescent;
  }
  /// How much of the descent is over, 0 .. 1, by steps or by time.
  double partDone() const;
};

void Fitter::State::start() {
  std::vector<Gaussian> mixture = startMixture(areas.training(), request.components);
  passes =
      std::make_unique<FitPasses>(gpu, mixture.size(), frame.leading(), frame.centerFractionBits);
  em = std::make_unique<FitEm>(*passes, frame, std::move(mixture));
  settled = em->components();
  addPoint("start", errorsNow(Which::Some).psnr());
}

void Fitter::State::adopt(std::vector<Component> components) {
  passes = std::make_unique<FitPasses>(gpu, components.size(), frame.leading(),
                                       frame.centerFractionBits);
  passes->upload(components);
  settled = std::move(components);
  adam.reset();
  areas.invalidate();
}

void Fitter::State::addPoint(const std::string& name, double psnr) {
  curve.push_back({iteration, clock.elapsed(), psnr, name});
}

/// All pictures, or an even selection that is small enough not to hold up the fit.
std::vector<std::size_t> Fitter::State::pictures(Which which) const {
  const std::size_t count = areas.pictureCount();
  const std::size_t taken = which == Which::All ? count : std::min(count, kPicturesMeasured);
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < taken; ++k) result.push_back((2 * k + 1) * count / (2 * taken));
  return result;
}

Errors Fitter::State::errorsNow(Which which) {
  areas.invalidate();
  Errors errors;
  const bool structured = request.structure > 0;
  for (const std::size_t i : pictures(which))
    for (const FitRegion* region : areas.of(i, *passes, kTau, 1)) {
      passes->decode(*region, structured ? FitPasses::Keep::Colors : FitPasses::Keep::Products);
      if (structured) passes->structure(*region, double(request.structure));
      errors.add(*passes, *region, request.structure);
    }
  return errors;
}

void Fitter::State::enter(Stage next) {
  if (stage == Stage::Em) em.reset();
  if (stage == Stage::Refit) refit.reset();
  if (next == Stage::Refit && (frame.dims > 2 || request.refitIterations <= 0)) next = Stage::Adam;
  if (next == Stage::Adam && schedule.steps() <= 0) next = Stage::Done;
  stage = next;
  stageIteration = 0;
  settled = passes->download();
  areas.invalidate();
  if (stage == Stage::Refit)
    refit = std::make_unique<ExpertSolver>(*passes, areas.of(0, *passes, kTau, 1), settled);
  if (stage == Stage::Adam) {
    adam = std::make_unique<FitAdam>(*passes, areas.training().size, double(request.structure));
    watched = {};
    descentBegan = clock.elapsed();
    remember(settled, errorsNow(Which::All));
    areas.invalidate();
  }
}

/// Reports how far the stage has come; each stage begins a phase of its own.
void Fitter::State::report(Progress& progress) {
  std::string phase = "fitting: start";
  double total = 1, made = 0;
  if (passes && stage == Stage::Em) {
    phase = "fitting: mixture";
    total = double(request.emIterations) * double(areas.pictureCount());
    made = double(stageIteration) * double(areas.pictureCount()) + double(nextPicture);
  } else if (stage == Stage::Refit) {
    phase = "fitting: experts";
    total = request.refitIterations, made = stageIteration;
  } else if (stage == Stage::Adam) {
    phase = "fitting: descent";
    total = schedule.steps(), made = std::min(1.0, partDone()) * total;
  }
  if (progress.phase() != phase || progress.total() != total) progress.begin(phase, total);
  progress.advance(made - progress.done());
}

void Fitter::State::unit() {
  if (!passes) return start();
  switch (stage) {
    case Stage::Em:
      return emUnit();
    case Stage::Refit:
      return refitUnit();
    case Stage::Adam:
      return adamUnit();
    case Stage::Done:
      return;
  }
}

void Fitter::State::emUnit() {
  if (nextPicture == 0 && stageIteration % kEmListAge == 0)
    takeSnapshot(FitSnapshot::Stage::Mixture);
  if (stageIteration >= request.emIterations) {
    addPoint("em", errorsNow(Which::Some).psnr());
    return enter(Stage::Refit);
  }
  if (nextPicture == 0) {
    em->begin();
    if (frame.dims == 2 || stageIteration % kEmListAge == 0) areas.invalidate();
  }
  for (const FitRegion* region :
       areas.of(nextPicture, *passes, kTauEm, std::numeric_limits<int>::max()))
    em->add(*region);
  if (++nextPicture < areas.pictureCount()) return;
  nextPicture = 0;
  em->finish();
  ++iteration;
  // The window and the curve see where this iteration led.
  if (++stageIteration == request.emIterations) em->begin();
}

void Fitter::State::refitUnit() {
  const bool more = stageIteration < request.refitIterations && refit->step();
  ++iteration, ++stageIteration;
  if (more) return;
  settled = refit->finish();
  addPoint("refit", errorsNow(Which::All).psnr());
  enter(Stage::Adam);
}

/// All of an image or of few pictures; else some of them, drawn without repetition.
std::vector<std::size_t> Fitter::State::picturesOfStep() {
  std::vector<std::size_t> all(areas.pictureCount());
  std::iota(all.begin(), all.end(), std::size_t(0));
  const std::size_t count = std::min<std::size_t>(all.size(), kPicturesPerStep);
  for (std::size_t i = 0; i < count && count < all.size(); ++i)
    ++draws, std::swap(all[i], all[i + random.below(std::uint32_t(all.size() - i))]);
  all.resize(count);
  return all;
}

double Fitter::State::partDone() const {
  const double bySteps = double(stageIteration) / std::max(1, schedule.steps());
  if (request.maxSeconds <= 0) return bySteps;
  const double left = std::max(request.maxSeconds - descentBegan, 1e-3);
  return std::max(bySteps, (clock.elapsed() - descentBegan) / left);
}

void Fitter::State::adamUnit() {
  const double part = partDone();
  if (part >= 1) return finishDescent();
  if (stageIteration % (frame.dims > 2 ? kViewSnapshotSteps : kSnapshotSteps) == 0) {
    areas.invalidate();
    takeSnapshot(FitSnapshot::Stage::Descent);
  }
  // Lists may be a few steps old.
  const std::vector<std::size_t> pictures = picturesOfStep();
  const int age = frame.dims > 2 ? kViewListAge : kListAge;
  // The gradient over all regions of these pictures, then one step against it.
  const bool measured = (stageIteration + 1) % kCurveSteps == 0;
  for (const std::size_t i : pictures)
    for (const FitRegion* region : areas.of(i, *passes, descentTau(), age)) {
      adam->add(*region);
      if (measured) watched.add(*passes, *region, request.structure);
    }
  // Of the records as they are, over the whole picture.
  if (measured && frame.dims == 2 && watched.score(request.structure) > best.score)
    remember(passes->download(), watched);
  if (stageIteration % kListAge == 0) adam->measure();
  adam->step(schedule.pace(part, best.psnr, hasRoom(frame, passes->componentCount())));
  areas.grow();
  ++iteration, ++stageIteration;
  if (measured) {
    addPoint("adam", watched.psnr());
    watched = {};
  }
  if (!schedule.relocatesAfter(stageIteration, part)) return;
  growing > 0 ? grow() : relocateWorst();
}

/// More steps never end below fewer: where descent went astray, the best that it met is the result.
void Fitter::State::finishDescent() {
  const Errors last = errorsNow(Which::All);
  addPoint("adam", last.psnr());
  if (best.score > last.score(request.structure)) {
    passes->upload(best.components);
    addPoint("best", errorsNow(Which::All).psnr());
  }
  best.components.clear();
  enter(Stage::Done);
}

std::vector<ComponentWorth> Fitter::State::measure() {
  std::vector<ComponentWorth> worth;
  areas.invalidate();
  double error = 0;
  const std::vector<std::size_t> seen = pictures(Which::Some);
  for (const std::size_t i : seen)
    for (const FitRegion* region : areas.of(i, *passes, kTau, 1)) {
      passes->decode(*region, FitPasses::Keep::Colors);
      error += passes->squaredError();
      passes->measure(*region);
      addWorth(*passes, worth);
    }
  measuredPsnr = decibels(error / (3 * areas.pixelsPerPicture() * double(seen.size())));
  return worth;
}

void Fitter::State::relocateWorst() {
  const std::vector<ComponentWorth> worth = measure();
  std::vector<Component> components = passes->download();
  const auto maxMoved = std::size_t(kMaxMoved * double(components.size()));
  const std::vector<std::uint32_t> changed = relocate(components, frame, worth, maxMoved);
  passes->upload(components);
  adam->forget(changed);
  addPoint("relocate", measuredPsnr);  // before they moved: measuring again would cost two steps
  areas.invalidate();
}

/// Relocates, then adds the next share of the components; Adam remembers what it knew of the
/// others.
void Fitter::State::grow() {
  std::vector<Component> components = passes->download();
  std::vector<ComponentWorth> worth = measure();
  const std::size_t before = components.size();
  const auto maxMoved = std::size_t(kMaxMoved * double(before));
  std::vector<std::uint32_t> changed = relocate(components, frame, worth, maxMoved);
  for (const std::uint32_t j : changed) worth[j].blame = 0;
  const std::vector<std::uint32_t> divided =
      splitWorst(components, frame, worth, std::size_t(std::min(growing, addedPerRound)));
  changed.insert(changed.end(), divided.begin(), divided.end());
  growing = components.size() == before ? 0 : growing - int(components.size() - before);
  adoptGrown(std::move(components), before, changed);
}

/// Adam remembers what it knew of those that did not change.
void Fitter::State::adoptGrown(std::vector<Component> components, std::size_t before,
                               const std::vector<std::uint32_t>& changed) {
  AdamState remembered = adam->state();
  const std::size_t perComponent = remembered.moments.size() / before;
  remembered.moments.resize(components.size() * perComponent, glm::vec4(0));
  adopt(std::move(components));
  adam = std::make_unique<FitAdam>(*passes, areas.training().size, double(request.structure));
  adam->restore(remembered);
  adam->forget(changed);
  remember(settled, errorsNow(Which::Some));
  addPoint("relocate", best.psnr);
  areas.invalidate();  // descent's lists are shorter
}

// ---- Snapshots

void Fitter::State::takeSnapshot(FitSnapshot::Stage at) {
  if (!request.snapshots) return;
  if (!snapshots.pictureSum) snapshots.pictureSum = checksumOf(areas.training());
  FitSnapshot& s = snapshots.newest.emplace();
  static_cast<FitState&>(s) = *this;
  s.stage = at;
  s.steps = schedule.steps(), s.rate = schedule.scale();
  s.seconds = clock.elapsed();
  s.pictures = *snapshots.pictureSum;
  s.device = gpu.device().renderer;
  if (at == FitSnapshot::Stage::Mixture) {
    s.mixture = em->mixture();
    s.model = shown(em->components(), curve.back().psnr);
    return;
  }
  s.components = passes->download();
  s.best = best.components, s.bestPsnr = best.psnr, s.bestScore = best.score;
  s.adam = adam->state();
  s.model = shown(best.components, best.psnr);
}

void Fitter::State::restore(const FitSnapshot& from) {
  frame.centerFractionBits = from.model.centerFractionBits;
  frame.fit = from.model.fit;
  static_cast<FitState&>(*this) = from;
  schedule = FitSchedule(from.steps, frame.dims > 2, request.relocate, from.rate);
  for (int i = 0; i < draws; ++i) random.next();
  clock.before = from.seconds;
  snapshots.pictureSum = from.pictures;
  if (from.stage == FitSnapshot::Stage::Mixture) {
    passes = std::make_unique<FitPasses>(gpu, from.mixture.size(), frame.leading(),
                                         frame.centerFractionBits);
    em = std::make_unique<FitEm>(*passes, frame, from.mixture);
    settled = em->components();
    return;
  }
  adopt(from.components);
  stage = Stage::Adam;
  adam = std::make_unique<FitAdam>(*passes, areas.training().size, double(request.structure));
  adam->restore(from.adam);
  best = {from.best, from.bestPsnr, from.bestScore};
}

// ---- What can be asked of a fit

Fitter::Fitter(gpu::Context& gpu, SharedTraining training, const FitSnapshot& from,
               double maxSeconds)
    : state_(std::make_unique<State>(gpu, std::move(training), from.request)) {
  State& s = *state_;
  if (checksumOf(s.areas.training()) != from.pictures)
    fail("{}: expected the images that the checkpoint was fitted to, found others", s.frame.source);
  s.restore(from);
  s.request.maxSeconds = maxSeconds > 0 ? from.seconds + maxSeconds : 0;
}

Fitter::Fitter(gpu::Context& gpu, SharedTraining training, const FitRequest& request)
    : state_(std::make_unique<State>(gpu, std::move(training), request)) {
  if (request.components < 1)
    fail("{}: expected at least one component, found {}", state_->frame.source, request.components);
}

Fitter::Fitter(gpu::Context& gpu, SharedTraining training, const FitRequest& request,
               const Model& from)
    : state_(std::make_unique<State>(gpu, std::move(training), request)) {
  State& s = *state_;
  if (from.dims != s.frame.dims || from.width != s.frame.width || from.height != s.frame.height)
    fail("{}: expected {} dimensions and {} x {} pixels as in the model, found {} and {} x {}",
         s.frame.source, from.dims, from.width, from.height, s.frame.dims, s.frame.width,
         s.frame.height);
  if (from.components.empty())
    fail("{}: expected components to continue from, found none", s.frame.source);
  s.frame.centerFractionBits = from.centerFractionBits;
  s.frame.fit = from.fit;
  s.adopt(from.components);
  s.addPoint("start", s.errorsNow(State::Which::All).psnr());
  s.enter(Stage::Adam);
}

Fitter::~Fitter() = default;

bool Fitter::step(double budgetMs, Progress& progress) {
  State& s = *state_;
  s.clock.sinceStep.restart();
  const double before = s.clock.before;
  try {
    while (!done() && (s.clock.elapsed() - before) * 1000 < budgetMs) {
      s.report(progress);
      s.unit();
    }
  } catch (...) {
    s.clock.before = s.clock.elapsed();
    throw;
  }
  s.clock.before = s.clock.elapsed();
  return done();
}

bool Fitter::done() const { return state_->stage == Stage::Done; }
int Fitter::iteration() const { return state_->iteration; }
const std::vector<FitPoint>& Fitter::curve() const { return state_->curve; }

Model Fitter::State::shown(std::vector<Component> components, double psnr) const {
  Model model = frame;
  model.components = std::move(components);
  centerWeights(model.components);
  model.psnr = psnr;
  if (iteration > 0)
    model.fit = fmt::format("{} components, seed {}, {} steps", model.components.size(),
                            request.seed, iteration);
  return isGray(model.colorSpace) ? asGray(std::move(model)) : model;
}

Model Fitter::model() const {
  const State& s = *state_;
  std::vector<Component> components;
  if (s.passes) components = s.stage == Stage::Refit ? s.settled : s.passes->download();
  return s.shown(std::move(components), s.curve.empty() ? 0 : s.curve.back().psnr);
}

const FitSnapshot* Fitter::snapshot() const {
  const std::optional<FitSnapshot>& newest = state_->snapshots.newest;
  return newest ? &*newest : nullptr;
}

const gpu::Texture& Fitter::errorMap() {
  State& s = *state_;
  if (!s.errorPicture)
    s.errorPicture = gpu::Texture(s.gpu, "fit error", gpu::TextureFormat::Rgba32f, s.frame.width,
                                  s.frame.height);
  if (!s.passes) {
    s.errorPicture.clear({0, 0, 0, 1});
    return s.errorPicture;
  }
  if (s.stage == Stage::Refit) s.passes->upload(s.settled);
  // Should descent go on with these lists, they are those that it would have made.
  const double tau = s.stage == Stage::Adam ? s.descentTau() : kTau;
  for (const FitRegion* region :
       s.areas.of(s.areas.middle(), *s.passes, tau, std::numeric_limits<int>::max())) {
    s.passes->decode(*region, FitPasses::Keep::Colors);
    s.passes->drawError(*region, s.errorPicture);
  }
  return s.errorPicture;
}

void Fitter::addComponents(int count, int moreSteps) {
  State& s = *state_;
  if (!s.passes) fail("{}: expected a fit that has begun, to add components to", s.frame.source);
  if (s.stage == Stage::Refit) s.passes->upload(s.settled);
  s.schedule = FitSchedule(moreSteps, s.frame.dims > 2, s.request.relocate);
  std::vector<Component> components = s.passes->download();
  // The last rounds are for what was added to settle and move.
  const int rounds = std::max(1, s.schedule.rounds() / 2);
  const int before = int(components.size());
  s.addedPerRound = std::max(int(kMaxAdded * before), (count + rounds - 1) / rounds);
  const int first = std::clamp(s.schedule.rounds() > 0 ? s.addedPerRound : count, 0, count);
  splitWorst(components, s.frame, s.measure(), std::size_t(first));
  s.growing = count - (int(components.size()) - before);
  s.em.reset(), s.refit.reset();
  s.adopt(std::move(components));
  s.enter(Stage::Adam);
}

void Fitter::trimTo(double psnr, int moreSteps) {
  State& s = *state_;
  const std::vector<Component> all = s.passes->download();
  const std::vector<std::uint32_t> cheap = cheapestFirst(s.measure());
  const auto without = [&](std::size_t count) {
    std::vector<Component> left = all;
    for (const std::uint32_t j : std::span(cheap).first(count)) left[j].c = -INFINITY;
    std::erase_if(left, [](const Component& c) { return c.c == -INFINITY; });
    s.adopt(std::move(left));
    return s.errorsNow(State::Which::Some).psnr();
  };
  std::size_t low = 0, high = all.size();  // may go, may not
  while (high - low > std::max<std::size_t>(1, all.size() / 256)) {
    const std::size_t middle = (low + high) / 2;
    (without(middle) >= psnr ? low : high) = middle;
  }
  without(low);
  s.addPoint("trim", s.errorsNow(State::Which::All).psnr());
  s.schedule = FitSchedule(moreSteps, s.frame.dims > 2, s.request.relocate, 0.5);
  s.enter(Stage::Adam);
}

void Fitter::continueFor(int moreSteps) {
  State& s = *state_;
  if (s.stage != Stage::Done) {
    s.schedule = FitSchedule(s.schedule.steps() + moreSteps, s.frame.dims > 2, s.request.relocate);
    return;
  }
  s.schedule = FitSchedule(moreSteps, s.frame.dims > 2, s.request.relocate, 0.5);
  s.enter(Stage::Adam);
}

}  // namespace fathom::smoe
