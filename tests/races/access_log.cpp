// SPDX-License-Identifier: BSD-3-Clause
// Two buffers that live as long as their context.
#include "tests/races/access_log.h"

#include "tests/races/real_gl.h"

namespace fathom::races {

void AccessLog::bind(GLuint logBinding, GLuint factsBinding, std::uint32_t without) {
  const std::array<std::uint32_t, 4> facts = {kCapacity, without, 0, 0};
  if (!buffer_) {
    real().CreateBuffers(1, &buffer_);
    real().NamedBufferStorage(buffer_, (std::int64_t(kCapacity) + 1) * 16, nullptr,
                              GL_DYNAMIC_STORAGE_BIT);
    real().CreateBuffers(1, &facts_);
    real().NamedBufferStorage(facts_, sizeof facts, nullptr, GL_DYNAMIC_STORAGE_BIT);
  }
  const std::uint32_t none = 0;
  real().NamedBufferSubData(buffer_, 0, 4, &none);
  real().NamedBufferSubData(facts_, 0, sizeof facts, facts.data());
  real().BindBufferBase(GL_SHADER_STORAGE_BUFFER, logBinding, buffer_);
  real().BindBufferBase(GL_UNIFORM_BUFFER, factsBinding, facts_);
}

const std::vector<LoggedAccess>& AccessLog::read(std::uint64_t& lost) {
  real().MemoryBarrier(GL_ALL_BARRIER_BITS);
  std::uint32_t count = 0;
  real().GetNamedBufferSubData(buffer_, 0, 4, &count);
  accesses_.resize(std::min(count, kCapacity));
  lost = count - accesses_.size();
  if (!accesses_.empty())
    real().GetNamedBufferSubData(buffer_, 16, GLsizeiptr(accesses_.size() * 16), accesses_.data());
  return accesses_;
}

}  // namespace fathom::races
