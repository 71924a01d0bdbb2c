// SPDX-License-Identifier: BSD-3-Clause
// GPU programs with a name: Pass for compute, RasterPass for drawing. The name labels timer, debug
// group and log. C++ asks for work (invocations), not for groups. Get them from Context::pass(),
// which compiles once.
#pragma once

#include "app/engine/core/error.h"
#include "app/engine/core/image.h"
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/shader_loader.h"
#include "app/engine/gpu/texture.h"

namespace fathom::gpu {

struct PassKey {
  std::string name;    // "merge lists": also the timer's name
  std::string shader;  // "shaders/deep/lists/merge_lists.comp"
  std::vector<Define> defines;
  std::vector<GeneratedText> generated = {};
  Features features = {};  // what `#include "@feature"` means
  auto operator<=>(const PassKey&) const = default;
};

/// Of a shader that has the name of its pass: "close lists" is close_lists.comp.
PassKey keyIn(const std::string& folder, const std::string& name, std::vector<Define> defines = {});

struct RasterPassKey {
  std::string name;
  std::string vertexShader, fragmentShader;
  std::vector<Define> defines;
  auto operator<=>(const RasterPassKey&) const = default;
};

struct CompiledProgram;

/// How what a pass has just written is read next. barrier() is called beside the pass that wrote.
enum class Access : unsigned {
  Storage = 1,    // a shader, through storage buffers or image loads
  Indirect = 2,   // dispatchIndirect / drawIndirect
  Texture = 4,    // a shader, through samplers
  Transfer = 8,   // read-back, clear, copy
  Target = 32,    // drawing into it
  Uniform = 64,   // uniform blocks
  Counter = 128,  // atomic counters
};
constexpr Access operator|(Access a, Access b) { return Access(unsigned(a) | unsigned(b)); }
void barrier(Access access);

/// What both kinds share: bindings last until the next dispatch or draw of this pass.
class Program {
 protected:
  struct Binding {
    enum class Kind { Storage, Uniform, Counter, Texture, Image, ImageWords } kind;
    unsigned unit;
    GlId id;
    std::int64_t offset = 0, bytes = -1;  // bytes < 0: all of it
    TextureFormat format = {};
  };

 public:
  Program(Program&&) noexcept = default;
  Program& operator=(Program&&) noexcept = default;

  /// Binds the whole buffer, or [offset, offset + bytes) of it, to a storage block. Offsets must be
  /// multiples of Limits::storageOffsetAlignment.
  Program& storage(unsigned binding, const RawBuffer& buffer);
  Program& storage(unsigned binding, const RawBuffer& buffer, std::int64_t offset,
                   std::int64_t bytes);
  Program& storage(unsigned binding, const BufferRange& range) {
    return storage(binding, *range.buffer, range.offset, range.bytes);
  }
  Program& uniform(unsigned binding, const RawBuffer& buffer) {
    return bind({Binding::Kind::Uniform, binding, buffer.id()});
  }
  /// Binds the whole buffer to the atomic counters of this binding.
  Program& counter(unsigned binding, const RawBuffer& buffer) {
    return bind({Binding::Kind::Counter, binding, buffer.id()});
  }
  /// Copies a plain struct (from shared.h); it holds until it is replaced.
  template <class T>
  Program& params(unsigned binding, const T& value) {
    return writeParams(binding, &value, sizeof value);
  }
  Program& texture(unsigned unit, const Texture& texture) {
    return bind({Binding::Kind::Texture, unit, texture.id()});
  }
  Program& texels(unsigned unit, const TexelView& view) {
    return bind({Binding::Kind::Texture, unit, view.id()});
  }
  Program& words(unsigned unit, const WordView& view) {
    return bind({Binding::Kind::Texture, unit, view.id()});
  }
  /// For reading and writing in the texture's own format.
  Program& image(unsigned unit, const Texture& texture);
  /// The same as words, bit for bit: r32ui for texels of 4 bytes, rgba32ui for those of 16.
  Program& imageWords(unsigned unit, const Texture& texture);

  const std::string& name() const { return name_; }
  GlId id() const { return program_.id(); }
  /// The source after includes and defines, as the compiler saw it (of all stages, in order).
  const std::string& source() const { return source_; }
  /// True when a file that this program was made of has another time on disk.
  bool sourceChanged() const;
  /// Gives the program back; it is compiled again at the next use. Contexts do that with what has
  /// not been used for long.
  void drop();

 protected:
  Program() = default;
  /// Replaces what was bound to the same place.
  Program& bind(const Binding& binding);
  Program& writeParams(unsigned binding, const void* data, std::size_t bytes);
  /// Takes over a program; its warnings become debug messages.
  void adopt(CompiledProgram made);
  void bindAll();
  void unbindAll() { bindings_.clear(); }

