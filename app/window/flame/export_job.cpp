// SPDX-License-Identifier: BSD-3-Clause
// One frame is drawn at a time; at most one waits while another is written.
#include "app/window/flame/export_job.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/motion/keyframes.h"
#include "app/engine/flame/picture_files.h"
#include "app/engine/gpu/compiler.h"

namespace fathom::flame {

struct ExportJob::Task {
  ExportChoice choice;
  Settings settings;
  std::uint64_t seed;
  Genome still;
  std::shared_ptr<const Motion> motion;  // of a film
  double first = 0;
  int count = 1, frame = 0;
  bool begun = false;                // this frame
  std::shared_ptr<VideoFile> video;  // shared with the thread that feeds it
  std::string fileOfFrame() const {
    const auto pattern = FramePattern::of(choice.file);
    return pattern ? pattern->at(int(std::lround(first)) + frame) : choice.file;
  }
};

namespace {

/// The film of a timeline in another size.
std::shared_ptr<const Motion> motionIn(const Timeline& timeline, glm::ivec2 size) {
  if (!timeline.editable() || size.x <= 0) return timeline.motion();
  std::vector<Genome> genomes = timeline.genomes();
  for (Genome& genome : genomes) genome = framed(genome, size);
  return std::make_shared<const Keyframes>(std::move(genomes));
}

/// As `flame animate`.
int firstFrameOf(const Timeline& timeline) { return int(std::ceil(timeline.firstTime())); }

/// Hours of drawing are not to end with a folder that does not exist. Throws Error.
void checkPlace(const std::string& file) { const AtomicFile probe(file); }

}  // namespace

ExportJob::ExportJob() = default;
ExportJob::~ExportJob() = default;

void ExportJob::start(const Timeline& timeline, const Settings& settings, std::uint64_t seed,
                      ExportChoice choice) {
  cancel();
  ended_.reset();
  if (!timeline.open()) return end("There is no flame to export.", true);
  if (isFilm(choice) && !timeline.moves())
    return end("There is no animation: a still is open.", true);
  auto task = std::make_unique<Task>();
  task->settings = settings;
  task->settings.quality = choice.samples;
  task->settings.transparent = choice.alpha;
  task->seed = seed;
  if (isFilm(choice)) {
    task->motion = motionIn(timeline, choice.size);
    task->first = firstFrameOf(timeline);
    task->count = std::max(1, int(std::ceil(timeline.lastTime()) - task->first));
  } else {
    task->still = choice.size.x > 0 ? framed(timeline.shown(), choice.size) : timeline.shown();
  }
  task->choice = std::move(choice);
  file_ = task->choice.file;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  try {
    checkPlace(task->fileOfFrame());
  } catch (const Error& error) {
    return end(error.what(), true);
  }
  task_ = std::move(task);
}

std::string ExportJob::firstFile(const Timeline& timeline, const ExportChoice& choice) {
  const auto pattern = FramePattern::of(choice.file);
  return pattern ? pattern->at(firstFrameOf(timeline)) : choice.file;
}

void ExportJob::cancel() {
  if (!running()) return;
  slice_.abandon();
  *cancelled_ = true;
  task_.reset(), rendering_.reset();
  jobs_.forget();
  end("Cancelled.", false);
}

void ExportJob::end(const std::string& message, bool failed) {
  task_.reset();
  ended_ = {message, failed};
}

const std::string& ExportJob::file() const {
  static const std::string none;
  return running() ? file_ : none;
}

double ExportJob::progress() const {
  if (!task_) return writing() ? 1 : 0;
  const double wanted = task_->begun && rendering_ ? rendering_->samplesWanted() : 0;
  const double share = wanted > 0 ? std::min(1.0, rendering_->samples() / wanted) : 0;
  return (task_->frame + share) / task_->count;
}

void ExportJob::begin(Task& task) {
  if (isVideo(task.choice.file) && !task.video) {
    const glm::ivec2 size = task.motion->shapeAt(task.first).size;
    task.video = std::make_shared<VideoFile>(task.choice.file, size, task.choice.framesPerSecond);
  }
  if (task.motion)
    rendering_->start(std::make_shared<const Exposure>(task.motion, task.first + task.frame),
                      task.settings, task.seed);
  else
    rendering_->start(task.still, task.settings, task.seed);
  task.begun = true;
}

void ExportJob::write(Task& task) {
  const bool last = task.frame + 1 == task.count;
  auto displayed = std::make_shared<Image>(rendering_->displayed().downloadImage());
  auto light = std::make_shared<Image>();
  if (endingOf(task.choice.file) == ".exr") *light = rendering_->light().downloadImage();
  jobs_.submit(
      [this, last, displayed, light, video = task.video, file = task.fileOfFrame(),
       options = PictureOptions{task.choice.alpha, task.choice.bits, task.choice.asFloat},
       name = task.choice.file, cancelled = cancelled_]() -> JobQueue::Delivery {
        if (!*cancelled && video) video->append(levels8(*displayed, false));
        if (!*cancelled && !video) writeFlame(file, *displayed, *light, options);
        if (!*cancelled && video && last) video->commit();
        return [this, last, name] {
          if (last) end("Wrote " + name, false);
        };
      },
      [this](std::exception_ptr problem) {
        jobs_.forget();
        end(messageOf(problem), true);
      });
}

void ExportJob::advance(gpu::Context& gpu, double budgetMs) {
  if (!rendering_) rendering_ = std::make_unique<Rendering>(gpu);
  if (!task_->begun) {
    std::optional<gpu::Context::CompilesBeside> beside;  // the window goes on
    if (!gpu.device().software) beside.emplace(gpu);
    begin(*task_);
  }
  if (!rendering_->sample(budgetMs)) return;
  if (jobs_.pending() > 1) return;  // the disk is slower
  rendering_->toneMapLast();
  write(*task_);
  task_->begun = false;
  if (++task_->frame == task_->count) task_.reset(), rendering_.reset();
}

bool ExportJob::step(gpu::Context& gpu, double budgetMs) {
  jobs_.deliver();
  if (!task_) return writing();
  try {
    if (!gpu.device().software) {
      advance(gpu, budgetMs);
    } else {
      if (!slice_.pending()) slice_.start([this, &gpu, budgetMs] { advance(gpu, budgetMs); });
      slice_.resume(budgetMs);
    }
  } catch (const gpu::Compiling&) {
    return true;  // begins again in the next step
  } catch (const Error& error) {
    jobs_.forget();
    rendering_.reset();
    end(error.what(), true);
  }
  return running();
}

}  // namespace fathom::flame
