// SPDX-License-Identifier: BSD-3-Clause
// A job from MPI's start to its end, and how it ends when a rank fails.
#include "app/engine/ranks/job.h"

#include "app/engine/core/progress.h"
#include "app/engine/ranks/job_watch.h"
#include "app/engine/ranks/mpi_library.h"
#include "app/system/process.h"

namespace fathom::ranks {

struct Job::State {
  StartWatch starting;
  std::shared_ptr<MpiLibrary> mpi = MpiLibrary::acquire();
  JobWatch watch{*mpi};

  State() { starting.stop(); }
};

namespace {

bool begun = false;  // a job, since useCommunicator()

}  // namespace

void useCommunicator(std::optional<int> handle) {
  MpiLibrary::borrow(handle);
  begun = false;
}

void tellFailure() {
  if (!begun) Job::run([](Job& job) { job.collective([] { throw; }); });
}

bool mpiAvailable() { return true; }
std::string mpiMissing() { return {}; }

Job::Job(State& state) : Team(state.mpi), state_(state) {}
void Job::endIfRankGone() { state_.watch.endIfRankGone(); }

void Job::run(const std::function<void(Job&)>& work) {
  begun = true;
  State state;
  Job job(state);
  std::exception_ptr failure;
  try {
    work(job);
  } catch (const Cancelled&) {
    failure = std::make_exception_ptr(PeerFailed(kInterruptedCode));
    if (state.watch.claim()) JobWatch::sayInterrupted();
    if (!job.agreed_) system::exitNow(kInterruptedCode);
  } catch (...) {
    failure = std::current_exception();
    if (!job.agreed_)
      state.watch.end(fmt::format("rank {}: {}", job.rank(), described(failure).second), 1);
  }
  // No rank may leave while another's watch would take that for a death.
  state.watch.stop();
  MPI_Request request;
  MPI_Ibarrier(state.mpi->world(), &request);
  state.mpi->wait(request);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fathom::ranks
