// SPDX-License-Identifier: BSD-3-Clause
// Shader files as the compiler gets them: includes are flattened, features are chosen for the
// variant, and the compiler's messages come back in terms of our files.
#pragma once

#include "app/engine/core/variants.h"

namespace fathom::gpu {

/// A file that a program was made of.
struct SourceFile {
  std::string path;
  std::int64_t time;  // of the last change, in units of the file clock
};

struct Define {
  std::string name;
  std::string value;
  // Views, since g++ 12 warns of moved strings made from long literals.
  Define(std::string_view n, int v) : name(n), value(std::to_string(v)) {}
  Define(std::string_view n, std::string_view v) : name(n), value(v) {}
  auto operator<=>(const Define&) const = default;
};

/// Shader text made by the program: `#include "name"` in a shader means this text.
struct GeneratedText {
  std::string name;  // "generated/xforms.glsl": as it stands in includes and messages
  std::string text;
  auto operator<=>(const GeneratedText&) const = default;
};

// ---- Features

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
  std::string resolve(const std::string& feature) const { return best(feature, nullptr); }
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

// ---- Flattening

// Turns a shader file into the text that the compiler sees, and the compiler's messages back into
// terms of our files.
//
//   #version 450 core       always, ours
//   #define NAME VALUE      from the pass's key
//   #extension ...          hoisted from wherever it stood, with the conditions around it
//   the file, its #include "shaders/..." lines replaced by those files, each once,
//   its #include "@feature" lines by the files that FeatureFiles finds, as often as they stand
//   there
//
// Every line of the flattened text remembers where it came from. #line is not used: Mesa 22.3 drops
// the file number.

struct ShaderText {
  struct Origin {
    int file;  // into `files`; -1: a line of ours before the first file
    int line;  // from 1
  };
  std::string name;                 // "shaders/deep/lists/merge_lists.comp"
  std::string text;                 // ends with a newline
  std::vector<Origin> origins;      // of line i + 1 of `text`
  std::vector<std::string> files;   // as they were named, in order of first use; generated ones too
  std::vector<fs::path> filePaths;  // those on disk
};

/// The folder that holds shaders/: $FATHOM_SHADERS (it, or its shaders/), ../share/fathom of the
/// program, its own folder, share/libfathom beside the library that this is in, the sources of the
/// build folder. Throws Error when there is none.
const fs::path& shaderRoot();

/// Throws Error ("shaders/a.comp:3: expected the file shaders/b.glsl, found none"). `shader` is
/// relative to shaderRoot(), or absolute. Includes that bear the name of a generated text get that
/// text. With features, the text opens with comments that name the active targets and each file
/// taken.
ShaderText loadShader(const std::string& shader, const std::vector<Define>& defines,
                      const std::vector<GeneratedText>& generated = {},
                      const Features& features = {});

/// Rewrites the positions in a compiler's log (Mesa `0:10(5): error: ..`, NVIDIA `0(10) : error
/// ..`, AMD `ERROR: 0:10: ..`) to `shaders/deep/lists/merge_lists.comp:7: error: ..`; other lines
/// stay as they are, empty ones go.
std::string mapMessages(const ShaderText& shader, std::string_view log);

/// True for a line of mapMessages() that warns.
bool isWarning(std::string_view mappedLine);

}  // namespace fathom::gpu
