// SPDX-License-Identifier: BSD-3-Clause
// Binding, compiling and running GPU programs. Bindings are collected first and set right before
// the dispatch or draw, so passes never depend on GL state that an earlier pass left.
#include "app/engine/gpu/pass.h"

#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/compiler.h"
#include "app/engine/gpu/gl.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/gpu/stress.h"

namespace fathom::gpu {
namespace {

// What every GL 4.5 device allows along one axis of a dispatch.
constexpr std::uint64_t kGroupsPerAxis = 65535;
constexpr std::size_t kBlockAlignment = 256;  // no GL device asks for more

struct AccessBits {
  Access access;
  GLbitfield bits;
};
constexpr AccessBits kAccessBits[] = {
    {Access::Storage, GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT},
    {Access::Indirect, GL_COMMAND_BARRIER_BIT},
    {Access::Texture, GL_TEXTURE_FETCH_BARRIER_BIT},
    {Access::Transfer, GL_BUFFER_UPDATE_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT |
                           GL_PIXEL_BUFFER_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT},
    {Access::Target, GL_FRAMEBUFFER_BARRIER_BIT},
    {Access::Uniform, GL_UNIFORM_BARRIER_BIT},
    {Access::Counter, GL_ATOMIC_COUNTER_BARRIER_BIT},
};

// ---- Pieces of sliced work

constexpr double kPieceMs = 5;
constexpr std::uint64_t kFirstPieces = 512;  // of a dispatch, until it is known what groups cost
constexpr std::uint64_t kFirstIndices = 6 << 9;    // of a draw, likewise
constexpr const char* kFirstGroup = "firstGroup";  // shaders/common/invocation.glsl
constexpr GLint kFirstGroupAt = 0;

/// How much to do at once, from what the last piece took.
class Piece {
 public:
  explicit Piece(std::uint64_t first) : size_(std::max<std::uint64_t>(first, 1)) {}
  std::uint64_t size() const { return size_; }
  void begin() { took_.restart(); }
  void end(std::uint64_t done) {
    const double wanted =
        double(done) * std::clamp(kPieceMs / std::max(took_.ms(), 1e-3), 0.25, 2.0);
    size_ = std::clamp<std::uint64_t>(std::uint64_t(wanted), 1, std::uint64_t(1) << 32);
  }

 private:
  std::uint64_t size_;
  Stopwatch took_;
};

/// What RasterPass::begin() was called with, for who leaves a draw and goes on with it.
struct OpenDraw {
  const Target* target = nullptr;
  DrawState state = {};
  const RawBuffer* indices = nullptr;
  Piece piece{kFirstIndices};
  std::uint64_t drawn = 0;  // indices of the piece

