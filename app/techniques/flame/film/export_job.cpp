// SPDX-License-Identifier: BSD-3-Clause
// One frame is drawn at a time; at most one waits while another is written.
#include "app/techniques/flame/film/export_job.h"

#include "app/core/error.h"
#include "app/gpu/compile_queue.h"
#include "app/techniques/flame/genome/operations.h"
#include "app/techniques/flame/motion/keyframes.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

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
    return isNumbered(choice.file) ? numbered(choice.file, int(std::lround(first)) + frame)
                                   : choice.file;
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

}  // namespace

ExportJob::ExportJob() = default;
ExportJob::~ExportJob() = default;

void ExportJob::start(const Timeline& timeline, const Settings& settings, std::uint64_t seed,
                      ExportChoice choice) {
  cancel();
  message_.clear(), failed_ = false;
  if (!timeline.open()) return end("There is no flame to export.", true);
  if (choice.isFilm() && !timeline.moves())
    return end("There is no film: one flame is open.", true);
  auto task = std::make_unique<Task>();
  task->settings = settings;
  task->settings.quality = choice.quality;
  task->settings.transparent = choice.picture.transparent;
  task->seed = seed;
  if (choice.isFilm()) {
    task->motion = motionIn(timeline, choice.size);
    task->first = std::ceil(timeline.firstTime());  // as `flame animate`
    task->count = std::max(1, int(std::ceil(timeline.lastTime()) - task->first));
  } else {
    task->still = choice.size.x > 0 ? framed(timeline.shown(), choice.size) : timeline.shown();
  }
  task->choice = std::move(choice);
  task_ = std::move(task);
}

void ExportJob::cancel() {
  if (!running()) return;
  task_.reset();
  ++generation_;
  end("Cancelled.", false);
}

void ExportJob::end(const std::string& message, bool failed) {
  task_.reset();
  message_ = message, failed_ = failed;
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
  if (!jobs_) jobs_ = std::make_unique<JobQueue>(1);
  const bool last = task.frame + 1 == task.count;
  auto displayed = std::make_shared<Image>(rendering_->displayed().downloadImage());
  auto light = std::make_shared<Image>(rendering_->light().downloadImage());
  jobs_->submit(
      [this, last, displayed, light, video = task.video, file = task.fileOfFrame(),
       options = task.choice.picture, name = task.choice.file,
       generation = generation_]() -> JobQueue::Delivery {
        if (video)
          video->append(levels8(*displayed, false));
        else
          writeFlame(file, *displayed, *light, options);
        if (video && last) video->commit();
        return [this, last, name, generation] {
          if (last && generation == generation_) end("Wrote " + name, false);
        };
      },
      [this, generation = generation_](std::exception_ptr problem) {
        if (generation != generation_) return;
        try {
          std::rethrow_exception(problem);
        } catch (const std::exception& error) {
          ++generation_;
          end(error.what(), true);
        }
      });
}

bool ExportJob::step(gpu::Context& gpu, double budgetMs) {
  if (jobs_) jobs_->deliver();
  if (!task_) return writing();
  try {
    if (!rendering_) rendering_ = std::make_unique<Rendering>(gpu);
    if (!task_->begun) {
      const gpu::Context::CompilesBeside beside(gpu);  // the window goes on
      begin(*task_);
    }
    if (!rendering_->sample(budgetMs)) return true;
    if (jobs_ && jobs_->pending() > 1) return true;  // the disk is slower
    rendering_->toneMapLast();
    write(*task_);
    task_->begun = false;
    if (++task_->frame == task_->count) task_.reset(), rendering_.reset();
  } catch (const gpu::Compiling&) {
    return true;  // begins again in the next step
  } catch (const Error& error) {
    ++generation_;
    rendering_.reset();
    end(error.what(), true);
  }
  return running();
}

}  // namespace fathom::flame
