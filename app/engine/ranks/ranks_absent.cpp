// SPDX-License-Identifier: BSD-3-Clause
// What stands for MPI in a program that was built without it: a job says what is missing.
#include "app/engine/core/error.h"
#include "app/engine/core/launch.h"
#include "app/engine/ranks/exchange.h"
#include "app/engine/ranks/job.h"

namespace fathom::ranks {

bool mpiAvailable() { return false; }

std::string mpiMissing() {
  return "this fathom was built without " FATHOM_MPI_MISSING
         "; expected both for compositing over MPI";
}

void useCommunicator(std::optional<int>) {}
void tellFailure() {}

void Job::run(const std::function<void(Job&)>&) {
  if (launchRank().value_or(0) > 0) throw PeerFailed(0);
  throw NotBuiltError(mpiMissing());
}

// There is no job to call these on.
int Job::rank() const { return 0; }
int Job::ranks() const { return 1; }
bool Job::overlaps() const { return false; }
void Job::collective(const std::function<void()>& step) { step(); }
void Job::expectSame(const std::string&, std::string, const Describe&) {}
std::vector<double> Job::gather(std::span<const double> mine) { return {mine.begin(), mine.end()}; }
std::vector<std::string> Job::gatherTexts(const std::string& mine) { return {mine}; }
void Job::sum(std::span<std::uint64_t>) {}
void Job::largest(std::span<std::uint64_t>) {}
void Job::pass(std::span<std::byte>, int, int) {}

struct Exchange::State {};
Exchange::Exchange(std::uint64_t) { throw NotBuiltError(mpiMissing()); }
Exchange::~Exchange() = default;
std::vector<Message> Exchange::run(std::vector<Message>&& messages, std::uint64_t) {
  return std::move(messages);
}
std::vector<Message> Exchange::collect(std::vector<Message>&& messages, std::uint64_t) {
  return std::move(messages);
}
ExchangeFigures Exchange::figures() const { return {}; }

}  // namespace fathom::ranks
