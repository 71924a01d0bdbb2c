// SPDX-License-Identifier: BSD-3-Clause
// glslang and spirv-val as libraries: one process takes hundreds of shaders in the time of a few.
#include "tests/races/glsl_front_end.h"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <spirv-tools/libspirv.h>

namespace fathom::races {
namespace {

struct Process {
  Process() { glslang::InitializeProcess(); }
  ~Process() { glslang::FinalizeProcess(); }
};

EShLanguage stageOf(const std::string& name) {
  if (name.ends_with(".comp")) return EShLangCompute;
  if (name.ends_with(".vert")) return EShLangVertex;
  if (name.ends_with(".frag")) return EShLangFragment;
  throw std::invalid_argument(name + ": expected a shader that ends in .comp, .vert or .frag");
}

// Votes of subgroups came with SPIR-V 1.3, which OpenGL as such does not take.
bool usesSubgroups(const std::string& text) {
  return text.find("GL_KHR_shader_subgroup") != std::string::npos;
}

std::string validate(const std::vector<std::uint32_t>& words, bool subgroups) {
  spv_context context = spvContextCreate(subgroups ? SPV_ENV_UNIVERSAL_1_3 : SPV_ENV_OPENGL_4_5);
  spv_diagnostic diagnostic = nullptr;
  spvValidateBinary(context, words.data(), words.size(), &diagnostic);
  const std::string message = diagnostic ? diagnostic->error : "";
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  return message;
}

}  // namespace

FrontEndResult compileGlsl(const std::string& name, const std::string& text,
                           const FrontEndOptions& options) {
  static const Process process;
  const EShLanguage stage = stageOf(name);
  const bool subgroups = usesSubgroups(text);
  glslang::TShader shader(stage);
  const char* source = text.c_str();
  shader.setStrings(&source, 1);
  unsigned rules = EShMsgDefault;
  if (options.spirv) {
    shader.setEnvInput(glslang::EShSourceGlsl, stage, glslang::EShClientOpenGL, 450);
    shader.setEnvClient(glslang::EShClientOpenGL, glslang::EShTargetOpenGL_450);
    shader.setEnvTarget(glslang::EShTargetSpv,
                        subgroups ? glslang::EShTargetSpv_1_3 : glslang::EShTargetSpv_1_0);
    shader.setAutoMapLocations(true);  // what goes from stage to stage is matched by name
    rules |= EShMsgSpvRules | EShMsgKeepUncalled;
  }
  FrontEndResult result;
  if (!shader.parse(GetDefaultResources(), 450, false, EShMessages(rules))) {
    result.messages = shader.getInfoLog();
    return result;
  }
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(EShMessages(rules))) {
    result.messages = program.getInfoLog();
    return result;
  }
  if (!options.spirv) return result;
  program.mapIO();
  glslang::SpvOptions spirvOptions;
  spirvOptions.generateDebugInfo = options.lines;
  spirvOptions.disableOptimizer = true;
  glslang::GlslangToSpv(*program.getIntermediate(stage), result.spirv, &spirvOptions);
  if (options.validated) result.messages = validate(result.spirv, subgroups);
  return result;
}

}  // namespace fathom::races
