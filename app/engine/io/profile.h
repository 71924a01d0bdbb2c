// SPDX-License-Identifier: BSD-3-Clause
// The profile: which variants were found fastest, on which device, for which class of work. A file
// in the user's configuration folder, written by `fathom tune`, read whenever a technique may
// choose a variant by itself. What was tuned with another driver or other shaders is stale: it is
// named, and not used.
#pragma once

#include "app/engine/io/run_record.h"

namespace fathom {

struct TunedVariant {
  // What it was found for.
  std::string technique;                  // "dof"
  std::string vendor, renderer, version;  // of the device and its driver
  std::string workload;                   // "r16"
  std::string sizeClass;                  // sizeClassOf()
  std::string templateHash, backEnd;
  // What was found.
  std::string best;
  double bestMs = 0, defaultMs = 0;  // medians
  std::string date;                  // 2026-01-31

  /// Found for the same thing: a new result replaces it.
  bool sameKey(const TunedVariant& o) const;
};

/// "small" up to 640 x 360, "medium" up to 1280 x 720, "large" up to 1920 x 1080, else "huge".
std::string sizeClassOf(int width, int height);

class Profile {
 public:
  /// $XDG_CONFIG_HOME/fathom/profile.json
  static fs::path defaultPath();
  /// An empty one when there is no such file. Throws Error when it is damaged.
  static Profile load(const fs::path& file);
  static Profile parse(const std::string& text, const std::string& name);
  /// The folder is made when missing. Throws Error.
  void save(const fs::path& file) const;
  std::string json() const;

  void put(TunedVariant tuned);
  const std::vector<TunedVariant>& all() const { return tuned_; }

  /// What was tuned for this technique, device, shaders and workload; of several sizes the same
  /// class, or the last one. `note` says in one line what is used, or why what there is does not
  /// count; it is empty when nothing was ever tuned for it.
  struct Answer {
    std::optional<TunedVariant> use;
    std::string note;
  };
  Answer find(const TunedVariant& key) const;

 private:
  std::vector<TunedVariant> tuned_;
};

/// Sets the profile that this program uses; none (also before any call): no tuned variants.
void useProfile(std::optional<fs::path> file);
/// The contents of that file; read at the first call and when the file has changed since. A damaged
/// one is warned about and counts as empty.
const Profile& profileInUse();

}  // namespace fathom
