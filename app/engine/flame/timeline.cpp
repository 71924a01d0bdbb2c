// SPDX-License-Identifier: BSD-3-Clause
// The playhead, edits that keep times ascending, and fingerprints.
#include "app/engine/flame/timeline.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/motion/keyframes.h"

namespace fathom::flame {

void describe(PlayheadSettings& s, FieldVisitor& field) {
  const auto input = under(Section::Input, field);
  constexpr float kMaxTime = 100000;  // frames
  input(s.flame, range("flame", 1, kMaxFlames, "Which flame of a file with several.").ofInputs());
  input(s.time, range("time", -kMaxTime, kMaxTime,
                      "Time shown of an animation (flames with ascending times), in frames.")
                    .ofInputs()
                    .editedOn("timeline"));
}

void describe(PlaybackSettings& s, FieldVisitor& field) {
  const auto picture = under(Section::Picture, field);
  picture(s.frameRate, range("frame-rate", kMinFrameRate, kMaxFrameRate,
                             "Frames per second when an animation plays in the window.")
                           .editedOn("timeline"));
  picture(s.loop, toggle("loop", "Start over at the end of an animation.").editedOn("timeline"));
  picture(s.motionBlur,
          toggle("motion-blur", "Show animations with motion blur, as animate renders them."));
}

namespace {

constexpr double kSameTime = 1e-6;  // frames
constexpr double kMinApart = 0.01;  // frames between keyframes

bool sameTime(double a, double b) { return std::abs(a - b) < kSameTime; }

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15u + (hash << 7);
}

}  // namespace

bool areKeyframes(const std::vector<Genome>& genomes) {
  const auto apart = [](const Genome& a, const Genome& b) {
    return !(b.time > a.time) || b.size != a.size;
  };
  return genomes.size() > 1 && std::ranges::adjacent_find(genomes, apart) == genomes.end();
}

void Timeline::adopt(std::vector<Genome> genomes, std::size_t current) {
  FATHOM_CHECK_OP(current, <, genomes.size());
  film_.reset();
  genomes_ = std::move(genomes);
  prints_.clear();
  changed();
  place(current, genomes_[current].time);
  asked_.flame = followedFlame_ = int(current) + 1;
}

void Timeline::adopt(std::shared_ptr<const Motion> film, Genome first) {
  FATHOM_CHECK(film != nullptr);
  genomes_ = {std::move(first)};
  film_ = std::move(film);
  changed();
  place(0, film_->firstTime());
  asked_.flame = followedFlame_ = 1;
}

/// Where genomes move, the time alone says which one is current.
void Timeline::place(std::size_t current, double time) {
  current_ = current;
  time_ = time;
  between_.reset();
  asked_.time = float(time_);
  if (!moves()) asked_.flame = followedFlame_ = int(current_) + 1;
}

bool Timeline::follow() {
  if (!open()) return true;
  const bool otherTime = asked_.time != float(time_);
  const double time = asked_.time;
  if (asked_.flame != followedFlame_) {
    if (asked_.flame > int(genomes_.size())) {
      asked_.flame = followedFlame_;
      return false;
    }
    followedFlame_ = asked_.flame;
    if (std::size_t(asked_.flame - 1) != current_) select(std::size_t(asked_.flame - 1));
  }
  if (otherTime && moves()) setTime(std::clamp(time, firstTime(), lastTime()));
  asked_.time = float(time_);
  return true;
}

void Timeline::changed() {
  keyframesMove_ = areKeyframes(genomes_);
  motion_.reset();
  between_.reset();
  ++revision_;
}

double Timeline::firstTime() const {
  if (film_) return film_->firstTime();
  return keyframesMove_ ? genomes_.front().time : genomes_[current_].time;
}

double Timeline::lastTime() const {
  if (film_) return film_->lastTime();
  return keyframesMove_ ? genomes_.back().time : genomes_[current_].time;
}