  /// Whole triangles and lines.
  std::uint64_t room() const {
    return drawn < piece.size() ? (piece.size() - drawn + 5) / 6 * 6 : 0;
  }
  void next() { piece.end(drawn), piece.begin(), drawn = 0; }
};
thread_local OpenDraw openDraw;

DispatchCost wholeOf(const Cost& cost, std::uint64_t invocations) {
  if (const auto* whole = std::get_if<DispatchCost>(&cost)) return *whole;
  const Each& each = std::get<Each>(cost);
  return {each.operations * double(invocations), each.dependentReads};
}

/// How many of the groups make a dispatch of at most kMaxDispatchMs; all alike, as far as is
/// known.
std::uint64_t groupsAtOnce(const DispatchCost& cost, std::uint64_t groups) {
  const double pieces = std::ceil(stressed({.operations = cost.operations}).ms() / kMaxDispatchMs);
  return std::uint64_t(std::max(1.0, double(groups) / std::max(pieces, 1.0)));
}

/// Of a pass made of these files; its source begins with its defines.
void note(const std::string& pass, const std::vector<SourceFile>& files, const std::string& source,
          const auto& bindings, double invocations, double operations) {
  if (!DispatchLog::current || invocations == 0) return;
  std::string variant = fs::path(files[0].path).lexically_relative(shaderRoot()).generic_string();
  std::istringstream prelude(source.substr(0, source.find("// SPDX")));
  for (std::string word, name, value; prelude >> word;)
    if (word == "#define" && prelude >> name >> value)
      variant += fmt::format(" {}={}", name, value);
  std::int64_t bytes = 0;
  for (const auto& b : bindings) {
    GLint64 whole = 0;
    if (b.kind == decltype(b.kind)::Storage && b.bytes < 0)
      glGetNamedBufferParameteri64v(b.id, GL_BUFFER_SIZE, &whole);
    bytes += std::max(b.bytes, std::int64_t(whole));
  }
  DispatchLog::current->push_back({pass, variant, invocations, operations, bytes});
}

}  // namespace

void barrier(Access access) {
  GLbitfield bits = 0;
  for (const AccessBits& row : kAccessBits)
    if (unsigned(access) & unsigned(row.access)) bits |= row.bits;
  if (bits) glMemoryBarrier(bits);
}

// ---- Program

void Program::adopt(CompiledProgram made) {
  program_ = std::move(made.program);
  files_ = std::move(made.files);
  source_ = std::move(made.source);
  for (const std::string& warning : made.warnings) context_->addDebugMessage("low: " + warning);
}

void Program::drop() {
  program_ = Handle<deleteProgram>();
  source_ = {};
}

bool Program::sourceChanged() const {
  return std::any_of(files_.begin(), files_.end(),
                     [](const SourceFile& file) { return changeTime(file.path) != file.time; });
}

Program& Program::bind(const Binding& binding) {
  FATHOM_CHECK_OP(binding.id, !=, GlId(0));
  bound_ = false;
  const auto same = std::find_if(bindings_.begin(), bindings_.end(), [&](const Binding& b) {
    return b.kind == binding.kind && b.unit == binding.unit;
  });
  if (same != bindings_.end())
    *same = binding;
  else
    bindings_.push_back(binding);
  return *this;
}

Program& Program::storage(unsigned binding, const RawBuffer& buffer) {
  FATHOM_CHECK_OP(buffer.bytes(), <=, context_->limits().storageBlockBytes);
  return bind({Binding::Kind::Storage, binding, buffer.id()});
}

Program& Program::storage(unsigned binding, const RawBuffer& buffer, std::int64_t offset,
                          std::int64_t bytes) {
  FATHOM_CHECK_OP(offset, >=, 0);
  FATHOM_CHECK_OP(bytes, >=, 0);
  FATHOM_CHECK_OP(bytes, <=, buffer.bytes() - offset);
  FATHOM_CHECK_OP(bytes, <=, context_->limits().storageBlockBytes);
  FATHOM_CHECK_OP(offset % context_->limits().storageOffsetAlignment, ==, 0);
  // GL knows no empty range. One that ends the buffer may not lie wholly past it either.
  if (buffer.bytes() == 0) return storage(binding, buffer);
  if (bytes == 0) return storage(binding, buffer, 0, std::min<std::int64_t>(buffer.bytes(), 16));
  // Whole rows of 16 bytes, which are there: shaders may read four words at a time.
  const std::int64_t rows = std::min((bytes + 15) / 16 * 16, buffer.allocatedBytes() - offset);
  return bind({Binding::Kind::Storage, binding, buffer.id(), offset, rows});
}

Program& Program::image(unsigned unit, const Texture& texture) {
  FATHOM_CHECK(texture.format() != TextureFormat::SrgbA8);
  FATHOM_CHECK(texture.format() != TextureFormat::Depth32f);
  return bind({Binding::Kind::Image, unit, texture.id(), 0, -1, texture.format()});
}

Program& Program::imageWords(unsigned unit, const Texture& texture) {
  FATHOM_CHECK(WordView::possible(texture.format()));
  return bind({Binding::Kind::ImageWords, unit, texture.id(), 0, -1, texture.format()});
}

Program& Program::writeParams(unsigned binding, const void* data, std::size_t bytes) {
  auto block = std::ranges::find(blocks_, binding, &Block::binding);
  if (block == blocks_.end()) block = blocks_.insert(blocks_.end(), Block{binding, {}});
  const auto* values = static_cast<const std::byte*>(data);
  if (block->last.size() == bytes && std::memcmp(block->last.data(), data, bytes) == 0)
    return *this;
  bound_ = false;
  block->last.assign(values, values + bytes);
  return *this;
}

void Program::bindAll() {
  bound_ = true;
  try {
    context_->use(*this);
    context_->uniformRing();
  } catch (...) {
    unbindAll();  // what they name may be gone when the pass runs next
    throw;
  }
  glUseProgram(program_.id());
  // Placed as one: no fence of the ring comes between blocks of a dispatch.
  std::vector<std::byte> all;
  std::vector<std::int64_t> starts;
  for (const Block& block : blocks_) {
    all.resize((all.size() + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment);
    starts.push_back(std::int64_t(all.size()));
    all.insert(all.end(), block.last.begin(), block.last.end());
  }
  if (!all.empty()) {
    const BufferRange at = context_->uniformRing().place(all.data(), std::int64_t(all.size()));
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      glBindBufferRange(GL_UNIFORM_BUFFER, blocks_[i].binding, at.buffer->id(),
                        at.offset + starts[i], std::int64_t(blocks_[i].last.size() + 15) / 16 * 16);
  }
  for (const Binding& b : bindings_) {
    switch (b.kind) {
      case Binding::Kind::Storage:
        if (b.bytes < 0)
          glBindBufferBase(GL_SHADER_STORAGE_BUFFER, b.unit, b.id);
        else
          glBindBufferRange(GL_SHADER_STORAGE_BUFFER, b.unit, b.id, b.offset, b.bytes);
        break;
      case Binding::Kind::Uniform:
        glBindBufferBase(GL_UNIFORM_BUFFER, b.unit, b.id);
        break;
      case Binding::Kind::Counter:
        glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, b.unit, b.id);
        break;
      case Binding::Kind::Texture:
        glBindTextureUnit(b.unit, b.id);
        break;
      case Binding::Kind::Image:
        glBindImageTexture(b.unit, b.id, 0, GL_FALSE, 0, GL_READ_WRITE,
                           glFormat(b.format).internal);
        break;
      case Binding::Kind::ImageWords:
        glBindImageTexture(b.unit, b.id, 0, GL_FALSE, 0, GL_READ_WRITE,
                           bytesPerTexel(b.format) == 16 ? GL_RGBA32UI : GL_R32UI);
        break;
    }
  }
}

// ---- Pass

Pass::Pass(Context& context, const PassKey& key, CompiledProgram made) {
  context_ = &context;
  name_ = key.name;
  adopt(std::move(made));
}

void Pass::adopt(CompiledProgram made) {
  Program::adopt(std::move(made));
  std::array<GLint, 3> size{};
  glGetProgramiv(id(), GL_COMPUTE_WORK_GROUP_SIZE, size.data());
  groupSides_ = {size[0], size[1]};
  groupSize_ = size[0] * size[1] * size[2];
  glGetProgramInterfaceiv(id(), GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES, &storageBlocks_);
  takesFirstGroup_ = glGetUniformLocation(id(), kFirstGroup) == kFirstGroupAt;
}

void Pass::dispatch(std::uint64_t invocations, const Cost& cost) {
  FATHOM_CHECK_OP(invocations, <=, std::uint64_t(UINT32_MAX) + 1);  // invocationIndex() is a uint
  const auto size = std::uint64_t(groupSize_);
  dispatchGroups((invocations + size - 1) / size, wholeOf(cost, invocations));
}

/// Throws when what cannot be cut would take too long. A software renderer has no watchdog, and may
/// well take longer.
void Pass::expectShort(const DispatchCost& cost) {
  const double ms = stressed(cost).ms();
  if (ms <= kMaxDispatchMs || context_->device().software) return;
  unbindAll();
  throw DoesNotFit(
      fmt::format("{}: expected at most {:.0f} ms of the device at once, found {:.0f} by "
                  "estimate",
                  name_, kMaxDispatchMs, ms),
      ms, kMaxDispatchMs);
}

/// Calls run(groups) with the bindings of now, at most so many at once: groups, or rows of a grid.
template <class Run>
void Pass::inPieces(std::uint64_t groups, std::uint64_t atOnce, const Run& run) {
  const bool sliced = isSliced();
  const std::vector<Binding> bindings = bindings_;
  const std::vector<Block> blocks = blocks_;
  Piece piece(groups / kFirstPieces);
  for (std::uint64_t first = 0; first < groups;) {
    const std::uint64_t count = std::min({sliced ? piece.size() : atOnce, atOnce, groups - first});
    bindings_ = bindings, blocks_ = blocks;  // others may have used this pass in between
    piece.begin();
    {
      const Timings::Scope scope(context_->timings(), name_, Timings::Scope::Work::Compute);
      bindAll();
      glProgramUniform1ui(id(), kFirstGroupAt, GLuint(first));
      run(GLuint(count));
      glProgramUniform1ui(id(), kFirstGroupAt, 0);
    }
    piece.end(count);
    if (!sliced) context_->pace();  // drivers count time by what is sent at once
    unbindAll();
    first += count;
    yieldIfOverBudget();
  }
}

/// Calls run() once, and leaves no bindings behind.
template <class Run>
void Pass::inOneGo(const Run& run) {
  {
    const Timings::Scope scope(context_->timings(), name_, Timings::Scope::Work::Compute);
    bindAll();
    run();
  }
  unbindAll();
  yieldIfOverBudget();
}

void Pass::dispatchGroups(std::uint64_t groups, const Cost& each) {
  const DispatchCost cost = wholeOf(each, groups * std::uint64_t(groupSize_));
  const std::uint64_t atOnce = groupsAtOnce(cost, groups);
  note(name_, files_, source_, bindings_, double(groups) * groupSize_, cost.operations);
  if (groups > 1 && (isSliced() || groups > atOnce) && takesFirstGroup_) {
    expectShort({.dependentReads = cost.dependentReads});
    return inPieces(groups, std::min(atOnce, kGroupsPerAxis),
                    [](GLuint count) { glDispatchCompute(count, 1, 1); });
  }
  // As many rows as needed, of equal length: little runs in vain.
  const std::uint64_t rows =
      std::max<std::uint64_t>(1, (groups + kGroupsPerAxis - 1) / kGroupsPerAxis);
  FATHOM_CHECK_OP(rows, <=, kGroupsPerAxis);
  dispatchRows({(groups + rows - 1) / rows, rows}, cost);
}

void Pass::dispatchGrid(glm::ivec2 invocations, const Cost& cost) {
  const glm::uvec2 groups((invocations + groupSides_ - 1) / groupSides_);
  const std::uint64_t count = std::uint64_t(groups.x) * groups.y * std::uint64_t(groupSize_);
  const DispatchCost whole = wholeOf(cost, count);
  note(name_, files_, source_, bindings_, double(count), whole.operations);
  dispatchRows(groups, whole);
}

void Pass::dispatchRows(glm::uvec2 groups, const DispatchCost& cost) {
  for (int axis = 0; axis < 2; ++axis) {
    const std::int64_t limit = context_->limits().workGroupCount[std::size_t(axis)];
    if (groups[axis] <= limit) continue;
    unbindAll();
    throw DoesNotFit(fmt::format("{}: needs {} work groups along {}, this GPU allows {}", name_,
                                 groups[axis], "xy"[axis], limit),
                     groups[axis], double(limit));
  }
  const std::uint64_t rows = groupsAtOnce(cost, groups.y);
  if (groups.y > 1 && (isSliced() || rows < groups.y) && takesFirstGroup_)
    return inPieces(groups.y, rows, [&](GLuint count) { glDispatchCompute(groups.x, count, 1); });
  expectShort(cost);
  if (groups.x == 0 || groups.y == 0) return unbindAll();
  inOneGo([&] { glDispatchCompute(groups.x, groups.y, 1); });
}

void Pass::dispatchIndirect(const RawBuffer& commands, std::int64_t offsetBytes,
                            const DispatchCost& cost) {
  FATHOM_CHECK_OP(offsetBytes % 4, ==, 0);
  FATHOM_CHECK_OP(offsetBytes + 12, <=, commands.bytes());
  expectShort(cost);
  if (glm::uvec3 n(0); DispatchLog::current) {
    glGetNamedBufferSubData(commands.id(), offsetBytes, sizeof n, &n);
    note(name_, files_, source_, bindings_, double(n.x) * n.y * n.z * groupSize_, 0);
  }
  inOneGo([&] {
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, commands.id());
    glDispatchComputeIndirect(offsetBytes);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
  });
}

