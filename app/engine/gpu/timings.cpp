// SPDX-License-Identifier: BSD-3-Clause
// Timestamp queries in flight for several frames. Results are taken in order, oldest first, and
// only when the driver has them; a pool reuses the query objects. The counters of waits and
// allocations are here too: one set per thread.
#include "app/engine/gpu/timings.h"

#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/gl.h"
#include "app/engine/gpu/slices.h"

namespace fathom::gpu {

// A point of time on the device's clock: asked for, or known already.
struct TimeStamp {
  GlId query = 0;  // 0: `ns` is it
  GLint64 ns = 0;
};

// One use of a scope.
struct ScopeRecord {
  std::size_t name;  // into TimedFrame::sums
  bool outermost;
  bool open;
  TimeStamp start, end;
  Stopwatch cpu;
  double cpuMs;
};

struct ScopeSum {
  std::string name;
  double gpuMs = 0, cpuMs = 0;
  int count = 0;
};

struct TimedFrame {
  std::uint64_t firstRecord = 0;    // the number of records.front() since the start of the program
  std::deque<ScopeRecord> records;  // not yet taken in
  std::vector<ScopeSum> sums;       // in order of first use
  double outermostMs = 0;
  GLint64 gpuStart = 0;  // the device's clock when the frame began
  bool open = true;
  TimeStamp end;
  WorkCounts counts = workCounts();  // until it is closed: those before it
};

namespace {

constexpr std::size_t kHistory = 240;       // frames
constexpr std::size_t kPendingSoft = 1024;  // records; beyond, an open frame takes in what is ready

GLint64 deviceClock() {
  GLint64 ns = 0;
  glGetInteger64v(GL_TIMESTAMP, &ns);
  return ns;
}

bool isReady(const TimeStamp& stamp) {
  if (stamp.query == 0) return true;
  GLint available = 0;
  glGetQueryObjectiv(stamp.query, GL_QUERY_RESULT_AVAILABLE, &available);
  return available != 0;
}

/// Waits when the stamp is not ready.
GLint64 timeOf(const TimeStamp& stamp) {
  GLint64 ns = stamp.ns;
  if (stamp.query) glGetQueryObjecti64v(stamp.query, GL_QUERY_RESULT, &ns);
  return ns;
}

}  // namespace

WorkCounts& countedWork() {
  thread_local WorkCounts counts;  // GL objects live on one
  return counts;
}

WorkCounts workCounts() { return countedWork(); }

double PassTiming::medianMs() const { return percentileMs(0.5); }

double PassTiming::percentileMs(double p) const {
  if (history.empty()) return 0;
  std::vector<float> sorted(history.begin(), history.end());
  const auto last = double(sorted.size() - 1);
  const auto at = std::size_t(std::clamp(p, 0.0, 1.0) * last + 0.5);
  std::nth_element(sorted.begin(), sorted.begin() + std::ptrdiff_t(at), sorted.end());
  return sorted[at];
}

struct Timings::State {
  std::deque<TimedFrame> frames;  // oldest first; only the last may be open
  bool open = false, implicit = false, software = false;
  int depth = 0;   // open scopes
  int pauses = 0;  // alive
  std::uint64_t recordCount = 0;
  std::vector<GlId> freeQueries;

  std::vector<PassTiming> passes;
  double gpuSumMs = 0, wallMs = 0;
  WorkCounts counts;
  std::uint64_t finished = 0;

  TimeStamp stamp(bool computeOnly) {
    if (software && computeOnly) return {0, deviceClock()};
    if (freeQueries.empty()) {
      freeQueries.resize(64);
      glCreateQueries(GL_TIMESTAMP, GLsizei(freeQueries.size()), freeQueries.data());
    }
    const GlId query = freeQueries.back();
    freeQueries.pop_back();
    glQueryCounter(query, GL_TIMESTAMP);
    if (software) glFlush();
    return {query, 0};
  }

  void recycle(const TimeStamp& stamp) {
    if (stamp.query) freeQueries.push_back(stamp.query);
  }

  void openFrame(bool isImplicit) {
    TimedFrame frame;
    frame.firstRecord = recordCount;
    frame.gpuStart = deviceClock();
    frames.push_back(std::move(frame));
    open = true;
    implicit = isImplicit;
  }

  void closeFrame() {
    if (!open) return;
    FATHOM_CHECK_OP(depth, ==, 0);
    open = false;
    TimedFrame& frame = frames.back();
    if (frame.records.empty() && frame.sums.empty()) {
      frames.pop_back();
    } else {
      frame.counts = workCounts() - frame.counts;
      frame.end = stamp(false);
      frame.open = false;
    }
  }

  // Takes in the oldest records of a frame; false when one is not to be had yet.
  bool drain(TimedFrame& frame, bool wait) {
    while (!frame.records.empty()) {
      const ScopeRecord& record = frame.records.front();
      if (record.open || (!wait && !isReady(record.end))) return false;
      const double ms = double(timeOf(record.end) - timeOf(record.start)) / 1e6;
      ScopeSum& sum = frame.sums[record.name];
      sum.gpuMs += std::max(0.0, ms);
      sum.cpuMs += record.cpuMs;
      ++sum.count;
      if (record.outermost) frame.outermostMs += std::max(0.0, ms);
      recycle(record.start);
      recycle(record.end);
      frame.records.pop_front();
      ++frame.firstRecord;
    }
    return true;
  }