std::size_t Timeline::indexAt(double time) const {
  if (!keyframesMove_) return current_;
  const auto after = std::ranges::upper_bound(genomes_.begin() + 1, genomes_.end(),
                                              time + kSameTime, {}, &Genome::time);
  return std::size_t(after - genomes_.begin()) - 1;
}

void Timeline::setTime(double time) {
  if (time != time_) place(indexAt(time), time);
}

void Timeline::select(std::size_t index) {
  FATHOM_CHECK_OP(index, <, genomes_.size());
  place(index, film_ ? time_ : genomes_[index].time);
}

double Timeline::shownTime() const { return std::clamp(time_, firstTime(), lastTime()); }

bool Timeline::onKeyframe() const {
  if (film_) return shownTime() == firstTime();
  return !keyframesMove_ || sameTime(genomes_[current_].time, shownTime());
}

std::shared_ptr<const Motion> Timeline::motion() const {
  if (film_) return film_;
  if (!motion_ && keyframesMove_) motion_ = std::make_shared<const Keyframes>(genomes_);
  return motion_;
}

const Genome& Timeline::shown() const {
  if (onKeyframe()) return genomes_[current_];
  if (!between_) between_ = motion()->at(shownTime());
  return *between_;
}

std::optional<double> Timeline::timeBefore() const {
  std::optional<double> found;
  if (film_) return found;
  for (const Genome& genome : genomes_)
    if (genome.time < time_ - kSameTime) found = genome.time;
  return found;
}

std::optional<double> Timeline::timeAfter() const {
  if (film_) return std::nullopt;
  for (const Genome& genome : genomes_)
    if (genome.time > time_ + kSameTime) return genome.time;
  return std::nullopt;
}

// ---- Edits

void Timeline::setShown(Genome genome) {
  if (!editable()) return;
  if (!onKeyframe() && !addKeyframe()) return;
  setAt(current_, std::move(genome));
}

void Timeline::setAt(std::size_t index, Genome genome) {
  if (!editable()) return;
  genome.time = genomes_.at(index).time;
  if (keyframesMove_ && genome.size != genomes_[index].size)
    for (Genome& other : genomes_) other = framed(other, genome.size);
  genomes_[index] = std::move(genome);
  changed();
}

bool Timeline::addKeyframe() {
  const bool still = genomes_.size() == 1;
  if (!editable() || !(still || keyframesMove_)) return false;
  Genome genome = shown();
  genome.time = time_;
  const auto at = std::ranges::upper_bound(genomes_, time_, {}, &Genome::time);
  const auto near = [&](const Genome& other) {
    return std::abs(other.time - time_) < kMinApart - kSameTime;
  };
  if (std::ranges::any_of(genomes_, near)) return false;
  const auto index = std::size_t(at - genomes_.begin());
  genomes_.insert(at, std::move(genome));
  changed();
  place(index, time_);
  return true;
}

bool Timeline::removeKeyframe(std::size_t index) {
  if (!editable() || genomes_.size() < 2 || index >= genomes_.size()) return false;
  genomes_.erase(genomes_.begin() + std::ptrdiff_t(index));
  const std::size_t beside = std::min(current_, genomes_.size() - 1);
  changed();
  if (genomes_.size() == 1 || !keyframesMove_)
    select(beside);
  else
    place(indexAt(time_), time_);
  return true;
}

bool Timeline::duplicateKeyframe(std::size_t index) {
  if (!editable() || !keyframesMove_ || index >= genomes_.size()) return false;
  Genome copy = genomes_[index];
  if (index + 1 < genomes_.size()) {
    const double next = genomes_[index + 1].time;
    copy.time = std::floor((genomes_[index].time + next) / 2);
    if (copy.time <= genomes_[index].time + kSameTime) return false;
  } else {
    copy.time += genomes_[index].time - genomes_[index - 1].time;
  }
  genomes_.insert(genomes_.begin() + std::ptrdiff_t(index) + 1, std::move(copy));
  changed();
  select(index + 1);
  return true;
}

