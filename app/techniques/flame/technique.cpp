// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/flame/technique.h"

#include "app/core/color.h"
#include "app/core/log.h"
#include "app/gpu/memory_account.h"
#include "app/io/profile.h"
#include "app/techniques/flame/command.h"
#include "app/techniques/flame/cuburn_motion.h"
#include "app/techniques/flame/io.h"
#include "app/techniques/flame/operations.h"
#include "app/techniques/flame/quick_motion.h"
#include "app/techniques/flame/reference_chaos.h"
#include "app/techniques/flame/reference_image.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

constexpr double kReferenceQuality = 50;  // samples per pixel: seconds on a CPU
constexpr float kLatestTime = 100000;     // frames

std::string countText(double count) {
  if (count >= 1e9) return fmt::format("{:.2f} G", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.2f} M", count / 1e6);
  return fmt::format("{:.0f}", count);
}

std::string timeText(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 3600) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// The moment at the playhead, small and quick, in full as a still, or in full with motion blur.
std::shared_ptr<const Exposure> exposureAt(const Timeline& timeline, bool quick, bool blurred) {
  std::shared_ptr<const Motion> motion = timeline.motion();
  if (!blurred)
    motion = std::make_shared<const QuickMotion>(motion, quick ? kGestureQuickness : Quickness{});
  return std::make_shared<const Exposure>(motion, timeline.shownTime());
}

const char* nameOf(Accumulate mode) {
  constexpr const char* names[] = {"auto", "direct", "atomic", "deferred"};
  return names[std::size_t(mode)];
}

}  // namespace

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
      defaultSettings<AllSettings>,
      makeTechnique<FlameTechnique>,
      {"xforms", "image", "palette", "mutations", "timeline"},
      commands,
      benches,
      tunables};
  return entry;
}

void FlameTechnique::describe(FieldVisitor& field) {
  flame::describe(settings_, field);
  flame::describe(timeline_.playhead(), field);
  flame::describe(playback_.settings(), field);
}

// Inputs
// ------------------------------------------------------------------------------------------------

bool accepts(const std::vector<std::string>& inputs) {
  return !inputs.empty() &&
         std::all_of(inputs.begin(), inputs.end(), [](const std::string& input) {
           return looksLikeGenomes(input) || cuburn::looksLikeDocument(input);
         });
}

std::unique_ptr<LoadedGenomes> readInputs(const std::vector<std::string>& inputs,
                                          const GenomeReadOptions& options, Progress& progress) {
  if (inputs.empty()) throw UsageError("flame: expected a genome file, found no input");
  auto loaded = std::make_unique<LoadedGenomes>();
  loaded->names = inputs;
  for (const std::string& input : inputs) {
    GenomeFile file;
    const bool isJson = std::filesystem::path(input).extension() == ".json";
    if (isJson || cuburn::looksLikeDocument(input)) {
      CuburnFile read = readCuburn(input, options.filmProfile, options.size);
      loaded->film = std::move(read.animation);
      file = {{loaded->film->still()}, std::move(read.warnings)};
    } else {
      file = readGenomes(input, options.seed);
    }
    std::move(file.genomes.begin(), file.genomes.end(), std::back_inserter(loaded->genomes));
    std::move(file.warnings.begin(), file.warnings.end(), std::back_inserter(loaded->warnings));
    progress.throwIfCancelled();
  }
  if (inputs.size() > 1) loaded->film.reset();
  const bool moves = loaded->film && loaded->film->moves();
  if (options.size.x > 0 && !moves)
    for (Genome& genome : loaded->genomes) genome = framed(genome, options.size);
  return loaded;
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  return readInputs(inputs, {}, progress);
}

void FlameTechnique::adopt(std::unique_ptr<LoadedInputs> inputs) {
  LoadedGenomes& loaded = ownInputs<LoadedGenomes>(*inputs);
  for (const std::string& line : loaded.warnings) log::warn("{}", line);
  if (loaded.film && loaded.film->moves())
    adoptFilm(loaded.film, std::move(loaded.genomes.front()), std::move(loaded.names));
  else
    adoptGenomes(std::move(loaded.genomes), std::move(loaded.names));
  cuburnFilm_ = std::move(loaded.film);
}

