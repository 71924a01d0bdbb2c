// SPDX-License-Identifier: BSD-3-Clause
// How a technique uses what `fathom tune` found: it asks for the best variant of its space for this
// device and workload, and gets it together with a line for the user.
#pragma once

#include "app/lab/tuning.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace fathom {

class TunedChoice {
 public:
  /// The space must outlive this.
  TunedChoice(std::string technique, const VariantSpace& space)
      : technique_(std::move(technique)), space_(&space) {}

  /// The tuned variant; none when nothing was tuned for this, or with another driver or other
  /// shaders. `key` may run passes on the device: it is called only when the profile has an entry
  /// of the technique. What is used, or why not, is logged when it changes.
  std::optional<Variant> choose(const gpu::Context& gpu, const std::function<TuneKey()>& key);
  /// The same for a technique that tunes a single class.
  std::optional<Variant> choose(const gpu::Context& gpu, const Tunable& tunable, glm::ivec2 size) {
    return choose(gpu, [&] { return tunable.keyByShaders(tunable.classes[0].name, size); });
  }
  /// For when settings leave nothing to choose.
  void forget() { note_.clear(); }
  /// For facts(); empty when the profile does not matter.
  const std::string& note() const { return note_; }

 private:
  std::string technique_, note_;
  const VariantSpace* space_;
};

}  // namespace fathom