bool Timeline::moveKeyframe(std::size_t index, double to, bool whole) {
  if (!editable() || index >= genomes_.size() || !(keyframesMove_ || genomes_.size() == 1))
    return false;
  const bool carried = sameTime(genomes_[index].time, time_);
  double low = -1e6, high = 1e6;
  if (index > 0) low = genomes_[index - 1].time + kMinApart;
  if (index + 1 < genomes_.size()) high = genomes_[index + 1].time - kMinApart;
  if (whole) low = std::ceil(low), high = std::floor(high), to = std::round(to);
  if (low > high) return false;
  to = std::clamp(to, low, high);
  if (to == genomes_[index].time) return false;
  genomes_[index].time = to;
  changed();
  if (carried) select(index);
  return true;
}

void Timeline::spread(double frames) {
  if (!editable()) return;
  for (std::size_t i = 0; i < genomes_.size(); ++i) {
    genomes_[i].time = double(i) * frames;
    if (genomes_[i].size != genomes_[0].size) genomes_[i] = framed(genomes_[i], genomes_[0].size);
  }
  changed();
  select(current_);
}

void Timeline::freeze(double frames) {
  if (editable()) return;
  const std::shared_ptr<const Motion> film = std::exchange(film_, nullptr);
  const double last = std::floor(film->lastTime());
  genomes_.clear();
  const auto add = [&](double time) {
    genomes_.push_back(film->at(time));
    genomes_.back().time = time;
    genomes_.back().size = genomes_[0].size;
  };
  for (double time = std::ceil(film->firstTime()); time < last; time += frames) add(time);
  add(last);
  current_ = 0;
  changed();
  place(indexAt(time_), time_);
}

void Timeline::replaceAll(std::vector<Genome> genomes, std::size_t current, double time) {
  if (!editable()) return;
  FATHOM_CHECK(!genomes.empty());
  genomes_ = std::move(genomes);
  current_ = std::min(current, genomes_.size() - 1);
  changed();
  place(indexAt(time), time);
}

// ---- Fingerprints

/// By content, so that what is undone is recognized.
std::uint64_t Timeline::fingerprintOf(std::size_t index) const {
  if (printed_ != revision_) {
    prints_.resize(genomes_.size());
    for (std::size_t i = 0; i < genomes_.size(); ++i)
      if (prints_[i].value == 0 || !(prints_[i].genome == genomes_[i])) {
        const Genome bare = labeledAs(genomes_[i], {});
        prints_[i] = {genomes_[i], std::hash<std::string>{}(genomesXml({&bare, 1})) | 1};
      }
    printed_ = revision_;
  }
  return prints_[index].value;
}

std::uint64_t Timeline::fingerprint(double time, double halfShutter) const {
  std::uint64_t hash = mixed(std::bit_cast<std::uint64_t>(halfShutter), moves() ? 1 : 0);
  if (film_) return mixed(mixed(hash, revision_), std::bit_cast<std::uint64_t>(time));
  if (!keyframesMove_) return mixed(hash, fingerprintOf(current_));
  // The segments that contribute, and beside each smooth one its neighbors.
  std::size_t first = indexAt(time - halfShutter), last = indexAt(time + halfShutter) + 1;
  first = std::min(first, genomes_.size() - 2);
  if (first > 0 && sameTime(genomes_[first].time, time - halfShutter)) --first;
  last = std::min(last, genomes_.size() - 1);
  const auto smooth = [&](std::size_t segment) {
    return genomes_[segment].interpolation == Interpolation::Smooth;
  };
  if (first > 0 && smooth(first)) --first;
  if (last + 1 < genomes_.size() && smooth(last - 1)) ++last;
  for (std::size_t i = first; i <= last; ++i) {
    hash = mixed(hash, fingerprintOf(i));
    hash = mixed(hash, std::bit_cast<std::uint64_t>(genomes_[i].time - time));
  }
  return hash;
}

}  // namespace fathom::flame
