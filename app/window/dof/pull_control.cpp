// SPDX-License-Identifier: BSD-3-Clause
// One frame at a time; a wish that comes meanwhile waits.
#include "app/window/dof/pull_control.h"

#include "app/engine/io/frame_sequence.h"

namespace fathom::dof {

void FrameReader::open(const std::vector<std::string>& inputs) {
  ++generation_, reading_.reset(), ready_.reset();
  patterns_.clear(), frames_.clear();
  shown_ = wanted_ = 0;
  error_.clear();
  for (const std::string& input : inputs) {
    const std::string pattern = patternOfNumbered(input);
    patterns_.push_back(pattern.empty() || !FramePattern::of(pattern) ? input : pattern);
  }
  const auto first = patterns_.empty() ? std::nullopt : FramePattern::of(patterns_[0]);
  if (!first) return;
  frames_ = first->found();
  for (const int frame : frames_)
    if (first->at(frame) == inputs[0]) shown_ = wanted_ = frame;
  if (frames_.size() < 2) frames_.clear();
}

void FrameReader::want(int frame) {
  if (frames_.empty()) return;
  const auto after = std::upper_bound(frames_.begin(), frames_.end(), frame);
  wanted_ = after == frames_.begin() ? frames_.front() : *std::prev(after);
  if (wanted_ != shown_ && !reading_) request(wanted_);
}

void FrameReader::request(int frame) {
  reading_ = frame;
  error_.clear();
  std::vector<std::string> files;
  for (const std::string& pattern : patterns_) {
    const auto place = FramePattern::of(pattern);
    files.push_back(place ? place->at(frame) : pattern);
  }
  const auto generation = generation_;
  jobs_.submit(
      [this, read = read_, frame, files, generation]() -> JobQueue::Delivery {
        // Deliveries can be copied, what was read cannot.
        const auto loaded = std::make_shared<std::unique_ptr<LoadedInputs>>(read(files));
        return [this, frame, loaded, generation] {
          if (generation != generation_) return;
          ready_ = std::move(*loaded);
          reading_.reset(), shown_ = frame;
        };
      },
      [this, generation](std::exception_ptr error) {
        if (generation != generation_) return;
        reading_.reset(), wanted_ = shown_;
        error_ = messageOf(error);
      });
}

std::unique_ptr<LoadedInputs> FrameReader::take() {
  jobs_.deliver();
  if (!reading_ && wanted_ != shown_) request(wanted_);
  return std::move(ready_);
}

namespace {

using Lane = FocusTrack::Lane;

/// As a shell takes it for one word.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-./:=,@%+#").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Settings that are not at their defaults, as flags; without those that a pull moves.
std::string flagsOf(Settings settings, const FocusPull& pull) {
  Settings fresh;
  if (!pull.focus.empty()) settings.focusDistance = fresh.focusDistance;
  if (!pull.fNumber.empty()) settings.fNumber = fresh.fNumber;
  settings.show = fresh.show;
  const auto values = valuesOf([&](FieldVisitor& field) { describe(settings, field); });
  const auto defaults = valuesOf([&](FieldVisitor& field) { describe(fresh, field); });
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] == defaults[i]))
      text += fmt::format(" --{} {}", values[i].name, quoted(values[i].text));
  return text;
}

std::vector<std::string> withoutPulls(std::vector<std::string> inputs) {
  std::erase_if(inputs, [](const std::string& input) { return input.ends_with(".json"); });
  return inputs;
}

std::unique_ptr<LoadedInputs> readFrame(const std::vector<std::string>& inputs) {
  Progress progress;
  return read(inputs, progress);
}

}  // namespace

PullControl::PullControl(DofEngine& engine)
    : shot_(engine.shot()), blur_(engine.blur()), reader_(readFrame) {
  shot_.frameNumber = track_.frame();
}

void PullControl::opened(const std::vector<std::string>& before) {
  const std::vector<std::string> now = withoutPulls(shot_.input.names), then = withoutPulls(before);
  const bool sameShot = !then.empty() && !now.empty() &&
                        (then[0] == now[0] || (!reader_.frames().empty() &&
                                               patternOfNumbered(now[0]) == reader_.patterns()[0]));
  reader_.open(now);
  if (const std::vector<int>& frames = reader_.frames(); !frames.empty()) {
    track_.setRange(frames.front(), frames.back());
    track_.goTo(reader_.shown());
  }
  if (shot_.input.pull)
    track_.open(*shot_.input.pull, shot_.input.names.back());
  else if (!sameShot)
    track_.open({}, {});
  nameFile();
}

