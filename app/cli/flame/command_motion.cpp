// SPDX-License-Identifier: BSD-3-Clause
// fathom flame animate | sequence | freeze
#include "app/cli/flame/command.h"
#include "app/engine/core/launch.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/flame/cuburn/animation.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/motion/exposure.h"
#include "app/engine/flame/motion/keyframes.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/video_file.h"
#include "app/engine/ranks/job.h"

#include <future>

namespace fathom::flame {
namespace {

constexpr int kMaxAnimationFrames = 1000000;

/// Which times are drawn, and the number that each has in its file's name.
struct Frames {
  double begin = 0, step = 1;
  int count = 0;
  bool numberedByTime = true;  // times are whole numbers: they are the numbers
  double timeOf(int i) const { return begin + i * step; }
  int numberOf(int i) const { return numberedByTime ? int(std::lround(timeOf(i))) : i; }
};

/// From the first keyframe up to but not with the last one unless told otherwise, as flam3-animate;
/// `step` from one to the next unless told otherwise.
Frames framesOf(CommandContext& context, const Motion& motion, int step) {
  const auto real = [&](const char* flag, double fallback) {
    return context.given(flag) ? context.real(flag, -1e6, 1e6) : fallback;
  };
  Frames frames;
  frames.begin = real("begin", std::ceil(motion.firstTime()));
  frames.step = context.given("step") ? context.real("step", 1e-3, 1e6) : step;
  const double end = real("end", !motion.moves() ? frames.begin : std::ceil(motion.lastTime()) - 1);
  const double count = std::floor((end - frames.begin) / frames.step + 1e-9) + 1;
  if (!(count >= 1)) failUsage("--end: expected {} or later, found {}", frames.begin, end);
  if (count > kMaxAnimationFrames)
    failUsage("--step: expected at most {} frames, found {:.0f}", kMaxAnimationFrames, count);
  frames.count = int(count);
  if (motion.moves())
    warnBeyond(context, frames.begin, frames.timeOf(frames.count - 1), motion.firstTime(),
               motion.lastTime());
  frames.numberedByTime = frames.begin == std::round(frames.begin) &&
                          frames.step == std::round(frames.step) && frames.begin >= 0;
  return frames;
}

std::shared_ptr<const Motion> motionOf(CommandContext& context, const OpenedGenomes& opened) {
  if (opened.film && !context.given("sequence")) return opened.film;
  const Timeline& timeline = opened.technique.timeline();
  if (!timeline.editable() && !context.given("sequence")) return timeline.motion();
  std::vector<Genome> genomes = opened.genomes();
  for (const Genome& genome : genomes)
    if (genome.size != genomes[0].size)
      fail("{}: expected flames of one size ({} x {}), found {} x {}", context.inputs[0],
           genomes[0].size.x, genomes[0].size.y, genome.size.x, genome.size.y);
  if (context.given("sequence"))
    genomes = sheepSequence(genomes, context.number("sequence", 1, 100000));
  try {
    return std::make_shared<const Keyframes>(std::move(genomes));
  } catch (const Error& error) {
    fail("{}: {}; --sequence N makes loops and edges of flames without times", context.inputs[0],
         error.what());
  }
}

/// The files that a frame is older than when it must be drawn again.
std::vector<std::string> sourcesOf(const CommandContext& context, const OpenedGenomes& opened) {
  std::vector<std::string> sources = context.inputs;
  if (opened.film)
    for (const fs::path& file : opened.film->film().files) sources.push_back(file.string());
  return sources;
}

/// What `animate` draws, and what it took.
struct AnimationJob {
  CommandContext& context;
  OpenedGenomes opened;
  std::shared_ptr<const Motion> motion;
  Frames frames;
  std::optional<FramePattern> pattern;  // of pictures; none: a video

  std::string fileOf(int frame) const { return pattern->at(frames.numberOf(frame)); }

