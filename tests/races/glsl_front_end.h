// SPDX-License-Identifier: BSD-3-Clause
// Khronos' reference compiler as a second opinion on our GLSL, beside the driver's: what it
// refuses, others may refuse too. It also gives the SPIR-V that instrument.h adds to.
#pragma once

namespace fathom::races {

struct FrontEndOptions {
  bool spirv = false;      // make SPIR-V by the rules of GL_ARB_gl_spirv; else only check the GLSL
  bool lines = false;      // with the line of each instruction
  bool validated = false;  // spirv-val looks at it
};

struct FrontEndResult {
  std::vector<std::uint32_t> spirv;
  std::string messages;  // as the compiler words them: `ERROR: 0:10: 'x' : undeclared identifier`
  bool ok() const { return messages.empty(); }
};

/// `name` ends in .comp, .vert or .frag. `text` is complete, as ShaderText has it.
FrontEndResult compileGlsl(const std::string& name, const std::string& text,
                           const FrontEndOptions& options = {});

}  // namespace fathom::races
