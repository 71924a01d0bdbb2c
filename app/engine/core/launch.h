// SPDX-License-Identifier: BSD-3-Clause
// What mpirun passes to the processes that it starts through their environment: known before MPI is
// initialized, and in a program that was built without it.
#pragma once

#include "app/engine/core/text.h"

namespace fathom {

namespace detail {
inline std::optional<int> numberOfEnvironment(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* const text = std::getenv(name);
    if (const auto value = numberIn<int>(text ? text : ""); value && *value >= 0) return value;
  }
  return std::nullopt;
}
}  // namespace detail

/// A program that runs commands inside itself (app/python) says for each which rank it is of a job,
/// if of any: mpirun may have started it for other reasons.
struct LaunchSaid {
  bool said = false;
  std::optional<int> rank;
};
inline LaunchSaid& launchSaid() {
  static LaunchSaid said;
  return said;
}

/// None when this process was started by itself.
inline std::optional<int> launchRank() {
  if (launchSaid().said) return launchSaid().rank;
  return detail::numberOfEnvironment({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
}
/// How many processes were started together; 1 when this one was started by itself.
inline int launchSize() {
  return detail::numberOfEnvironment({"OMPI_COMM_WORLD_SIZE", "PMIX_SIZE", "PMI_SIZE"}).value_or(1);
}
/// The rank among those on this machine; 0 when it is not known.
inline int launchLocalRank() {
  return detail::numberOfEnvironment({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"}).value_or(0);
}
/// How many ranks are on this machine; 1 when it is not known.
inline int launchLocalRanks() {
  const int ranks =
      detail::numberOfEnvironment({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}).value_or(1);
  return ranks > 0 ? ranks : 1;
}
inline bool startedByMpirun() { return launchRank().has_value(); }

}  // namespace fathom