  struct Block {
    unsigned binding;
    std::vector<std::byte> last;
  };
  Context* context_ = nullptr;
  std::uint64_t lastUse_ = 0;  // by the context's count
  std::string name_, source_;
  std::vector<SourceFile> files_;
  Handle<deleteProgram> program_;
  std::vector<Binding> bindings_;
  bool bound_ = false;  // GL knows all of them
  std::vector<Block> blocks_;
  friend class ::fathom::gpu::Context;
};

// What work costs at most, estimated beside each dispatch, so that long work is cut before a
// watchdog does it: displays are reset after 2 s (Windows) or less, and a window on the same device
// waits for each dispatch to end.

/// On a modest device: 5 TFLOP/s, of which arithmetic on integers with branches sees a tenth, and
/// 500 ns for a read that waits for the one before it.
struct DispatchCost {
  double operations = 0;      // of all invocations together
  double dependentReads = 0;  // of the longest invocation

  double ms() const { return std::max(operations / 0.5e9, dependentReads * 500e-6); }
};

/// Of every invocation, all of which work alike.
struct Each {
  double operations = 0, dependentReads = 0;
};
using Cost = std::variant<DispatchCost, Each>;

/// No dispatch takes longer, by its estimate: what would is done by several. Where the shader has
/// no firstGroup (shaders/common/invocation.glsl), or one invocation alone takes as long, hardware
/// refuses it with DoesNotFit. Software renderers know no watchdog.
inline constexpr double kMaxDispatchMs = 100;

class Pass : public Program {
 public:
  Pass(Context& context, const PassKey& key, CompiledProgram made);

  /// Runs at least `invocations` invocations (0: nothing). Groups beyond 65,535 fold into the
  /// second dimension: the shader takes its index from invocationIndex()
  /// (shaders/common/invocation.glsl) and returns when out of range. Timed under the pass's name.
  /// The caller issues the barrier for the reader.
  void dispatch(std::uint64_t invocations, const Cost& cost);
  /// At least this many groups, folded likewise: the shader takes groupIndex() and returns when
  /// that is out of range. Up to 65,535 it is exactly as many.
  void dispatchGroups(std::uint64_t groups, const Cost& cost);
  /// As few groups as cover these along x and y; cut into rows of groups where the shader takes
  /// gridGroup(). Throws DoesNotFit when the device allows fewer along an axis.
  void dispatchGrid(glm::ivec2 invocations, const Cost& cost);
  /// `commands` holds uvec3 group counts at the byte offset; written by a shader, so
  /// Access::Indirect before it. In one piece; the cost is of the most groups that there can be.
  void dispatchIndirect(const RawBuffer& commands, std::int64_t offsetBytes,
                        const DispatchCost& cost);
  int groupSize() const { return groupSize_; }
  /// Storage blocks that the shader uses.
  int storageBlocks() const { return storageBlocks_; }

 private:
  void adopt(CompiledProgram made);
  void expectShort(const DispatchCost& cost);
  void dispatchRows(glm::uvec2 groups, const DispatchCost& cost);
  template <class Run>
  void inPieces(std::uint64_t groups, std::uint64_t atOnce, const Run& run);
  template <class Run>
  void inOneGo(const Run& run);
  glm::ivec2 groupSides_{1};
  int groupSize_ = 1, storageBlocks_ = 0;
  bool takesFirstGroup_ = false;  // so that work can be cut
  friend class ::fathom::gpu::Context;
};

enum class Blend { Off, Over };  // Over: premultiplied

struct DrawState {
  Rect viewport{};  // in pixels of the target
  Rect scissor{};   // empty: none
  bool depthTest = false, depthWrite = false;
  Blend blend = Blend::Off;
  bool lines = false;
  bool points = false;  // squares of gl_PointSize pixels
};

/// Depth test: less or equal. Nothing is culled. Row 0 of the target is where clip y is -1.
class RasterPass : public Program {
 public:
  RasterPass(Context& context, const RasterPassKey& key, CompiledProgram made);
  /// Vertices are pulled by the shader from storage buffers (gl_VertexID); `indices` may be null.
  void draw(const Target& target, const DrawState& state, std::uint64_t first, std::uint64_t count,
            const RawBuffer* indices = nullptr);
  /// Several draws without re-binding: call begin once, then drawRange per batch, then end. One
  /// timer scope. Bindings made in between hold from the next drawRange on, beside the others.
  void begin(const Target& target, const DrawState& state, const RawBuffer* indices = nullptr);
  void drawRange(std::uint64_t first, std::uint64_t count);
  void end();

 private:
  Handle<deleteVertexArray> vertexArray_;
  std::unique_ptr<Timings::Scope> scope_;
  bool indexed_ = false;
  unsigned primitive_ = 0;  // as GL names it
  friend class ::fathom::gpu::Context;
};

// ---- What dispatches were given, noted for who foretells their time (app/lab/prediction.cpp)

struct Dispatched {
  std::string pass, variant;               // variant: "shaders/a.comp NAME=VALUE", as `./dev isa`
  double invocations = 0, operations = 0;  // of all invocations, by the caller's estimate; 0: none
  std::int64_t bytes = 0;                  // of all storage that is bound
};

/// While one lives, dispatches of this thread are noted in it. Counts of groups that shaders wrote
/// are read back.
struct DispatchLog : std::vector<Dispatched> {
  static inline thread_local DispatchLog* current = nullptr;
  DispatchLog() { current = this; }
  ~DispatchLog() { current = nullptr; }
};

}  // namespace fathom::gpu
