// SPDX-License-Identifier: BSD-3-Clause
// Which file a variant's shader takes for `#include "@feature"`. A folder holds one small file per
// implementation, named after the feature and the targets that it is for:
//
//   loop.residual-peel.glsl       element.chunk-warp+arb.glsl       round.glsl
//
// (one without targets is for all). A file applies when all its targets are active, by themselves
// or because an active one refines them ("early-each" refines "early-block"). One file beats
// another when each target of the other equals or is refined by one of its own: the most specific
// file wins. `#include "@parent"` in it stands for the best of those it beats. No file, or two that
// nobody beats, is an Error naming them. (After the method combination of C-Mera's feature system,
// as the paper describes it.)
#pragma once

#include "app/engine/core/variants.h"

#include <compare>
#include <string>
#include <vector>

namespace fathom::gpu {

/// How a pass resolves its features; empty: it has none. Part of PassKey.
struct Features {
  std::string folder;                // "shaders/dof/features", relative to the shader root
  std::vector<TargetChain> targets;  // active ones, each with what it refines
  auto operator<=>(const Features&) const = default;
};

class FeatureFiles {
 public:
  /// Lists the folder. Throws Error when it cannot be read, or when a file's name is no
  /// `feature[.target[+target...]].glsl`.
  explicit FeatureFiles(const Features& features);
  /// The same from names, for tests.
  FeatureFiles(const Features& features, const std::vector<std::string>& names);

  /// The path of the winning file, relative to the shader root. Throws Error.
  std::string resolve(const std::string& feature) const;
  /// The next less specific file of the feature that `path` belongs to. Throws Error.
  std::string parentOf(const std::string& path) const;
  /// All features that the folder knows, sorted.
  std::vector<std::string> names() const;
  /// Paths of all files, whether they apply or not, sorted.
  std::vector<std::string> paths() const;

 private:
  struct File {
    std::string path, feature;
    std::vector<std::string> targets;
  };
  void add(const std::string& name);
  bool applies(const File& file) const;
  bool refines(const std::string& target, const std::string& base) const;
  bool beats(const File& a, const File& b) const;
  std::string best(const std::string& feature, const File* below) const;

  Features features_;
  std::vector<File> files_;
};

}  // namespace fathom::gpu