/// The file of the keys is one of the inputs: what is reopened has them again.
void PullControl::nameFile() {
  named_ = track_.file();
  shot_.input.names = withoutPulls(std::move(shot_.input.names));
  if (!named_.empty()) shot_.input.names.push_back(named_);
}

/// Another frame of the sequence, once it is there. The scale stays that of what was opened.
void PullControl::takeFrame() {
  std::unique_ptr<LoadedInputs> loaded = reader_.take();
  if (!loaded) return;
  Input next = std::move(ownInputs<Input>(*loaded));
  const double scale = shot_.autoScale;
  shot_.open(std::move(next));
  shot_.autoScale = scale;
  nameFile();
}

void PullControl::advance(Clock::time_point now) {
  takeFrame();
  if (track_.file() != named_) nameFile();
  track_.advance(now, blur_.complete() && !reader_.isBusy());
  if (track_.version() != applied_)
    apply();
  else
    followHand(now);
  focus_ = shot_.settings.focusDistance, fNumber_ = shot_.settings.fNumber;
}

/// What the keys say of the frame.
void PullControl::apply() {
  const int frame = track_.frame();
  applied_ = track_.version();
  applyPull(track_.pull(), frame, shot_.settings);
  shot_.frameNumber = frame;
  reader_.want(frame);
}

/// A focus or an f-number that something else has changed is a key, where there are keys.
void PullControl::followHand(Clock::time_point now) {
  const Settings& s = shot_.settings;
  if (s.focusDistance != focus_ && !track_.keys(Lane::Focus).empty())
    track_.follow(Lane::Focus, double(s.focusDistance), now);
  if (s.fNumber != fNumber_ && !track_.keys(Lane::FNumber).empty())
    track_.follow(Lane::FNumber, double(s.fNumber), now);
  applied_ = track_.version();
}

double PullControl::valueOf(Lane lane) const {
  if (lane == Lane::FNumber) return double(shot_.settings.fNumber);
  const float given = shot_.settings.focusDistance;
  return given > 0 || !blur_.sharp() ? double(given) : blur_.lens().focus;
}

void PullControl::setKey(Lane lane) { track_.setKey(lane, valueOf(lane)); }

std::vector<TechniqueAction> PullControl::actions() {
  const char* const group = "Focus pull";
  return {
      {group, "Play or stop", "Space", [this] { track_.play(!track_.isPlaying()); }},
      {group, "Previous frame", "Left", [this] { track_.goTo(track_.frame() - 1); }},
      {group, "Next frame", "Right", [this] { track_.goTo(track_.frame() + 1); }},
      {group, "Key of the focus at this frame", "Ctrl+K", [this] { setKey(Lane::Focus); }},
      {group, "Key of the f-number at this frame", "Ctrl+Shift+K",
       [this] { setKey(Lane::FNumber); }},
      {group, "Delete the keys of this frame", "Shift+Delete", [this] { track_.deleteKeys(); }}};
}

// The command line
// -------------------------------------------------------------------------------------------------

/// A file that holds these keys, or FROM:TO@FIRST-LAST where that says it all.
std::string PullControl::focusArgument() const {
  if (!track_.file().empty() && !track_.unsaved()) return track_.file();
  const FocusPull::Keys& keys = track_.keys(Lane::Focus);
  if (keys.size() != 2 || !track_.keys(Lane::FNumber).empty()) return {};
  if (keys[0].first != std::floor(keys[0].first) || keys[1].first != std::floor(keys[1].first))
    return {};
  return fmt::format("{}:{}@{}-{}", float(keys[0].second), float(keys[1].second),
                     int(keys[0].first), int(keys[1].first));
}

std::string PullControl::command() const {
  const std::string focus = focusArgument();
  if (focus.empty() || shot_.empty()) return {};
  const bool isSequence = !reader_.frames().empty();
  std::string text = "fathom dof render";
  for (const std::string& input : isSequence ? reader_.patterns() : withoutPulls(shot_.input.names))
    text += " " + quoted(input);
  text += " --focus " + quoted(focus);
  Settings settings = shot_.settings;
  if (isSequence) settings.mmPerUnit = float(shot_.mmPerUnit());
  text += flagsOf(std::move(settings), track_.pull());
  if (shot_.input.scene) text += fmt::format(" --size {}x{}", shot_.size.x, shot_.size.y);
  const std::vector<int> own = track_.pull().frames();
  if (own.empty() || own.front() != track_.first() || own.back() != track_.last())
    text += fmt::format(" --frames {}-{}", track_.first(), track_.last());
  return text + " -o focus.%04d.exr";
}

}  // namespace fathom::dof
