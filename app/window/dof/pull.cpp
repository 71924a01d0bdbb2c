// SPDX-License-Identifier: BSD-3-Clause
// Keys, their undo and file; frames read one at a time, a wish that comes meanwhile waits; and what
// goes between keys, settings and frames.
#include "app/window/dof/pull.h"

#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"
#include "app/system/process.h"

namespace fathom::dof {
namespace {

constexpr int kMaxFrame = 1000000;
constexpr auto kPause = std::chrono::seconds(1);  // after which a change by hand is another one

auto placeOf(auto& keys, int frame) {
  return std::ranges::find_if(keys, [&](const auto& key) { return key.first == double(frame); });
}

void put(FocusPull::Keys& keys, int frame, double value) {
  if (const auto at = placeOf(keys, frame); at != keys.end())
    at->second = value;
  else
    keys.emplace_back(frame, value), std::ranges::sort(keys);
}

}  // namespace

bool FocusTrack::hasKey(Lane lane, int frame) const {
  return placeOf(keys(lane), frame) != keys(lane).end();
}

// ---- Frames

void FocusTrack::setRange(int first, int last) {
  first_ = std::clamp(first, -kMaxFrame, kMaxFrame - 1);
  last_ = std::clamp(last, first_ + 1, kMaxFrame);
  if (frame_ < first_ || frame_ > last_) goTo(frame_);
}

void FocusTrack::goTo(int frame) {
  player_.stop();
  frame = std::clamp(frame, first_, last_);
  if (frame != frame_) ++version_;
  frame_ = frame;
}

void FocusTrack::play(bool on) {
  if (!on) return player_.stop();
  if (!isPlaying()) player_.start(frame_ >= last_ ? first_ : frame_, {first_, last_}, Clock::now());
}

void FocusTrack::advance(Clock::time_point now, bool drawn) {
  if (!isPlaying() || !drawn) return;
  const int due = player_.frameAt(now, {first_, last_});
  if (due != frame_) frame_ = due, ++version_;
}

// ---- Keys

/// Before a change: changes of one gesture are one step of undo.
void FocusTrack::remember(const std::string& gesture) {
  ++version_;
  const bool goesOn = !gesture.empty() && gesture == gesture_;
  gesture_ = gesture;
  if (!goesOn) history_.settle(pull_);
}

void FocusTrack::setKey(Lane lane, double value) {
  if (!(value > 0) || !std::isfinite(value)) return;
  remember({});
  put(changed(lane), frame_, value);
}

void FocusTrack::follow(Lane lane, double value, Clock::time_point now) {
  if (!(value > 0) || !std::isfinite(value)) return;
  if (now - followed_ > kPause) gesture_.clear();
  followed_ = now;
  remember(fmt::format("follow {} {}", int(lane), frame_));
  put(changed(lane), frame_, value);
}

void FocusTrack::deleteKeys() {
  if (!hasKey(Lane::Focus, frame_) && !hasKey(Lane::FNumber, frame_)) return;
  remember({});
  for (const Lane lane : kLanes)
    std::erase_if(changed(lane), [&](const auto& key) { return key.first == double(frame_); });
}

void FocusTrack::dragKey(Lane lane, int from, int to) {
  const std::string gesture = fmt::format("drag {} {}", int(lane), from);
  if (gesture_ == gesture)
    pull_ = history_.settled();  // keys that were passed on the way are there again
  else if (from == to)
    return;
  to = std::clamp(to, first_, last_);
  if (!hasKey(lane, from)) return;
  remember(gesture);
  FocusPull::Keys& all = changed(lane);
  const auto key = placeOf(all, from);
  const double value = key->second;
  all.erase(key);
  put(all, to, value);
}

void FocusTrack::open(FocusPull pull, const std::string& file) {
  pull_ = std::move(pull), saved_ = pull_;
  file_ = file;
  history_ = History(pull_);
  gesture_.clear();
  const std::vector<int> frames = pull_.frames();
  if (frames.size() > 1) setRange(frames.front(), frames.back());
  ++version_;
}

// ---- Editing

bool FocusTrack::moves(const std::string& setting) const {
  return (setting == "focus-distance" && !pull_.focus.empty()) ||
         (setting == "f-number" && !pull_.fNumber.empty());
}

void FocusTrack::undo() {
  if (!undoTime()) return;
  pull_ = history_.undo(pull_);
  gesture_.clear(), ++version_;
}

void FocusTrack::redo() {
  if (!redoTime()) return;
  pull_ = history_.redo(pull_);
  gesture_.clear(), ++version_;
}

std::optional<TechniqueFile> FocusTrack::savable() const {
  if (pull_.empty()) return std::nullopt;
  return TechniqueFile{"focus pull", {".json"}, file_.empty() ? "focus-pull.json" : file_};
}

void FocusTrack::save(const std::string& file) {
  if (!file.ends_with(".json"))
    fail("{}: expected a name that ends in .json for a focus pull, found another", file);
  writeFile(file, jsonOf(pull_));
  file_ = file, saved_ = pull_;
}

void FocusTrack::recover(const std::string& file) {
  FocusPull pull = parsePull(file);
  remember({});
  pull_ = std::move(pull);
}

std::any FocusTrack::keep() { return Lasting(lasting()); }

void FocusTrack::restore(std::any kept) {
  lasting() = std::any_cast<Lasting>(std::move(kept));
  ++version_;
}

void FrameReader::open(const std::vector<std::string>& inputs) {
  jobs_.forget(), reading_.reset(), ready_.reset();
  inputs_ = NumberedInputs(inputs);
  shown_ = wanted_ = frames().empty() ? 0 : frames()[inputs_.given];
  error_.clear();
}

void FrameReader::want(int frame) {
  if (frames().empty()) return;
  const auto after = std::ranges::upper_bound(frames(), frame);
  wanted_ = after == frames().begin() ? frames().front() : *std::prev(after);
  if (wanted_ != shown_ && !reading_) request(wanted_);
}

void FrameReader::request(int frame) {
  reading_ = frame;
  error_.clear();
  jobs_.submit(
      [this, frame, files = inputs_.filesOf(frame)]() -> JobQueue::Delivery {
        // Deliveries can be copied, what was read cannot.
        Progress progress;
        const auto loaded = std::make_shared<std::unique_ptr<LoadedInputs>>(read(files, progress));
        return [this, frame, loaded] {
          ready_ = std::move(*loaded);
          reading_.reset(), shown_ = frame;
        };
      },
      [this](std::exception_ptr error) {
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

/// Settings that are not at their defaults, as flags; without those that a pull moves.
std::string flagsOf(Settings settings, const FocusPull& pull) {
  Settings fresh;
  if (!pull.focus.empty()) settings.focusDistance = fresh.focusDistance;
  if (!pull.fNumber.empty()) settings.fNumber = fresh.fNumber;
  settings.show = fresh.show;
  const auto values = valuesOf(describing(settings));
  const auto defaults = valuesOf(describing(fresh));
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] == defaults[i]))
      text += fmt::format(" --{} {}", values[i].name, system::shellWord(values[i].text));
  return text;
}

std::vector<std::string> withoutPulls(std::vector<std::string> inputs) {
  std::erase_if(inputs, [](const std::string& input) { return input.ends_with(".json"); });
  return inputs;
}

}  // namespace

PullControl::PullControl(DofEngine& engine) : shot_(engine.shot()), engine_(engine) {
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
  track_.advance(now, engine_.complete() && !reader_.isBusy());
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
  return given > 0 || !engine_.sharp() ? double(given) : engine_.lens().focus;
}

void PullControl::setKey(Lane lane) { track_.setKey(lane, valueOf(lane)); }

std::vector<Shortcut> PullControl::actions() {
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

// ---- The command line

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
    text += " " + system::shellWord(input);
  text += " --focus " + system::shellWord(focus);
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
