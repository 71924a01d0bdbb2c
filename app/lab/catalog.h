// SPDX-License-Identifier: BSD-3-Clause
// All benches of the program by name, those of the GPU primitives and of the techniques.
#pragma once

namespace fathom {
struct Bench;
struct Tunable;
namespace dof {
const std::vector<Bench>& benches();
const std::vector<Tunable>& tunables();
}  // namespace dof
namespace flame {
const std::vector<Bench>& benches();
}
namespace active_pixel {
const std::vector<Bench>& benches();
}
}  // namespace fathom

namespace fathom::bench {

/// The benches of the technique of this name ("deep"), and what can be tuned in it; empty: none.
const std::vector<Bench>& benchesOf(const std::string& technique);
const std::vector<Tunable>& tunablesOf(const std::string& technique);

/// gpu.copy, gpu.scan, gpu.sort, gpu.reduce-by-key: benches of the shared GPU primitives.
const std::vector<Bench>& gpuBenches();

std::vector<const Bench*> allBenches();

/// Those whose name is one of `names` or begins with it: "deep", "deep.composite"; no names: all
/// but those that take files. Each once, in the catalog's order. Throws UsageError for a name that
/// matches nothing.
std::vector<const Bench*> benchesNamed(const std::vector<std::string>& names);

}  // namespace fathom::bench
