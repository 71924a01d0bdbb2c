// SPDX-License-Identifier: BSD-3-Clause
// Linked programs kept between runs, as the driver hands them out. A file is found by what the
// program was made of and by what made it: sources, vendor, renderer and version of the driver.
// Whatever is damaged, cut or from another driver is compiled again.
#pragma once

#include "app/engine/gpu/handle.h"

namespace fathom::gpu {

class ProgramCache {
 public:
  static constexpr std::size_t kMaxFiles = 512;

  /// Keeps nothing when the folder is empty, or the driver has no format for it.
  ProgramCache(std::filesystem::path folder, std::string driver);

  /// What tells programs apart; the texts are those that the compiler sees.
  std::string keyOf(const std::vector<std::string>& texts) const;
  /// Fills a new program object; false when there is nothing for this key, or nothing of use.
  bool load(GlId program, const std::string& key) const;
  /// To be called before a program is linked that save() will be asked to keep.
  void expectSave(GlId program) const;
  /// Keeps a linked program; a full disk is no reason to complain. The oldest files go when there
  /// are more than kMaxFiles.
  void save(GlId program, const std::string& key);

  /// The user's: $FATHOM_PROGRAM_CACHE, else fathom/programs in $XDG_CACHE_HOME or ~/.cache.
  static std::filesystem::path defaultFolder();

 private:
  std::filesystem::path fileOf(const std::string& key) const;
  void prune() const;

  std::filesystem::path folder_;  // empty: keeps nothing
  std::string driver_;
  std::atomic<int> saves_ = 0;
};

}  // namespace fathom::gpu
