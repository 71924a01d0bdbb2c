// SPDX-License-Identifier: BSD-3-Clause
// What files of genomes become; what becomes current when they are adopted, settings change or the
// playhead moves, and which picture is shown of it.
#include "app/engine/flame/engine.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/flame/cuburn/animation.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/engine/flame/motion/exposure.h"
#include "app/engine/flame/render/reference.h"
#include "app/engine/gpu/compiler.h"
#include "app/engine/gpu/memory_account.h"
#include "app/engine/gpu/slices.h"

namespace fathom::flame {

bool accepts(const std::vector<std::string>& inputs) {
  return !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [](const std::string& input) {
    return looksLikeGenomes(input) || cuburn::looksLikeDocument(input) || isPaletteFile(input);
  });
}

std::unique_ptr<LoadedGenomes> readInputs(const std::vector<std::string>& inputs,
                                          const GenomeReadOptions& options, Progress& progress) {
  if (inputs.empty()) throw UsageError("flame: expected a genome file, found no input");
  auto loaded = std::make_unique<LoadedGenomes>();
  for (const std::string& input : inputs) {
    if (isPaletteFile(input)) {
      loaded->palette = readPalette(input);
      continue;
    }
    loaded->names.push_back(input);
    GenomeFile file;
    const bool isJson = fs::path(input).extension() == ".json";
    if (isJson || cuburn::looksLikeDocument(input)) {
      loaded->film = readCuburn(input, options.filmProfile, options.size);
      file = {{loaded->film->still()}, loaded->film->film().warnings};
      file.genomes.front().dialect = Dialect::Cuburn;
      if (loaded->film->moves()) loaded->motion = loaded->film;
    } else {
      file = readGenomes(input, options.seed, options.flame);
      if (file.frames > 1) {
        loaded->motion = curveFilm(input, file, options.seed, options.size);
        loaded->time = file.frame;
      }
    }
    std::move(file.genomes.begin(), file.genomes.end(), std::back_inserter(loaded->genomes));
    std::move(file.warnings.begin(), file.warnings.end(), std::back_inserter(loaded->warnings));
    progress.throwIfCancelled();
  }
  if (loaded->names.empty()) loaded->names = inputs;  // a palette alone
  if (loaded->names.size() > 1) loaded->film.reset(), loaded->motion.reset();
  if (options.size.x > 0 && !loaded->motion)
    for (Genome& genome : loaded->genomes) genome = framed(genome, options.size);
  return loaded;
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  return readInputs(inputs, {}, progress);
}

// ---- The engine

namespace {

/// The file that a message names.
std::string fileOf(const std::vector<std::string>& names) {
  return names.empty() ? "flame" : names[0];
}

std::string countText(double count) {
  if (count >= 1e9) return fmt::format("{:.2f} G", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.2f} M", count / 1e6);
  return fmt::format("{:.0f}", count);
}

std::string durationText(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 3600) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

using Facts = std::vector<std::pair<std::string, std::string>>;

/// How far the picture is, and how it is drawn.
void addProgress(Facts& facts, const Rendering& r, glm::ivec2 size) {
  const double pixels = double(size.x) * double(size.y);
  facts.emplace_back("samples",
                     fmt::format("{} of {}", countText(r.samples()), countText(r.samplesWanted())));
  facts.emplace_back("quality", fmt::format("{:.1f} of {:.1f} per pixel", r.quality(),
                                            r.samplesWanted() / pixels));
  if (r.rate() > 0) {
    facts.emplace_back("samples per second", countText(r.rate()));
    if (r.samples() < r.samplesWanted())
      facts.emplace_back("time left", durationText((r.samplesWanted() - r.samples()) / r.rate()));
  }
  facts.emplace_back("accumulation", nameOf(r.accumulate()));
  if (r.moments() != Moments::None) facts.emplace_back("moments", nameOf(r.moments()));
  if (r.accumulate() == Accumulate::Direct)
    facts.emplace_back("hits lost", fmt::format("{:.2f} %", 100 * r.histogram().lost));
  std::int64_t bytes = 0;
  for (const auto& part : r.histogram().parts) bytes += part.bytes();
  facts.emplace_back("histogram", gpu::bytesText(bytes));
}

}  // namespace

void FlameEngine::describe(FieldVisitor& field) {
  flame::describe(settings_, field);
  flame::describe(timeline_.playhead(), field);
  flame::describe(playback_, field);
}

// ---- Inputs

void FlameEngine::adopt(std::unique_ptr<LoadedInputs> inputs) {
  LoadedGenomes& loaded = ownInputs<LoadedGenomes>(*inputs);
  for (const std::string& line : loaded.warnings) log::warn("{}", line);
  const std::string last = fileOf(loaded.names);
  if (!loaded.genomes.empty()) adoptFlames(loaded);
  if (loaded.palette) adoptPalette(*loaded.palette, last);
}

