// SPDX-License-Identifier: BSD-3-Clause
// Turns a shader file into the text that the compiler sees, and the compiler's messages back into
// terms of our files.
//
//   #version 450 core       always, ours
//   #define NAME VALUE      from the pass's key
//   #extension ...          hoisted from wherever it stood, with the conditions around it
//   the file, its #include "shaders/..." lines replaced by those files, each once,
//   its #include "@feature" lines by the files that features.h finds, as often as they stand there
//
// Every line of the flattened text remembers where it came from. #line is not used: Mesa 22.3 drops
// the file number.
#pragma once

#include "app/engine/gpu/pass.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::gpu {

struct ShaderText {
  struct Origin {
    int file;  // into `files`; -1: a line of ours before the first file
    int line;  // from 1
  };
  std::string name;                // "shaders/deep/lists/merge_lists.comp"
  std::string text;                // ends with a newline
  std::vector<Origin> origins;     // of line i + 1 of `text`
  std::vector<std::string> files;  // as they were named, in order of first use; generated ones too
  std::vector<std::filesystem::path> filePaths;  // those on disk
};

/// The folder that holds shaders/: $FATHOM_SHADERS (it, or its shaders/), next to the executable,
/// its ../share/fathom, the source tree. Throws Error when there is none.
const std::filesystem::path& shaderRoot();

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
