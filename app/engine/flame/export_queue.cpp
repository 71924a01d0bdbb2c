// SPDX-License-Identifier: BSD-3-Clause
// One frame is drawn at a time; at most one waits while another is written.
#include "app/engine/flame/export_queue.h"

#include "app/engine/core/error.h"
#include "app/engine/core/fields.h"
#include "app/engine/core/text.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/motion/keyframes.h"
#include "app/engine/flame/picture_files.h"
#include "app/engine/gpu/compiler.h"
#include "app/system/process.h"

namespace fathom::flame {

namespace {

constexpr std::string_view kAttributes = "export-";

/// Hours of drawing are not to end with a folder that does not exist. Throws Error.
void checkPlace(const std::string& file) { const AtomicFile probe(file); }

/// By one name, however it is written.
fs::path placeOf(const ExportChoice& choice) {
  std::error_code none;
  return fs::weakly_canonical(fs::absolute(choice.file, none), none);
}

/// Of all programs, in the order they were asked for.
std::vector<fs::path> keptIn(const fs::path& folder) {
  std::error_code none;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (endingOf(entry.path()) == ".flame") found.push_back(entry.path());
  std::ranges::sort(found, {}, [&](const fs::path& file) {
    return std::pair(fs::last_write_time(file, none), file);
  });
  return found;
}

/// The program that an export is kept for (PROCESS-ID.flame), and whether it runs beside this one.
int processOf(const fs::path& kept) { return std::atoi(kept.filename().string().c_str()); }
bool isOfAnother(const fs::path& kept) {
  const int process = processOf(kept);  // 0: of none
  return process > 0 && process != system::processId() && system::isRunning(process);
}
/// The same export, kept for this program; 0: for any. Its ID has a dash of its own.
fs::path keptFor(int process, const fs::path& kept) {
  std::string id = kept.filename().string();
  if (std::ranges::count(id, '-') > 1) id.erase(0, id.find('-') + 1);
  return kept.parent_path() / fmt::format("{}-{}", process, id);
}

}  // namespace

struct ExportQueue::Task {
  ExportChoice choice;
  Settings settings;
  std::uint64_t seed = 1;
  std::vector<Genome> genomes;           // a still or keyframes; none: a film of curves
  std::shared_ptr<const Motion> motion;  // of a film
  fs::path kept;
  int first = 0, count = 1, frame = 0;
  bool begun = false;                // this frame
  std::shared_ptr<VideoFile> video;  // shared with the thread that feeds it
  std::string fileOfFrame() const {
    const auto pattern = FramePattern::of(choice.file);
    return pattern ? pattern->at(first + frame) : choice.file;
  }
  /// What moves, and its frames as `flame animate` has them. Throws Error.
  void prepare() {
    if (!isFilm(choice)) return;
    if (!motion) motion = std::make_shared<const Keyframes>(genomes);
    first = int(std::ceil(motion->firstTime()));
    count = std::max(1, int(std::ceil(motion->lastTime())) - first);
  }
  /// What is kept beside the genomes.
  void describe(FieldVisitor& field) {
    flame::describe(settings, field);
    field(choice.file, text("file", ""));
    field(choice.bits, range("bits", 8, 16, ""));
    field(choice.asFloat, toggle("float", ""));
    float rate = float(choice.framesPerSecond);
    field(rate, range("fps", 1.0f, 240.0f, ""));
    choice.framesPerSecond = rate, choice.alpha = settings.transparent;
    std::string number = std::to_string(seed);
    field(number, text("seed", ""));
    seed = numberIn<std::uint64_t>(number).value_or(1);
  }
  /// As it was kept. Throws Error.
  static std::unique_ptr<Task> of(const fs::path& kept) {
    auto task = std::make_unique<Task>();
    task->genomes = readGenomes(kept).genomes;
    std::erase_if(task->genomes.at(0).other, [&](const auto& attribute) {
      if (!attribute.first.starts_with(kAttributes)) return false;
      assign([&](FieldVisitor& field) { task->describe(field); },
             attribute.first.substr(kAttributes.size()), attribute.second);
      return true;
    });
    return task;
  }
  /// A film that goes on keeps the frames that are younger than what asked for them.
  void skipWritten() {
    std::error_code none;
    while (motion && !video && !isVideo(choice.file) && !kept.empty() && frame + 1 < count &&
           fs::last_write_time(fileOfFrame(), none) > fs::last_write_time(kept, none))
      ++frame;
  }
};

ExportQueue::ExportQueue(fs::path folder) : folder_(std::move(folder)) {}

/// What waits is for any program: numbers of processes are given again.
ExportQueue::~ExportQueue() {
  const auto release = [&](const fs::path& kept) {
    std::error_code none;
    if (!kept.empty()) fs::rename(kept, keptFor(0, kept), none);
  };
  release(kept_);
  for (const auto& task : waiting_) release(task->kept);
}

bool ExportQueue::start(const Timeline& timeline, const Settings& settings, std::uint64_t seed,
                        ExportChoice choice) {
  const auto refuse = [&](const std::string& why) {
    ended_ = {why, true};
    return false;
  };
  if (!timeline.open()) return refuse("There is no flame to export.");
  if (isFilm(choice) && !timeline.moves()) return refuse("There is no animation: a still is open.");
  auto task = std::make_unique<Task>();
  task->settings = settings;
  task->settings.quality = choice.samples;
  task->settings.transparent = choice.alpha && !isVideo(choice.file);
  task->seed = seed;
  if (!isFilm(choice))
    task->genomes = {timeline.shown()};
  else if (timeline.editable())
    task->genomes = timeline.genomes();
  else
    task->motion = timeline.motion();
  for (Genome& genome : task->genomes)
    if (choice.size.x > 0) genome = framed(genome, choice.size);
  task->choice = std::move(choice);
  try {
    task->prepare();
    checkPlace(task->fileOfFrame());
    const fs::path place = placeOf(task->choice);
    bool isTaken = (task_ || writing()) && place == place_;
    for (const auto& other : waiting_) isTaken |= place == placeOf(other->choice);
    for (const fs::path& kept : keptIn(folder_)) try {
        isTaken |= place == placeOf(Task::of(kept)->choice);
      } catch (const std::exception&) {  // damaged, or ended meanwhile
      }
    if (isTaken) fail("{}: expected another file, found an export that writes it", place.string());
    keep(*task);
  } catch (const Error& error) {
    return refuse(error.what());
  }
  if (!running()) file_ = task->choice.file;
  waiting_.push_back(std::move(task));
  return !waiting_.back()->kept.empty();
}

// ---- What waits, in the folder

void ExportQueue::adopt() {
  for (const fs::path& kept : keptIn(folder_)) try {
      if (isOfAnother(kept)) continue;
      std::unique_ptr<Task> task = Task::of(kept);
      task->prepare();
      // Another program that looked finds it no more.
      fs::rename(kept, task->kept = keptFor(system::processId(), kept));
      file_ = task->choice.file;
      waiting_.push_back(std::move(task));
    } catch (const std::exception& error) {
      std::error_code none;
      if (!fs::exists(kept, none)) continue;  // another program was quicker
      ended_ = {error.what(), true};
      fs::rename(kept, fs::path(kept) += ".damaged", none);  // said once
    }
}

std::vector<std::string> ExportQueue::listed() const {
  std::vector<std::string> lines;
  for (const fs::path& kept : keptIn(folder_)) try {
      const std::unique_ptr<Task> task = Task::of(kept);
      const Genome& genome = task->genomes[0];
      const double own = task->settings.quality;
      lines.push_back(
          fmt::format("{}: {} x {}, {:g} samples per pixel, {} ({})", task->choice.file,
                      genome.size.x, genome.size.y, own > 0 ? own : genome.quality,
                      isOfAnother(kept) ? fmt::format("in process {}", processOf(kept)) : "waiting",
                      kept.string()));
    } catch (const std::exception& error) {
      lines.push_back(error.what());
    }
  return lines;
}

fs::path ExportQueue::nextPlace() {
  std::error_code none;
  fs::path place;
  const int process = system::processId();
  do place = folder_ / fmt::format("{0}-{0}-{1:04}.flame", process, ++number_);
  while (fs::exists(place, none) || fs::exists(keptFor(0, place), none));
  return place;
}

void ExportQueue::keep(Task& task) try {
  if (folder_.empty() || task.genomes.empty()) return;
  task.choice.file = fs::absolute(task.choice.file).string();  // in the next window, too
  std::vector<Genome> genomes = task.genomes;
  for (const FieldValue& value : valuesOf([&](FieldVisitor& field) { task.describe(field); }))
    genomes[0].other.emplace_back(std::string(kAttributes) + value.name, value.text);
  fs::create_directories(folder_);
  writeGenomes(task.kept = nextPlace(), genomes);
} catch (const std::exception&) {
  task.kept.clear();  // it is written, but does not outlive the window
}

void ExportQueue::cancel() {
  if (!running()) return;
  if (cancelled_) *cancelled_ = true;
  jobs_.forget();
  end("Cancelled.", false);
}

void ExportQueue::end(const std::string& message, bool failed) {
  slice_.abandon();
  task_.reset(), rendering_.reset();
  std::error_code none;
  if (const fs::path kept = std::exchange(kept_, {}); !kept.empty()) fs::remove(kept, none);
  ended_ = {message, failed};
}

double ExportQueue::progress() const {
  if (!task_) return writing() ? 1 : 0;
  const double wanted = task_->begun && rendering_ ? rendering_->samplesWanted() : 0;
  const double share = wanted > 0 ? std::min(1.0, rendering_->samples() / wanted) : 0;
  return (task_->frame + share) / task_->count;
}

void ExportQueue::begin(Task& task) {
  if (isVideo(task.choice.file) && !task.video) {
    const glm::ivec2 size = task.motion->shapeAt(task.first).size;
    task.video = std::make_shared<VideoFile>(task.choice.file, size, task.choice.framesPerSecond);
  }
  if (task.motion)
    rendering_->start(std::make_shared<const Exposure>(task.motion, task.first + task.frame),
                      task.settings, task.seed, Rendering::Pictures::Last);
  else
    rendering_->start(task.genomes[0], task.settings, task.seed, Rendering::Pictures::Last);
  task.begun = true;
}

void ExportQueue::write(Task& task) {
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

void ExportQueue::advance(gpu::Context& gpu, double budgetMs) {
  if (!rendering_) rendering_ = std::make_unique<Rendering>(gpu);
  if (!task_->begun) {
    task_->skipWritten();
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

bool ExportQueue::step(gpu::Context& gpu, double budgetMs) {
  jobs_.deliver();
  if (!task_ && !writing() && !ended_ && waiting() > 0) {
    task_ = std::move(waiting_.front());
    waiting_.pop_front();
    file_ = task_->choice.file, kept_ = task_->kept, place_ = placeOf(task_->choice);
    cancelled_ = std::make_shared<std::atomic<bool>>(false);
  }
  if (!task_) return running();
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
    end(error.what(), true);
  }
  return running();
}

}  // namespace fathom::flame