void FlameEngine::adoptPalette(const Palette& palette, const std::string& file) {
  if (!timeline_.open())
    fail("{}: expected an open flame that takes this palette, found none", file);
  if (!timeline_.editable())
    fail("{}: expected a flame that can be edited, found an animation that can only be viewed",
         file);
  Genome next = timeline_.shown();
  usePalette(next, palette);
  timeline_.setShown(std::move(next));
}

void FlameEngine::adoptFlames(LoadedGenomes& loaded) {
  if (!loaded.motion) return adoptGenomes(loaded);
  const std::optional<double> time = timeToShow(loaded.names);
  Genome first = loaded.film ? std::move(loaded.genomes.front())
                             : loaded.motion->at(loaded.motion->firstTime());
  timeline_.adopt(std::move(loaded.motion), std::move(first));
  adopted(std::move(loaded.names), time ? time : loaded.time);
}

void FlameEngine::adoptGenomes(LoadedGenomes& loaded) {
  std::vector<Genome>& genomes = loaded.genomes;
  FATHOM_CHECK(!genomes.empty());
  const bool others = timeline_.open() && loaded.names != inputs();
  const int flame = others ? 1 : timeline_.playhead().flame;
  if (flame > int(genomes.size()))
    fail("{}: expected a flame from 1 to {}, found {}", fileOf(loaded.names), genomes.size(),
         flame);
  const std::optional<double> time = timeToShow(loaded.names);
  if (time && !timeline_.open() && !areKeyframes(genomes))
    fail("{}: expected flames of one size with ascending times for a time, found {}",
         fileOf(loaded.names), genomes.size() == 1 ? "one flame" : "others");
  if (areKeyframes(genomes) &&
      !std::ranges::all_of(genomes, &std::vector<Layer>::empty, &Genome::layers))
    log::warn("{}: layers beside the first are not drawn in animations", fileOf(loaded.names));
  if (wantedSize_.x > 0)
    for (Genome& genome : genomes) genome = framed(genome, wantedSize_);
  timeline_.adopt(std::move(genomes), std::size_t(flame - 1));
  adopted(std::move(loaded.names), time);
}

/// The time that was asked for before anything was open; a film that is read again is seen where it
/// was seen.
std::optional<double> FlameEngine::timeToShow(const std::vector<std::string>& names) const {
  if (timeline_.open())
    return timeline_.moves() && names == inputs() ? std::optional(timeline_.time()) : std::nullopt;
  const double asked = timeline_.playhead().time;
  return asked != 0 ? std::optional(asked) : std::nullopt;
}

void FlameEngine::adopted(std::vector<std::string> names, std::optional<double> time) {
  if (time && timeline_.moves())
    timeline_.setTime(std::clamp(*time, timeline_.firstTime(), timeline_.lastTime()));
  names_ = std::move(names);
  ++adoptions_;
  begun_ = false;
}

void FlameEngine::setSize(int width, int height) {
  if (!timeline_.open()) wantedSize_ = {width, height};
}

// ---- Drawing

/// Moves the playhead to where the settings `flame` and `time` ask for it.
void FlameEngine::followPlayhead() {
  const int asked = timeline_.playhead().flame;
  if (!timeline_.follow())
    fail("{}: expected a flame from 1 to {}, found {}", fileOf(inputs()),
         timeline_.genomes().size(), asked);
}

void FlameEngine::setStandIn(StandIn standIn) {
  standIn_ = std::move(standIn);
  shownInstead_ = nullptr;
}

bool FlameEngine::showStandIn(gpu::Context& gpu) {
  const auto shown = standIn_ ? standIn_(gpu) : std::nullopt;
  if (!shown) return false;
  if (*shown) shownInstead_ = *shown;
  begun_ = false;
  return true;
}

FlameEngine::Asked FlameEngine::asking() const {
  const PlayheadSettings& playhead = timeline_.playhead();
  return {settings_,
          mode(),
          adoptions_,
          timeline_.revision(),
          timeline_.shownTime(),
          timeline_.current(),
          playhead.flame,
          playhead.time};
}

bool FlameEngine::work(gpu::Context& gpu, double budgetMs) {
  if (!timeline_.open()) return true;
  followPlayhead();
  asked_ = asking();
  if (showStandIn(gpu)) return true;
  drawSlice(gpu, budgetMs);
  if (rendering_->hasPicture()) shownInstead_ = nullptr;
  return rendering_->complete();
}

Rendering& FlameEngine::renderingOn(gpu::Context& gpu) {
  if (gpu_ != &gpu || !rendering_) {
    rendering_.reset();
    gpu_ = &gpu;
    rendering_ = std::make_unique<Rendering>(gpu);
    begun_ = false;
  }
  return *rendering_;
}