// ---- RasterPass

RasterPass::RasterPass(Context& context, const RasterPassKey& key, CompiledProgram made) {
  context_ = &context;
  name_ = key.name;
  adopt(std::move(made));
  GlId id = 0;
  glCreateVertexArrays(1, &id);
  vertexArray_ = Handle<deleteVertexArray>(id);
  labelObject(GL_VERTEX_ARRAY, id, name_);
}

void RasterPass::draw(const Target& target, const DrawState& state, std::uint64_t first,
                      std::uint64_t count, const RawBuffer* indices) {
  begin(target, state, indices);
  drawRange(first, count);
  end();
}

void RasterPass::begin(const Target& target, const DrawState& state, const RawBuffer* indices) {
  FATHOM_CHECK(!scope_);
  bindAll();  // may throw: then nothing has begun
  scope_ = std::make_unique<Timings::Scope>(context_->timings(), name_);
  const auto set = [](GLenum what, bool on) { on ? glEnable(what) : glDisable(what); };
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.id());
  glViewport(state.viewport.x, state.viewport.y, state.viewport.width, state.viewport.height);
  set(GL_SCISSOR_TEST, !state.scissor.empty());
  if (!state.scissor.empty())
    glScissor(state.scissor.x, state.scissor.y, state.scissor.width, state.scissor.height);
  // In GL, depth is written only while the test is on.
  set(GL_DEPTH_TEST, state.depthTest || state.depthWrite);
  glDepthFunc(state.depthTest ? GL_LEQUAL : GL_ALWAYS);
  glDepthMask(state.depthWrite ? GL_TRUE : GL_FALSE);
  set(GL_BLEND, state.blend == Blend::Over);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  set(GL_CULL_FACE, false);
  set(GL_STENCIL_TEST, false);
  set(GL_FRAMEBUFFER_SRGB, target.hasColor_ && target.colorFormat_ == TextureFormat::SrgbA8);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  set(GL_PROGRAM_POINT_SIZE, state.points);
  primitive_ = state.points ? GL_POINTS : state.lines ? GL_LINES : GL_TRIANGLES;
  indexed_ = indices != nullptr;
  glBindVertexArray(vertexArray_.id());
  glVertexArrayElementBuffer(vertexArray_.id(), indices ? indices->id() : 0);
  if (!isSliced()) return;
  openDraw = OpenDraw{&target, state, indices};
  openDraw.piece.begin();
}

