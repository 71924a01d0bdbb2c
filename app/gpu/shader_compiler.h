// SPDX-License-Identifier: BSD-3-Clause
// Compiles and links flattened shader files; failures come back in terms of our files.
#pragma once

#include "app/gpu/shader_loader.h"

#include <string>
#include <vector>

namespace fathom::gpu {

/// One stage; the ending of the file's name says which: .comp .vert .frag. Throws Error with the
/// compiler's messages, a line each. Warnings go to `warnings`.
Handle<deleteShader> compileStage(const ShaderText& shader, std::vector<std::string>& warnings);

/// Throws Error with the linker's messages.
Handle<deleteProgram> linkProgram(const std::string& name,
                                  const std::vector<Handle<deleteShader>>& stages);

}  // namespace fathom::gpu