void FlameTechnique::adoptGenomes(std::vector<Genome> genomes, std::vector<std::string> names) {
  FATHOM_CHECK(!genomes.empty());
  const bool others = timeline_.open() && names != inputs_;
  const int flame = others ? 1 : timeline_.playhead().flame;
  if (flame > int(genomes.size()))
    fail("{}: expected a flame from 1 to {}, found {}", names.empty() ? "flame" : names[0],
         genomes.size(), flame);
  const std::optional<double> time = timeToShow(names);
  if (time && !timeline_.open() && !areKeyframes(genomes))
    fail("{}: expected flames of one size with ascending times for a time, found {}",
         names.empty() ? "flame" : names[0], genomes.size() == 1 ? "one flame" : "others");
  cuburnFilm_.reset();
  if (wantedSize_.x > 0)
    for (Genome& genome : genomes) genome = framed(genome, wantedSize_);
  timeline_.adopt(std::move(genomes), std::size_t(flame - 1));
  adopted(std::move(names), time);
}

void FlameTechnique::adoptFilm(std::shared_ptr<const Motion> film, Genome first,
                               std::vector<std::string> names) {
  const std::optional<double> time = timeToShow(names);
  timeline_.adopt(std::move(film), std::move(first));
  adopted(std::move(names), time);
}

/// The time that was asked for before anything was open; a film that is read again is seen where it
/// was seen.
std::optional<double> FlameTechnique::timeToShow(const std::vector<std::string>& names) const {
  if (timeline_.open())
    return timeline_.moves() && names == inputs_ ? std::optional(timeline_.time()) : std::nullopt;
  const double asked = timeline_.playhead().time;
  return asked != 0 ? std::optional(asked) : std::nullopt;
}

void FlameTechnique::adopted(std::vector<std::string> names, std::optional<double> time) {
  inputs_ = std::move(names);
  if (time && timeline_.moves())
    timeline_.setTime(std::clamp(*time, timeline_.firstTime(), timeline_.lastTime()));
  begun_ = scrubbing_ = false;
  editor_.reset();
  playback_.reset();
  ruler_.fit(timeline_.firstTime(), timeline_.lastTime());
}

void FlameTechnique::setSize(int width, int height) {
  if (!timeline_.open()) wantedSize_ = {width, height};
}

glm::ivec2 FlameTechnique::size() const { return timeline_.open() ? genome().size : glm::ivec2(0); }

void FlameTechnique::setCurrent(std::size_t index) {
  FATHOM_CHECK_OP(index, <, genomes().size());
  timeline_.select(index);
  changed_ = true;
}

void FlameTechnique::setGenome(Genome genome) {
  timeline_.setAt(current(), std::move(genome));
  changed_ = true;
}

void FlameTechnique::resize(glm::ivec2 size) { setGenome(framed(genome(), size)); }

void FlameTechnique::followPlayhead() {
  const int asked = timeline_.playhead().flame;
  if (!timeline_.follow())
    fail("{}: expected a flame from 1 to {}, found {}", inputs_.empty() ? "flame" : inputs_[0],
         genomes().size(), asked);
}

// Drawing
// -----------------------------------------------------------------------------------------------

Rendering& FlameTechnique::renderingOn(gpu::Context& gpu) {
  if (gpu_ != &gpu || !rendering_ || tunedFor_ != sizeClassOf(genome().size.x, genome().size.y)) {
    rendering_.reset();
    gpu_ = &gpu;
    tunedFor_ = sizeClassOf(genome().size.x, genome().size.y);
    rendering_ = std::make_unique<Rendering>(gpu, tunedForms(gpu, genome().size, tuned_));
    begun_ = false;
  }
  return *rendering_;
}