  void collect(bool wait) {
    while (!frames.empty()) {
      TimedFrame& frame = frames.front();
      if (!drain(frame, wait) || frame.open) return;
      if (!wait && !isReady(frame.end)) return;
      wallMs = double(timeOf(frame.end) - frame.gpuStart) / 1e6;
      recycle(frame.end);
      publish(frame);
      frames.pop_front();
    }
  }

  void publish(const TimedFrame& frame) {
    ++finished;
    gpuSumMs = frame.outermostMs;
    counts = frame.counts;
    std::vector<PassTiming> before = std::exchange(passes, {});
    for (const ScopeSum& sum : frame.sums) {
      const auto old = std::ranges::find(before, sum.name, &PassTiming::name);
      PassTiming& timing =
          passes.emplace_back(old != before.end() ? std::exchange(*old, {}) : PassTiming{});
      timing.name = sum.name;
      timing.gpuMs = sum.gpuMs;
      timing.cpuMs = sum.cpuMs;
      timing.count = sum.count;
      timing.lastUse = finished;
      timing.history.push_back(float(sum.gpuMs));
      if (timing.history.size() > kHistory) timing.history.pop_front();
    }
    for (PassTiming& old : before) {
      if (old.name.empty() || finished - old.lastUse > kHistory) continue;
      old.gpuMs = old.cpuMs = 0;
      old.count = 0;
      passes.push_back(std::move(old));
    }
  }

  std::size_t sumOf(const std::string& name) {
    std::vector<ScopeSum>& sums = frames.back().sums;
    const auto sum = std::ranges::find(sums, name, &ScopeSum::name);
    if (sum != sums.end()) return std::size_t(sum - sums.begin());
    sums.push_back({name});
    return sums.size() - 1;
  }
};

Timings::Timings() : state_(std::make_unique<State>()) {}

Timings::~Timings() {
  clear();
  const auto& queries = state_->freeQueries;
  if (!queries.empty()) glDeleteQueries(GLsizei(queries.size()), queries.data());
}

void Timings::beginFrame() {
  state_->closeFrame();
  state_->openFrame(false);
}

void Timings::endFrame() {
  state_->closeFrame();
  collect();
}

Timings::Scope::Scope(Timings& timings, const std::string& name, Work work)
    : timings_(timings), record_(0), work_(work), recorded_(timings.state_->pauses == 0) {
  State& s = *timings_.state_;
  glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, GLsizei(std::min<std::size_t>(name.size(), 200)),
                   name.c_str());
  if (!recorded_) return;
  if (!s.open) s.openFrame(true);
  record_ = s.recordCount++;
  const std::size_t sum = s.sumOf(name);
  s.frames.back().records.push_back(
      {sum, s.depth == 0, true, s.stamp(work == Work::Compute), {}, Stopwatch(), 0});
  ++s.depth;
}

Timings::Scope::~Scope() {
  State& s = *timings_.state_;
  glPopDebugGroup();
  if (!recorded_) return;
  --s.depth;
  TimedFrame& frame = s.frames.back();
  ScopeRecord& record = frame.records[std::size_t(record_ - frame.firstRecord)];
  record.cpuMs = record.cpu.ms();
  record.end = s.stamp(work_ == Work::Compute);
  record.open = false;
  if (frame.records.size() > kPendingSoft) s.drain(frame, false);
}

void Timings::setSoftware(bool software) { state_->software = software; }

Timings::Pause::Pause(Timings& timings) : Counted(timings.state_->pauses) {}

void Timings::collect() { state_->collect(false); }

void Timings::finish() {
  if (state_->open && state_->implicit && state_->depth == 0) state_->closeFrame();
  ++countedWork().finishes;
  glFinish();
  throwIfLost();
  state_->collect(true);
}

void Timings::clear() {
  State& s = *state_;
  FATHOM_CHECK_OP(s.depth, ==, 0);
  for (const TimedFrame& frame : s.frames) {
    for (const ScopeRecord& record : frame.records) {
      s.recycle(record.start);
      s.recycle(record.end);
    }
    s.recycle(frame.end);
  }
  s.frames.clear();
  s.passes.clear();
  s.gpuSumMs = s.wallMs = 0;
  s.counts = {};
  s.finished = 0;
  // A frame that was open stays so, and counts from here.
  if (s.open && !s.implicit)
    s.openFrame(false);
  else
    s.open = false;
}

const std::vector<PassTiming>& Timings::passes() const { return state_->passes; }
double Timings::gpuSumMs() const { return state_->gpuSumMs; }
double Timings::frameWallMs() const { return state_->wallMs; }
const WorkCounts& Timings::counts() const { return state_->counts; }
std::uint64_t Timings::finishedFrames() const { return state_->finished; }

}  // namespace fathom::gpu