/// The shutter is open.
bool FlameEngine::isBlurred() const { return playback_.motionBlur && !quick_ && timeline_.moves(); }

/// The picture is of a moment of the film, not of a genome as it is.
bool FlameEngine::fromMotion() const { return isBlurred() || !timeline_.onKeyframe(); }

/// The moment at the playhead, small and quick, in full as a still, or in full with motion blur.
std::shared_ptr<const Exposure> FlameEngine::exposureAtPlayhead() const {
  std::optional<PreviewQuality> preview;
  if (!isBlurred()) preview = quick_ ? kGesturePreview : PreviewQuality{};
  return std::make_shared<const Exposure>(timeline_.motion(), timeline_.shownTime(), std::nullopt,
                                          preview);
}

/// What the picture needs to become that of the playhead as it is now.
Redo FlameEngine::redoOfPicture() const {
  if (!begun_ || interrupted_) return Redo::Samples;
  const Settings& before = key_.drawing;
  if (key_.mode != mode() || before.supersample != settings_.supersample ||
      before.accumulate != settings_.accumulate || before.sortBits != settings_.sortBits ||
      before.antialias != settings_.antialias || before.restart != settings_.restart)
    return Redo::Samples;
  const bool otherMoment =
      fromMotion() && (key_.revision != timeline_.revision() || key_.time != timeline_.shownTime());
  const Redo least = before != settings_ || otherMoment ? Redo::Tones : Redo::Nothing;
  const Genome& shown = timeline_.shown();
  return drawn_ == shown ? least : std::max(least, redoFor(drawn_, shown));
}

void FlameEngine::begin(bool anew, Rendering::Pictures pictures) {
  Genome genome = timeline_.shown();
  Settings used = settings_;
  if (quick_) {
    genome = previewOf(genome, kGesturePreview);
    used.quality = 0, used.supersample = 0;
  }
  try {
    if (fromMotion())
      rendering_->start(exposureAtPlayhead(), used, seed_, pictures);
    else if (anew)
      rendering_->start(genome, used, seed_, pictures);
    else
      rendering_->change(genome, used, seed_);
  } catch (const Error& error) {
    begun_ = false;
    const std::string& name = timeline_.shown().name;
    fail("{}: flame {}: {}", fileOf(names_),
         name.empty() ? std::to_string(timeline_.current() + 1) : name, error.what());
  }
  drawn_ = timeline_.shown();
  key_ = asking();
  begun_ = true;
}

/// How long the user waited for what was changed.
void FlameEngine::logFirstPicture() {
  if (!awaited_ || !rendering_->hasPicture()) return;
  log::info("flame: first image after {:.0f} ms; {:.0f} ms of processor", awaited_->since.ms(),
            processorMs() - awaited_->processorMs);
  awaited_.reset();
}

/// Of what is at the playhead, begun anew where what has changed since asks for it. Throws Error,
/// which names file and flame.
void FlameEngine::drawSlice(gpu::Context& gpu, double budgetMs) {
  Rendering& rendering = renderingOn(gpu);
  const Redo redo = redoOfPicture();
  if (redo != Redo::Nothing) {
    if (!awaited_) awaited_ = Awaited{Stopwatch(), processorMs()};
    begin(redo == Redo::Samples);
  }
  // Trajectories of a dispatch that was abandoned are of different lengths: they begin anew.
  interrupted_ = true;
  const double before = rendering.samples();
  try {
    rendering.step(budgetMs);
  } catch (const gpu::Compiling&) {  // a program is late, and nothing was abandoned
    interrupted_ = rendering.samples() != before;
    throw;
  }
  interrupted_ = false;
  logFirstPicture();
}

double FlameEngine::draw(gpu::Context& gpu, Progress& progress) {
  FATHOM_CHECK(timeline_.open());
  followPlayhead();
  renderingOn(gpu);
  begin(/*anew=*/true, Rendering::Pictures::Last);
  progress.begin("samples", rendering_->samplesWanted());
  return drawAll(gpu, progress);
}

double FlameEngine::drawFrame(gpu::Context& gpu, std::shared_ptr<const Exposure> exposure,
                              Progress& progress) {
  Rendering& rendering = renderingOn(gpu);
  begun_ = false;  // the still is no longer what is drawn
  rendering.start(std::move(exposure), settings_, seed_, Rendering::Pictures::Last);
  return drawAll(gpu, progress);
}