/// What the device cannot hold is said with the file and the flame that ask for it.
void FlameTechnique::begin(bool anew) {
  Genome genomeNow = genome();
  Settings settings = settings_;
  const bool quick = editor_.inGesture() || scrubbing_;
  if (quick) {
    genomeNow = previewOf(genomeNow);
    settings.quality = 0, settings.supersample = 0;
  }
  const bool blurred = playback_.settings().motionBlur && !quick && timeline_.moves();
  try {
    if (blurred || !timeline_.onKeyframe())
      rendering_->start(exposureAt(timeline_, quick, blurred), settings, seed_);
    else if (anew)
      rendering_->start(genomeNow, settings, seed_);
    else
      rendering_->change(genomeNow, settings, seed_);
  } catch (const Error& error) {
    begun_ = false;
    fail("{}: flame {}: {}", inputs_.empty() ? "flame" : inputs_[0],
         genome().name.empty() ? std::to_string(current() + 1) : genome().name, error.what());
  }
  drawn_ = genome();
  begun_ = true, changed_ = false;
}

/// Frames of a film that is played or looked through are there already, or will be.
bool FlameTechnique::showPreview(gpu::Context& gpu) {
  if (!playback_.playing() && !scrubbing_) return false;
  const bool there = playback_.show(gpu, settings_);
  if (there) showsPreview_ = true;
  if (there || playback_.playing()) begun_ = false;
  return there || playback_.playing();
}

bool FlameTechnique::update(gpu::Context& gpu, Effect effect, double budgetMs) {
  if (!timeline_.open()) return true;
  followPlayhead();
  Rendering& rendering = renderingOn(gpu);
  if (showPreview(gpu)) return true;
  if (changed_ || effect != Effect::None)
    effect = std::max(effect, effectBetween(drawn_, genome()));
  if (!begun_ || effect != Effect::None) begin(!begun_ || effect == Effect::Rebuild);
  changed_ = false;
  const bool done = rendering.step(budgetMs);
  if (rendering.hasPicture()) showsPreview_ = false;
  return done;
}

double FlameTechnique::draw(gpu::Context& gpu, Progress& progress) {
  FATHOM_CHECK(timeline_.open());
  followPlayhead();
  Rendering& rendering = renderingOn(gpu);
  begin(true);
  progress.begin("samples", rendering.samplesWanted());
  return drawAll(rendering, progress);
}

double FlameTechnique::drawFrame(gpu::Context& gpu, std::shared_ptr<const Exposure> exposure,
                                 Progress& progress) {
  Rendering& rendering = renderingOn(gpu);
  begun_ = false;  // the still is no longer what is drawn
  rendering.start(std::move(exposure), settings_, seed_);
  return drawAll(rendering, progress);
}

double FlameTechnique::drawAll(Rendering& rendering, Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  for (bool done = false; !done;) {
    const double before = rendering.samples();
    done = rendering.sample(INFINITY);
    progress.advance(rendering.samples() - before);
  }
  gpu_->finish();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  rendering.develop();
  return seconds.count();
}

std::optional<TechniqueFile> FlameTechnique::savable() const {
  if (!timeline_.open() || !timeline_.editable()) return std::nullopt;
  std::filesystem::path name = inputs_.empty() ? "new.flame" : inputs_[0];
  if (name.extension() == ".json") name.replace_extension(".flame");
  return TechniqueFile{"genome", {".flame", ".flam3"}, name.string()};
}

void FlameTechnique::save(const std::string& file) {
  cuburnFilm_.reset();
  writeGenomes(file, genomes());
  editor_.markSaved();
  inputs_ = {file};
}

std::string FlameTechnique::accumulationText() const {
  return rendering_ ? nameOf(rendering_->accumulate()) : "";
}

const gpu::Texture& FlameTechnique::result() const {
  static const gpu::Texture none;
  if (showsPreview_) return playback_.picture();
  return rendering_ ? rendering_->light() : none;
}

