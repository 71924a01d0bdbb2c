// SPDX-License-Identifier: BSD-3-Clause
// Lookups in what is known of OpenGL's objects.
#include "tests/races/gl_objects.h"

namespace fathom::races {

std::string WatchedProgram::lineAt(unsigned line) const {
  return line == 0 || line > lines.size() ? shader : lines[line - 1];
}

GLuint GlObjects::originOf(GLuint texture) const {
  const auto found = textures.find(texture);
  return found == textures.end() || found->second.origin == 0 ? texture : found->second.origin;
}

std::int64_t GlObjects::openFor(GLbitfield bit) const {
  const auto found = barriers.find(bit);
  return found == barriers.end() ? 0 : found->second;
}

}  // namespace fathom::races