/// Without pictures on the way. Returns the seconds that drawing samples took.
double FlameEngine::drawAll(gpu::Context& gpu, Progress& progress) {
  const Stopwatch total;
  for (bool done = false; !done;) {
    const double before = rendering_->samples();
    done = rendering_->sample(std::numeric_limits<double>::infinity());
    progress.advance(rendering_->samples() - before);
  }
  gpu.finish();
  const double seconds = total.seconds();
  rendering_->toneMapLast();
  return seconds;
}

// ---- What is shown

Frame FlameEngine::frame() const {
  const gpu::Texture* const drawn = rendering_ ? &rendering_->light() : nullptr;
  const gpu::Texture* const shown = shownInstead_ ? shownInstead_ : drawn;
  return {.picture = shown && *shown ? shown : nullptr,
          .size = timeline_.open() ? timeline_.shown().size : glm::ivec2(0),
          .refines = true};
}

/// Null while something is dragged, as the histogram then has another size.
const Rendering* FlameEngine::renderingShown() const {
  const bool other = quick_ || shownInstead_;
  return begun_ && !other ? rendering_.get() : nullptr;
}

Image FlameEngine::reference() const {
  FATHOM_CHECK(timeline_.open());
  return gpu::runAsync([genome = timeline_.shown(), settings = settings_, seed = seed_] {
    return reference::lightOf(genome, settings, seed);
  });
}

std::optional<Engine::Working> FlameEngine::working() {
  const Rendering* const r = begun_ ? rendering_.get() : nullptr;
  if (!r || r->samples() >= r->samplesWanted()) return std::nullopt;
  return Working{"Rendering", r->samples() / r->samplesWanted(), {}};
}

/// What the genome says, where the settings leave it to it.
Facts FlameEngine::chosen() const {
  if (!timeline_.open()) return {};
  const Genome& g = timeline_.shown();
  return {{"quality", fmt::format("{:g}", g.quality)},
          {"supersample", fmt::format("{}", g.supersample)}};
}

Facts FlameEngine::facts() const {
  Facts facts;
  if (!timeline_.open()) return facts;
  const Genome& g = timeline_.shown();
  const std::size_t count = timeline_.genomes().size();
  facts.emplace_back("image", fmt::format("{} x {}", g.size.x, g.size.y));
  if (count > 1)
    facts.emplace_back("flame", fmt::format("{} of {}", timeline_.current() + 1, count));
  if (timeline_.moves())
    facts.emplace_back("time", fmt::format("{:g} of {:g} to {:g}", timeline_.shownTime(),
                                           timeline_.firstTime(), timeline_.lastTime()));
  if (!g.name.empty()) facts.emplace_back("name", g.name);
  facts.emplace_back("xforms",
                     fmt::format("{}{}", g.xforms.size(), g.finalXform ? " and a final one" : ""));
  if (g.dialect != Dialect::Flam3)
    facts.emplace_back("written by", kDialects[std::size_t(g.dialect)]);
  for (const UnsupportedFeature& lost : g.lost)
    facts.emplace_back("unsupported", lost.xforms > 1
                                          ? fmt::format("{} ({} xforms)", lost.name, lost.xforms)
                                          : lost.name);
  if (rendering_ && begun_) addProgress(facts, *rendering_, g.size);
  return facts;
}

std::optional<PixelReport> FlameEngine::inspect(int x, int y) {
  const Rendering* const rendering = renderingShown();
  if (!rendering) return std::nullopt;
  const glm::ivec2 whole = timeline_.shown().size;
  if (x < 0 || y < 0 || x >= whole.x || y >= whole.y) return std::nullopt;
  const PixelHits hits = rendering->hitsAt({x, y});
  PixelReport report;
  report.headline = fmt::format("pixel {}, {}: {:.0f} hits", x, y, hits.count);
  report.columns = {"bin", "hits", "R", "G", "B"};
  for (std::size_t i = 0; i < hits.buckets.size(); ++i) {
    const glm::dvec4& b = hits.buckets[i];
    const double n = b.w > 0 ? b.w * 255 : 1;
    report.rows.push_back({std::to_string(i), fmt::format("{:.2f}", b.w),
                           fmt::format("{:.4f}", b.x / n), fmt::format("{:.4f}", b.y / n),
                           fmt::format("{:.4f}", b.z / n)});
  }
  return report;
}

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"flame",
       "Fractal flames",
       "Draws flam3 genomes as flam3 does, on the GPU, while you edit them.",
       "Robertson, \"cuburn: a GPU flame renderer\" (2011), after Draves and Reckase, \"The "
       "Fractal Flame Algorithm\" (2003)",
       {".flame", ".flam3", ".json"}},
      accepts,
      read,
      []() -> Describe {
        return [engine = std::make_shared<FlameEngine>()](FieldVisitor& f) { engine->describe(f); };
      },
      makeEngine<FlameEngine>};
  return entry;
}

}  // namespace fathom::flame
