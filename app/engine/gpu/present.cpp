// SPDX-License-Identifier: BSD-3-Clause
// A framebuffer and a viewport around GL calls that are not ours, and a copy ordered after whoever
// wrote the source.
#include "app/engine/gpu/present.h"

#include "app/engine/gpu/pass.h"

#include <glad/gl.h>

namespace fathom::gpu {

void drawInto(const Target& target, const std::function<void()>& draw) {
  glBindFramebuffer(GL_FRAMEBUFFER, target.id());
  glViewport(0, 0, target.width(), target.height());
  draw();
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void drawIntoWindow(glm::ivec2 size, glm::vec4 background, const std::function<void()>& draw) {
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, size.x, size.y);
  glDisable(GL_SCISSOR_TEST);
  glClearNamedFramebufferfv(0, GL_COLOR, 0, &background.x);
  draw();
}

Texture copyOf(Context& context, std::string name, const Texture& source) {
  Texture copy(context, std::move(name), source.format(), source.width(), source.height());
  barrier(Reader::Transfer | Reader::Target);  // whoever wrote the source last
  glCopyImageSubData(source.id(), GL_TEXTURE_2D, 0, 0, 0, 0, copy.id(), GL_TEXTURE_2D, 0, 0, 0, 0,
                     source.width(), source.height(), 1);
  return copy;
}

}  // namespace fathom::gpu