void RasterPass::drawRange(std::uint64_t first, std::uint64_t count) {
  FATHOM_CHECK(scope_);
  if (!bound_) bindAll();
  // GL counts in ints; a batch of this many ends with a whole triangle and a whole line.
  constexpr std::uint64_t kBatch = std::uint64_t(6) << 27;
  const auto drawBatch = [&](std::uint64_t batch) {
    if (indexed_) {
      glDrawElements(primitive_, GLsizei(batch), GL_UNSIGNED_INT,
                     reinterpret_cast<const void*>(first * 4));
    } else {
      FATHOM_CHECK_OP(first, <=, std::uint64_t(INT32_MAX));
      glDrawArrays(primitive_, GLint(first), GLsizei(batch));
    }
    first += batch, count -= batch, openDraw.drawn += batch;
  };
  while (count > 0 && !isSliced()) drawBatch(std::min(count, kBatch));
  while (count > 0) {
    drawBatch(std::min(count, openDraw.room()));
    if (openDraw.room() > 0) continue;
    // The device draws later than it is told to: only a wait tells what a piece takes.
    context_->finish();
    openDraw.next();
    if (!sliceSpent()) continue;
    // Others may use this pass before the next piece.
    const OpenDraw open = openDraw;
    const std::vector<Binding> bindings = bindings_;
    const std::vector<Block> blocks = blocks_;
    end();  // leaves
    bindings_ = bindings, blocks_ = blocks;
    begin(*open.target, open.state, open.indices);
    openDraw.piece = open.piece;
    openDraw.piece.begin();  // its time does not count while others have worked
  }
}

void RasterPass::end() {
  FATHOM_CHECK(scope_);
  // Leave the state in which clears and other code find GL.
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glDepthMask(GL_TRUE);
  glBindVertexArray(0);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  unbindAll();
  scope_.reset();
  if (!isSliced()) return;
  context_->finish();
  yieldIfOverBudget();
}

}  // namespace fathom::gpu
