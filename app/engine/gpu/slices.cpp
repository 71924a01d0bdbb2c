// SPDX-License-Identifier: BSD-3-Clause
// Fences behind slices, whose waits end when there is nobody left to reach them, and pairs of
// timestamps around slices. A software renderer runs compute while it is submitted: there the
// processor's clock is the device's. And the clock of sliced work.
#include "app/engine/gpu/slices.h"

#include "app/engine/core/stages.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/gl.h"

namespace fathom::gpu {
namespace {

constexpr std::size_t kSlicesInFlight = 2;
constexpr std::size_t kTimedSlices = 8;

std::atomic<bool> simulatedLoss = false;
// A driver tells of a reset until it is over; the context stays dead.
thread_local GLenum lostBy = GL_NO_ERROR;
thread_local std::optional<TimeBudget> sliceLeft;  // while sliced work runs
thread_local int noYields = 0;                     // alive

const char* causeText(GLenum status) {
  return status == GL_GUILTY_CONTEXT_RESET     ? "by work of this program"
         : status == GL_INNOCENT_CONTEXT_RESET ? "by another program"
                                               : "for a reason that the driver does not tell";
}

}  // namespace

void throwIfLost() {
  if (lostBy == GL_NO_ERROR)
    lostBy = simulatedLoss.exchange(false) ? GLenum(GL_UNKNOWN_CONTEXT_RESET)
                                           : glGetGraphicsResetStatus();
  if (lostBy != GL_NO_ERROR)
    throw DeviceLost(fmt::format("the GPU was reset {}: its memory is lost", causeText(lostBy)));
}

void simulateDeviceLoss() { simulatedLoss = true; }

void forgetDeviceLoss() { lostBy = GL_NO_ERROR; }

void DeleteFence::operator()(void* fence) const { glDeleteSync(static_cast<GLsync>(fence)); }

Fence makeFence() { return Fence(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)); }

bool fenceReached(const Fence& fence) {
  const GLenum state = glClientWaitSync(static_cast<GLsync>(fence.get()), 0, 0);
  return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
}

void waitForFence(const Fence& fence, const std::string& what) {
  constexpr GLuint64 kQuarterSecond = 250'000'000;
  for (;;) {
    const GLenum state = glClientWaitSync(static_cast<GLsync>(fence.get()),
                                          GL_SYNC_FLUSH_COMMANDS_BIT, kQuarterSecond);
    if (state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED) return;
    throwIfLost();
    if (state == GL_WAIT_FAILED)
      throw DeviceLost(what + ": expected the GPU to finish it, found the GPU lost");
  }
}

void Pacer::pace() {
  fences_.push_back(makeFence());
  glFlush();  // the device begins while the next slice is made
  while (!fences_.empty()) {
    const bool full = fences_.size() > kSlicesInFlight;
    if (!fenceReached(fences_.front())) {
      if (!full) return;
      ++countedWork().paced;
      waitForFence(fences_.front(), "a slice of work");
    }
    fences_.pop_front();
  }
}

SliceTimer::SliceTimer(Context& context) : context_(context) {}

SliceTimer::~SliceTimer() {
  for (const Slice& slice : slices_) free_.insert(free_.end(), {slice.start, slice.end});
  if (open_) free_.push_back(open_);
  if (!free_.empty()) glDeleteQueries(GLsizei(free_.size()), free_.data());
}

void SliceTimer::begin() {
  openMs_ = steadyMs();
  if (context_.device().software) return;
  if (free_.empty() && slices_.empty()) {
    free_.resize(2 * kTimedSlices);
    glCreateQueries(GL_TIMESTAMP, GLsizei(free_.size()), free_.data());
  }
  rate();  // takes back those that have finished
  if (open_ != 0 || free_.size() < 2) return;
  open_ = free_.back();
  free_.pop_back();
  glQueryCounter(open_, GL_TIMESTAMP);
}

void SliceTimer::end(double work) {
  if (context_.device().software) return finished(work, steadyMs() - openMs_);
  if (open_ == 0) return;
  const GlId end = free_.back();
  free_.pop_back();
  glQueryCounter(end, GL_TIMESTAMP);
  slices_.push_back({std::exchange(open_, 0), end, work});
}

void SliceTimer::finished(double work, double ms) {
  if (ms > 0) rate_ = work / ms;
  finished_.push_back({work, ms});
  if (finished_.size() > kTimedSlices) finished_.pop_front();
}

std::optional<SliceTimer::Finished> SliceTimer::take() {
  rate();
  if (finished_.empty()) return std::nullopt;
  const Finished oldest = finished_.front();
  finished_.pop_front();
  return oldest;
}

double SliceTimer::rate() {
  while (!slices_.empty()) {
    const Slice slice = slices_.front();
    GLint available = 0;
    glGetQueryObjectiv(slice.end, GL_QUERY_RESULT_AVAILABLE, &available);
    if (!available) break;
    GLint64 start = 0, end = 0;
    glGetQueryObjecti64v(slice.start, GL_QUERY_RESULT, &start);
    glGetQueryObjecti64v(slice.end, GL_QUERY_RESULT, &end);
    finished(slice.work, double(end - start) * 1e-6);
    free_.insert(free_.end(), {slice.start, slice.end});
    slices_.pop_front();
  }
  return rate_;
}

// ---- Sliced work

bool SlicedWork::resume(double ms) {
  sliceLeft.emplace(ms);
  const struct Over {
    ~Over() { sliceLeft.reset(); }
  } over;
  bool ended = true;
  try {
    ended = fiber_->resume();
  } catch (...) {
    fiber_.reset();
    throw;
  }
  if (ended) fiber_.reset();
  return ended;
}

NoYield::NoYield() : Counted(noYields) {}

bool isSliced() { return sliceLeft && noYields == 0 && system::Fiber::canLeave(); }
bool sliceSpent() { return isSliced() && sliceLeft->spent(); }
void endSlice() { system::Fiber::leave(); }

}  // namespace fathom::gpu