  /// Draws these frames and hands over each.
  void draw(const std::vector<int>& wanted,
            const std::function<void(int, const Rendering&)>& take) const {
    FlameEngine& technique = opened.technique;
    double total = 0, samples = 0, seconds = 0;
    for (const int i : wanted)
      total += samplesFor(motion->shapeAt(frames.timeOf(i)), technique.drawing());
    context.progress.begin("samples", total);
    for (const int i : wanted) {
      const auto exposure = std::make_shared<const Exposure>(motion, frames.timeOf(i));
      seconds += technique.drawFrame(context.gpu(), exposure, context.progress);
      samples += technique.rendering()->samples();
      take(i, *technique.rendering());
    }
    context.record.set("frames", double(wanted.size()));
    context.record.set("samples", samples);
    context.record.set("samples_per_second", seconds > 0 ? samples / seconds : 0.0);
    if (!wanted.empty())
      context.record.set("moments", std::string(nameOf(technique.rendering()->moments())));
  }
};

/// The frames that are not there yet.
std::vector<int> missingFrames(const AnimationJob& film) {
  const CommandContext& context = film.context;
  const std::vector<std::string> sources = sourcesOf(context, film.opened);
  std::vector<int> missing;
  for (int i = 0; i < film.frames.count; ++i)
    if (const std::string file = film.fileOf(i);
        context.on("again") || !isUpToDate(file, sources) ||
        !hasSize(file, film.motion->shapeAt(film.frames.timeOf(i)).size))
      missing.push_back(i);
  return missing;
}

void drawPictures(const AnimationJob& film, const PictureOptions& options,
                  const std::vector<int>& wanted) {
  std::future<void> writing;  // the picture before, while this one is drawn
  film.draw(wanted, [&](int i, const Rendering& rendering) {
    Image displayed = rendering.displayed().downloadImage();
    const bool isLight = endingOf(film.fileOf(i)) == ".exr";
    Image light = isLight ? rendering.light().downloadImage() : Image();
    if (writing.valid()) writing.get();
    writing =
        std::async(std::launch::async,
                   [&options, file = film.fileOf(i), displayed = std::move(displayed),
                    light = std::move(light)] { writeFlame(file, displayed, light, options); });
  });
  if (writing.valid()) writing.get();
}

void reportKept(const AnimationJob& film, std::size_t missing) {
  const int kept = film.frames.count - int(missing);
  if (kept > 0)
    log::line(log::Level::Normal,
              fmt::format("fathom: {} of {} frames were there and kept, whatever settings made "
                          "them; --again draws all",
                          kept, film.frames.count));
  film.context.record.set("kept", double(kept));
}

/// Under mpirun the ranks share the frames that are missing; a frame is the same whoever draws it.
void drawPicturesOverRanks(const AnimationJob& film, const PictureOptions& options) {
  bool first = true;
  ranks::Job::run([&](ranks::Job& job) {
    first = job.rank() == 0;
    std::vector<int> missing;
    job.collective([&] { missing = missingFrames(film); });  // before any rank writes one
    std::vector<int> mine;  // dealt out, as neighbors cost about the same
    for (std::size_t i = std::size_t(job.rank()); i < missing.size(); i += std::size_t(job.ranks()))
      mine.push_back(missing[i]);
    job.collective([&] { drawPictures(film, options, mine); });
    if (first) reportKept(film, missing.size());
    film.context.record.set("frames", double(missing.size()));
    film.context.record.set("ranks", job.ranks());
  });
  if (!first) throw PeerFailed(0);
}

/// ffmpeg encodes a frame while the next one is drawn.
void drawVideo(const AnimationJob& film) {
  const glm::ivec2 size = film.motion->shapeAt(film.frames.begin).size;
  VideoFile video(film.context.output, size, film.context.real("fps", 1, 240));
  std::vector<int> all(std::size_t(film.frames.count));
  std::iota(all.begin(), all.end(), 0);
  film.draw(all, [&](int, const Rendering& rendering) {
    video.append(levels8(rendering.displayed().downloadImage(), false));
  });
  video.commit();
}

}  // namespace

void runAnimate(CommandContext& context) {
  const PictureOptions options = pictureOptions(context);
  const std::optional<FramePattern> pattern = FramePattern::of(context.output);
  if (!isVideo(context.output) && !pattern)
    failUsage("--output: expected %d in the name, for the frame's number, found {}",
              context.output);
  const OpenedGenomes opened = openGenomes(context);
  const std::shared_ptr<const Motion> motion = motionOf(context, opened);
  if (!motion->moves())
    log::warn("{}: one flame does not move; --sequence N makes a loop of it", context.inputs[0]);
  const int step = opened.film ? opened.film->step() : 1;
  const AnimationJob film{context, opened, motion, framesOf(context, *motion, step), pattern};
  if (isVideo(context.output)) {
    drawVideo(film);
  } else if (startedByMpirun()) {
    drawPicturesOverRanks(film, options);
  } else {
    const std::vector<int> missing = missingFrames(film);
    drawPictures(film, options, missing);
    reportKept(film, missing.size());
  }
}

void runFreeze(CommandContext& context) {
  const std::shared_ptr<const Motion> motion = motionOf(context, openGenomes(context));
  if (context.given("at") && !motion->moves())
    throw UsageError("--at: expected flames with ascending times, found one flame");
  const double time = context.given("at") ? context.real("at", -1e6, 1e6) : motion->firstTime();
  warnBeyond(context, time, time, motion->firstTime(), motion->lastTime());
  const Genome genome = motion->at(time);
  writeGenomes(context.output, {&genome, 1});
  context.record.set("time", time);
}

void runSequence(CommandContext& context) {
  const OpenedGenomes opened = openGenomes(context);
  const std::vector<Genome> list =
      sheepSequence(opened.genomes(), context.number("frames", 1, 100000),
                    context.number("loops", 0, 1000), context.real("stagger", 0, 1));
  writeGenomes(context.output, list);
  context.print(fmt::format("{}: {} keyframes", context.output, list.size()));
  context.record.set("keyframes", double(list.size()));
}

}  // namespace fathom::flame
