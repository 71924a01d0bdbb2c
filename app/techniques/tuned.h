// SPDX-License-Identifier: BSD-3-Clause
// How a technique takes what `fathom tune` found: it asks for the best variant of its space for
// this device and workload, and gets it together with one line that says so.
#pragma once

#include "app/techniques/tuning.h"

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

  /// The tuned variant; none when nothing was tuned for this, or with another driver or
  /// other shaders. `key` may run passes on the device: it is asked only when the profile holds
  /// something of the technique. What is used, or why not, is logged when it changes.
  std::optional<Variant> choose(const gpu::Context& gpu, const std::function<TuneKey()>& key);
  /// The same for the only class of what a technique tunes.
  std::optional<Variant> choose(const gpu::Context& gpu, const Tunable& tunable,
                                     glm::ivec2 size) {
    return choose(gpu, [&] { return tunable.keyByShaders(tunable.classes[0].name, size); });
  }
  /// Nothing is to be chosen: settings decide all.
  void forget() { note_.clear(); }
  /// For facts(); empty when the profile has nothing to say.
  const std::string& note() const { return note_; }

 private:
  std::string technique_, note_;
  const VariantSpace* space_;
};

/// What a profile keeps to know the shaders again: a hash of these files of the shader root, or of
/// all files below such a folder, as they were when first asked for. On the GL thread.
std::string hashOfShaders(const std::vector<std::string>& filesOrFolders);

}  // namespace fathom
