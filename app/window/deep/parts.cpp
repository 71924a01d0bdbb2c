// SPDX-License-Identifier: BSD-3-Clause
// The parts and what goes from one to the other. What is merged is saved by the way of steps: rows
// on the host, which are written at once.
#include "app/window/deep/parts.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/bands/steps.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_exr.h"

namespace fathom::deep {

DeepWindowParts::DeepWindowParts(DeepEngine& engine)
    : engine_(engine),
      surveyor_(engine.bands(), engine.setup(), [&engine] { return engine.isIdle(); }),
      tool_(engine.settingsStruct(), engine.opened(), engine.points(), engine.inspection()),
      inputsPage_(engine.settingsStruct(), engine.opened(), request_),
      peel_(engine.settingsStruct(), surveyor_) {
  editing = this, panels = this, background = this;
  playing = &frames_, tools = &tool_;
}

void DeepWindowParts::adopted(const std::vector<std::string>&) {
  const Inputs& inputs = engine_.opened();
  const bool areFiles = !inputs.scene() && !inputs.streamed();
  frames_.open(areFiles ? inputs.names() : std::vector<std::string>());
  noteFrame();
}

void DeepWindowParts::advance() {
  ofPixels = engine_.settingsStruct().show != Show::Points;
  const std::shared_ptr<const Loaded> frame = frames_.take();
  if (!frame) return;
  engine_.adoptFrame(*frame);
  noteFrame();
}

void DeepWindowParts::noteFrame() {
  const std::vector<int>& frames = frames_.frames();
  engine_.setFrameNumber(frames.empty() ? std::nullopt : std::optional(frames[frames_.shown()]));
}

std::optional<TechniqueFile> DeepWindowParts::savable() const {
  const bool areFiles = engine_.opened().isOpen() && !engine_.opened().scene();
  if (engine_.settingsStruct().steps.empty())
    return areFiles ? std::optional(TechniqueFile{"merged image", {".exr", ".fdp"}, "merged.exr"})
                    : std::nullopt;
  if (!areFiles) return TechniqueFile{"recipe", {".recipe"}, "shot.recipe"};
  return TechniqueFile{"recipe or image", {".recipe", ".exr", ".fdp"}, "shot.recipe"};
}

void DeepWindowParts::save(const std::string& file) {
  parseSteps(engine_.settingsStruct().steps, file);  // what deep run would refuse is not written
  writeFile(file, engine_.settingsStruct().steps);
}

std::function<void()> DeepWindowParts::writer(const std::string& file) {
  if (endingOf(file) == ".recipe") return {};
  const Inputs& inputs = engine_.opened();
  if (isInput(file, inputs.names()))
    fail("{}: expected another file than the inputs, which are open", file);
  const std::string& wrong = inputs.made().complaint;
  if (inputs.made().steps != engine_.settingsStruct().steps || !wrong.empty())
    fail("{}: expected steps that are done, found {}", file,
         wrong.empty() ? "steps in progress" : wrong);
  const MergeSetup setup(engine_.settingsStruct(), inputs);
  return [file, header = savedHeader(inputs, setup), edits = setup.edits(Purpose::File),
          images = inputs.kept()] {
    DeepExrWriter out(file, header);
    mergeRows(editedInputs(*images, edits), edits.merged, header.dataWindow, out.rowStep(),
              [&](DeepImage&& rows) { out.writeRows(rows); });
    out.finish();
  };
}

// ---- Frames. What is asked for is read first, then, while playing, the frames behind it. Where
// memory ends, the frame that is farthest behind the one shown goes.

namespace {

constexpr std::size_t kAhead = 8;                      // frames that are read before they are due
constexpr auto kLook = std::chrono::milliseconds(15);  // how often answers are looked for

std::uint64_t bytesOf(const Loaded& loaded) {
  std::uint64_t bytes = 0;
  for (const DeepImage& image : loaded.images) {
    bytes += image.words.size() * 4 + image.fragmentOffsets.size() * sizeof(std::size_t);
    for (const DeepChannel& channel : image.channels) bytes += channel.values.size();
  }
  for (const auto& [input, flat] : loaded.flats)
    bytes += flat.image.pixels.size() * sizeof(glm::vec4) + flat.depth.size() * 4;
  return bytes;
}

}  // namespace

void FramePlayer::open(const std::vector<std::string>& inputs) {
  jobs_.forget(), reading_.reset(), complaint_.clear();
  kept_.clear();
  player_.stop();
  inputs_ = NumberedInputs(inputs);
  shown_ = wanted_ = inputs_.given;
}

void FramePlayer::show(std::size_t frame) {
  if (frame >= frames().size()) return;
  wanted_ = frame;
  complaint_.clear();
  if (!isKept(frame)) request(frame);
}

void FramePlayer::play(bool on) {
  player_.stop();
  if (on && !frames().empty()) player_.start(int(shown_), range(), Clock::now());
}

void FramePlayer::request(std::size_t frame) {
  if (reading_) return;  // take() asks again when that is there
  reading_ = frame;
  jobs_.submit(
      [this, frame, files = inputs_.filesOf(frames()[frame])]() -> JobQueue::Delivery {
        std::shared_ptr<const Loaded> read = readFiles(files, {});
        return [this, frame, read = std::move(read)] { keep(frame, read); };
      },
      [this](std::exception_ptr error) {
        reading_.reset();
        wanted_ = shown_;
        player_.stop();
        complaint_ = messageOf(error);
      });
}

void FramePlayer::keep(std::size_t frame, std::shared_ptr<const Loaded> read) {
  reading_.reset();
  kept_[frame] = std::move(read);
  std::uint64_t bytes = 0;
  for (const auto& [other, loaded] : kept_) bytes += bytesOf(*loaded);
  const auto behind = [&](std::size_t other) {  // how long until it is due
    return (other + frames().size() - wanted_) % frames().size();
  };
  while (bytes > cacheBytes_ && kept_.size() > 1) {
    auto farthest = kept_.begin();
    for (auto at = kept_.begin(); at != kept_.end(); ++at)
      if (behind(at->first) > behind(farthest->first)) farthest = at;
    if (farthest->first == wanted_) break;
    bytes -= bytesOf(*farthest->second);
    kept_.erase(farthest);
  }
}

/// No frame is left out: the next one is due when the one shown had its time.
bool FramePlayer::isNextDue() const {
  return isPlaying() && wanted_ == shown_ && player_.nextIsDue(Clock::now());
}

std::shared_ptr<const Loaded> FramePlayer::take() {
  jobs_.deliver();
  if (frames().empty()) return nullptr;
  if (isNextDue()) wanted_ = (shown_ + 1) % frames().size();
  if (!isKept(wanted_))
    request(wanted_);
  else if (isPlaying())
    for (std::size_t i = 1, next = 0; i <= kAhead && !reading_; ++i)
      if (next = (wanted_ + i) % frames().size();
          !isKept(next) && bytesOf(*kept_.at(wanted_)) * (i + 2) < cacheBytes_)
        request(next);
  if (wanted_ == shown_ || !isKept(wanted_)) return nullptr;
  shown_ = wanted_;
  if (isPlaying()) player_.start(int(shown_), range(), Clock::now());
  return kept_.at(shown_);
}

std::optional<FramePlayer::Clock::time_point> FramePlayer::dueAt() const {
  if (reading_ || wanted_ != shown_ || isNextDue()) return Clock::now() + kLook;
  return player_.dueAt(Clock::now());
}

}  // namespace fathom::deep