Image FlameTechnique::reference() const {
  FATHOM_CHECK(timeline_.open());
  Genome drawn = forRendering(genome());
  drawn.quality = std::min(kReferenceQuality, samplesFor(drawn, settings_) /
                                                  (double(drawn.size.x) * double(drawn.size.y)));
  drawn.zoom = 0, drawn.scale = pixelsPerUnit(genome());
  Settings exact = settings_;
  exact.quality = 0;
  exact.estimator = settings_.estimator == Estimator::Off ? Estimator::Off : Estimator::Exact;
  if (settings_.transparent) drawn.background = glm::dvec3(0);
  Image picture(drawn.size.x, drawn.size.y);
  if (drawsNothing(drawn)) {
    const glm::vec3 color = glm::clamp(glm::vec3(drawn.background) * 256.0f, 0.0f, 255.0f);
    std::fill(picture.pixels.begin(), picture.pixels.end(), glm::vec4(color, 0));
  } else {
    picture = reference::develop(
        reference::iterate(drawn, shapeFor(drawn, exact), samplesFor(drawn, exact), seed_), drawn,
        exact);
  }
  for (glm::vec4& pixel : picture.pixels) {
    const float alpha = settings_.transparent ? std::clamp(pixel.a, 0.0f, 1.0f) : 1.0f;
    for (int c = 0; c < 3; ++c)
      pixel[c] = alpha > 0 ? linearFromSrgb(std::min(1.0f, pixel[c] / 255 / alpha)) * alpha : 0;
    pixel.a = alpha;
  }
  return picture;
}

// What is there
// -----------------------------------------------------------------------------------------

std::optional<PixelReport> FlameTechnique::inspect(int x, int y) {
  const glm::ivec2 s = size();
  // While something is dragged, the histogram has another size.
  const bool small = editor_.inGesture() || scrubbing_ || showsPreview_;
  if (!rendering_ || !begun_ || small || x < 0 || y < 0 || x >= s.x || y >= s.y)
    return std::nullopt;
  const PixelHits hits = rendering_->hitsAt({x, y});
  PixelReport report;
  report.headline = fmt::format("pixel {}, {}: {:.0f} hits", x, y, hits.count);
  report.columns = {"bucket", "hits", "R", "G", "B"};
  for (std::size_t i = 0; i < hits.buckets.size(); ++i) {
    const glm::dvec4& b = hits.buckets[i];
    const double n = b.w > 0 ? b.w * 255 : 1;
    report.rows.push_back({std::to_string(i), fmt::format("{:.2f}", b.w),
                           fmt::format("{:.4f}", b.x / n), fmt::format("{:.4f}", b.y / n),
                           fmt::format("{:.4f}", b.z / n)});
  }
  return report;
}

std::vector<std::pair<std::string, std::string>> FlameTechnique::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  if (!timeline_.open()) return facts;
  const Genome& g = genome();
  facts.emplace_back("picture", fmt::format("{} x {}", g.size.x, g.size.y));
  if (genomes().size() > 1)
    facts.emplace_back("flame", fmt::format("{} of {}", current() + 1, genomes().size()));
  if (timeline_.moves())
    facts.emplace_back("time", fmt::format("{:g} of {:g} to {:g}", timeline_.shownTime(),
                                           timeline_.firstTime(), timeline_.lastTime()));
  if (!g.name.empty()) facts.emplace_back("name", g.name);
  if (!tuned_.note().empty()) facts.emplace_back("profile", tuned_.note());
  facts.emplace_back("xforms",
                     fmt::format("{}{}", g.xforms.size(), g.finalXform ? " and a final one" : ""));
  if (!rendering_ || !begun_) return facts;
  const Rendering& r = *rendering_;
  const double pixels = double(g.size.x) * double(g.size.y);
  facts.emplace_back("samples",
                     fmt::format("{} of {}", countText(r.samples()), countText(r.samplesWanted())));
  facts.emplace_back("quality", fmt::format("{:.1f} of {:.1f} per pixel", r.quality(),
                                            r.samplesWanted() / pixels));
  if (r.rate() > 0) {
    facts.emplace_back("samples per second", countText(r.rate()));
    if (r.samples() < r.samplesWanted())
      facts.emplace_back("time left", timeText((r.samplesWanted() - r.samples()) / r.rate()));
  }
  facts.emplace_back("accumulation", accumulationText());
  if (r.moments() != Moments::None) facts.emplace_back("moments", nameOf(r.moments()));
  if (r.accumulate() == Accumulate::Direct)
    facts.emplace_back("hits lost", fmt::format("{:.2f} %", 100 * r.histogram().lost));
  std::int64_t bytes = 0;
  for (const auto& part : r.histogram().parts) bytes += part.bytes();
  facts.emplace_back("histogram", gpu::bytesText(bytes));
  return facts;
}

}  // namespace fathom::flame
