// SPDX-License-Identifier: BSD-3-Clause
// Shaders as the program may hand them to a driver: every file as it stands, with each value of
// each of its defines, and those that are generated.
#pragma once

#include "app/engine/gpu/shader_loader.h"

namespace fathom::test {

struct ShaderVariant {
  std::string name;  // of the file and what was chosen
  gpu::ShaderText text;
  bool isDefault = false;
};

/// Every .comp, .vert and .frag below shaders/, sorted.
std::vector<std::string> shaderFiles();
/// "default targets: a b c" in the opening comment of a template, with the files of features/
/// beside it.
gpu::Features defaultFeatures(const std::string& shader);
/// What the program generates is stood in for by a small example.
std::vector<gpu::GeneratedText> exampleTexts();

/// Every file: with its defaults, then one define at a time with each other value that its `#if`
/// lines compare it with.
std::vector<ShaderVariant> fileVariants();
/// accumulate.comp of depth of field: every `step`-th of its variants with each back end.
std::vector<ShaderVariant> accumulateVariants(int step);
/// iterate.comp of flames: each variation, as software renderers get it or as that of one of two
/// xforms on a GPU, and each form of the generated parts.
std::vector<ShaderVariant> iterateVariants(bool onGpu = false);

}  // namespace fathom::test
