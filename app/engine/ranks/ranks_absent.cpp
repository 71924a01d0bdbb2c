// SPDX-License-Identifier: BSD-3-Clause
// What stands for MPI in a program that was built without it: a job says what is missing.
#include "app/engine/core/launch.h"
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

// There is no team to call these on.
int Team::rank() const { return 0; }
int Team::ranks() const { return 1; }
bool Team::overlaps() const { return false; }
void Team::collective(const std::function<void()>& step) { step(); }
void Team::expectSame(const std::string&, std::string, const Describe&) {}
std::vector<std::byte> Team::gatherBytes(std::span<const std::byte> mine) {
  return {mine.begin(), mine.end()};
}
std::vector<std::string> Team::gatherTexts(const std::string& mine) { return {mine}; }
void Team::sum(std::span<std::uint64_t>) {}
void Team::largest(std::span<std::uint64_t>) {}
void Team::pass(std::span<std::byte>, int, int) {}

struct Exchange::State {};
Exchange::Exchange(const Team&, std::uint64_t) { throw NotBuiltError(mpiMissing()); }
Exchange::~Exchange() = default;
std::vector<Message> Exchange::run(std::vector<Message>&& messages, std::uint64_t) {
  return std::move(messages);
}
ExchangeFigures Exchange::figures() const { return {}; }

}  // namespace fathom::ranks
