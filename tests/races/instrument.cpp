// SPDX-License-Identifier: BSD-3-Clause
// One pass over the module: access chains are followed from their variable, each load, store and
// atomic is given a call with the word that it touches, and indices into shared memory are kept in
// range, since a shader with a race may compute any.
#include "tests/races/instrument.h"

#include "tests/races/glsl_front_end.h"
#include "tests/races/spirv_module.h"

#include <glslang/SPIRV/GLSL.std.450.h>
#include <glslang/SPIRV/spirv.hpp>

namespace fathom::races {
namespace {

constexpr unsigned kStorageBindings = 16, kFactsBinding = 60;
constexpr unsigned kWorkgroupSemantics = spv::MemorySemanticsWorkgroupMemoryMask;

/// Names and lines, at which Mesa stumbles.
bool isForDebuggers(const SpirvInstruction& instruction) {
  const auto op = instruction.op;
  return (op >= spv::OpSourceContinued && op <= spv::OpLine) || op == spv::OpNoLine ||
         op == spv::OpModuleProcessed;
}

/// Where a pointer leads: word = constant + sum of index * multiplier.
struct Pointer {
  SpirvId variable = 0;
  SpirvId pointee = 0;
  std::uint32_t constant = 0;
  std::vector<std::pair<SpirvId, std::uint32_t>> terms;
  std::uint32_t matrixStride = 0;
  bool isVolatile = false;
  // Of an array of blocks: which one, as a number or as an id; the first index tells.
  bool choosesBlock = false;
  std::uint32_t block = 0;
  SpirvId blockIndex = 0;
};

class Instrumenter {
 public:
  explicit Instrumenter(const SpirvModule& module) : module_(module), bound_(module.bound()) {
    uint_ = module.scalarType(spv::OpTypeInt, 32, 0);
    collectObjects();
  }

  Instrumented run() {
    access_ = module_.find("fathomRaceAccess");
    begin_ = module_.find("fathomRaceBegin");
    texel_ = module_.find("fathomRaceTexel");
    fence_ = module_.find("fathomRaceFence");
    barrier_ = module_.find("fathomRaceBarrier");
    std::size_t firstFunction = 0;
    const auto& all = module_.instructions();
    while (all[firstFunction].op != spv::OpFunction) ++firstFunction;
    for (std::size_t i = 0; i < firstFunction; ++i) note(all[i]);
    for (std::size_t i = firstFunction; i < all.size(); ++i) visit(all[i]);
    std::vector<std::uint32_t>& out = result_.spirv;
    out.assign(module_.header().begin(), module_.header().end());
    out[3] = bound_;
    for (std::size_t i = 0; i < firstFunction; ++i)
      if (!isForDebuggers(all[i])) append(out, all[i].words);
    append(out, globals_);
    append(out, body_);
    return std::move(result_);
  }

  /// Objects alone.
  Instrumented surveyOnly() {
    for (const SpirvInstruction& instruction : module_.instructions()) {
      note(instruction);
      visit(instruction);
    }
    return std::move(result_);
  }

 private:
  static void append(std::vector<std::uint32_t>& to, std::span<const std::uint32_t> words) {
    to.insert(to.end(), words.begin(), words.end());
  }

  void emit(std::uint16_t op, std::initializer_list<std::uint32_t> operands) {
    body_.push_back(std::uint32_t(operands.size() + 1) << spv::WordCountShift | op);
    body_.insert(body_.end(), operands);
  }

  SpirvId constantId(std::uint32_t value) {
    const auto [at, isNew] = constants_.try_emplace(value, 0);
    if (isNew) {
      at->second = bound_++;
      append(globals_, std::array<std::uint32_t, 4>{4u << spv::WordCountShift | spv::OpConstant,
                                                    uint_, at->second, value});
    }
    return at->second;
  }

  void collectObjects() {
    for (const auto& [id, variable] : module_.variables()) {
      const SpirvType& type = module_.type(variable.type);
      const unsigned binding = module_.decorations(id).binding.value_or(0);
      if (module_.name(variable.type).starts_with("FathomRace")) continue;
      if (variable.storage == spv::StorageClassWorkgroup)
        add(id, {WatchedObject::Kind::Shared, module_.name(id), unsigned(id)});
      else if (module_.isStorageBuffer(variable))
        addBlocks(id, variable, binding);
      else if (variable.storage == spv::StorageClassUniform)
        result_.uniforms.push_back(binding);
      else if (type.op == spv::OpTypeImage && type.operands[5] == 2)
        add(id, {WatchedObject::Kind::Image, module_.name(id), binding});
      else if (type.op == spv::OpTypeSampledImage || type.op == spv::OpTypeImage)
        result_.textures.push_back(binding);
    }
  }

  void add(SpirvId id, WatchedObject object) {
    objects_.try_emplace(id, unsigned(result_.objects.size()));
    result_.objects.push_back(std::move(object));
  }

  /// A block, or an array of them at bindings one after another: an object each.
  void addBlocks(SpirvId id, const SpirvVariable& variable, unsigned binding) {
    const SpirvType& type = module_.type(variable.type);
    const bool isArray = type.op == spv::OpTypeArray;
    const std::string name = module_.name(isArray ? type.operands[0] : variable.type);
    for (unsigned i = 0; i < blockCount(variable); ++i)
      add(id, {WatchedObject::Kind::Buffer, name, binding + i});
  }

  unsigned blockCount(const SpirvVariable& variable) const {
    const SpirvType& type = module_.type(variable.type);
    if (type.op != spv::OpTypeArray || !module_.isStorageBuffer(variable)) return 1;
    return module_.constant(type.operands[1]).value_or(1);
  }

  // Before functions: the imported instruction set, main() and the type of nothing.
  void note(const SpirvInstruction& instruction) {
    if (instruction.op == spv::OpExtInstImport) glsl_ = instruction.words[1];
    if (instruction.op == spv::OpExecutionMode &&
        instruction.words[2] == spv::ExecutionModeLocalSize)
      result_.groupSize = instruction.words[3] * instruction.words[4] * instruction.words[5];
    if (instruction.op == spv::OpEntryPoint) main_ = instruction.words[2];
    if (instruction.op == spv::OpTypeVoid) void_ = instruction.words[1];
  }

  void visit(const SpirvInstruction& instruction) {
    const auto& w = instruction.words;
    if (instruction.op == spv::OpFunction) ours_ = module_.name(w[2]).starts_with("fathomRace");
    if (instruction.op == spv::OpLine) line_ = w[2];
    if (isForDebuggers(instruction)) return;
    if (instruction.op == spv::OpFunction && w[2] == main_) atStart_ = begin_ != 0;
    // A function's variables stand first in its first block.
    const bool isOpening = instruction.op == spv::OpFunction || instruction.op == spv::OpLabel ||
                           instruction.op == spv::OpVariable;
    if (atStart_ && !isOpening) {
      atStart_ = false;
      call(begin_, {});
    }
    if (ours_) return append(body_, w);
    switch (instruction.op) {
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
        return visitChain(instruction);
      case spv::OpLoad:
        if (objects_.contains(w[3])) loadedImages_[w[2]] = w[3];
        touch(w[3], AccessKind::Read);
        break;
      case spv::OpStore:
        touch(w[1], AccessKind::Write, module_.constant(w[2]) ? w[2] : 0);
        break;
      case spv::OpAtomicStore:
        touch(w[1], AccessKind::Atomic);
        break;
      case spv::OpImageTexelPointer:
        texelPointers_[w[2]] = {w[3], w[4]};
        break;
      case spv::OpImageRead:
        touchTexel(loadedFrom(w[3]), w[4], AccessKind::Read);
        break;
      case spv::OpImageWrite:
        touchTexel(loadedFrom(w[1]), w[2], AccessKind::Write);
        break;
      case spv::OpMemoryBarrier:
        visitFence(w[2]);
        break;
      case spv::OpControlBarrier:
        if (barrier_) return visitBarrier();
        break;
      default:
        if (instruction.op >= spv::OpAtomicLoad && instruction.op <= spv::OpAtomicXor)
          touch(w[3], AccessKind::Atomic);
    }
    append(body_, w);
  }

  void visitChain(const SpirvInstruction& instruction) {
    const auto& w = instruction.words;
    Pointer pointer;
    if (const auto known = pointers_.find(w[3]); known != pointers_.end())
      pointer = known->second;
    else if (objects_.contains(w[3]))
      pointer = pointerTo(w[3]);
    else
      return append(body_, w);
    std::vector<std::uint32_t> words(w.begin(), w.end());
    for (std::size_t i = 4; i < words.size(); ++i) words[i] = step(pointer, words[i]);
    pointers_[w[2]] = pointer;
    append(body_, words);
  }

  Pointer pointerTo(SpirvId variable) const {
    const SpirvVariable& facts = module_.variables().at(variable);
    Pointer pointer;
    pointer.variable = variable;
    pointer.pointee = facts.type;
    pointer.isVolatile = module_.decorations(variable).isVolatile;
    pointer.choosesBlock =
        module_.isStorageBuffer(facts) && module_.type(facts.type).op == spv::OpTypeArray;
    return pointer;
  }

  /// Follows one index; returns the id to index with.
  SpirvId step(Pointer& to, SpirvId index) {
    const SpirvType& type = module_.type(to.pointee);
    const bool isShared = module_.variables().at(to.variable).storage == spv::StorageClassWorkgroup;
    const auto constant = module_.constant(index);
    if (std::exchange(to.choosesBlock, false)) {
      to.block = constant.value_or(0);
      to.blockIndex = constant ? 0 : index;
      to.pointee = type.operands[0];
      return index;
    }
    if (type.op == spv::OpTypeStruct) {
      stepMember(to, type, constant.value_or(0), isShared);
      return index;
    }
    std::uint32_t stride = 1;
    if (type.op == spv::OpTypeMatrix)
      stride = to.matrixStride ? to.matrixStride / 4 : module_.words(type.operands[0], false);
    else if (type.op != spv::OpTypeVector)
      stride = strideOf(to.pointee, isShared, to.matrixStride);
    if (constant)
      to.constant += *constant * stride;
    else if (isShared && type.op == spv::OpTypeArray)
      index = clamp(index, module_.constant(type.operands[1]).value_or(1));
    if (!constant) to.terms.emplace_back(index, stride);
    to.pointee = type.operands[0];
    return index;
  }

  void stepMember(Pointer& to, const SpirvType& type, std::uint32_t member, bool isShared) const {
    const SpirvDecorations& layout = module_.decorations(to.pointee, member);
    if (isShared)
      for (std::uint32_t i = 0; i < member; ++i)
        to.constant += module_.words(type.operands[i], false);
    else
      to.constant += layout.offset.value_or(0) / 4;
    to.matrixStride = layout.matrixStride.value_or(0);
    to.isVolatile |= layout.isVolatile;
    to.pointee = type.operands[member];
  }

  std::uint32_t strideOf(SpirvId array, bool isShared, std::uint32_t matrixStride) const {
    const auto stride = module_.decorations(array).arrayStride;
    if (!isShared && stride) return *stride / 4;
    return module_.words(module_.type(array).operands[0], !isShared, matrixStride);
  }

  SpirvId clamp(SpirvId index, std::uint32_t count) {
    const SpirvId asUint = bound_++, inRange = bound_++;
    emit(spv::OpIAdd, {uint_, asUint, index, constantId(0)});
    emit(spv::OpExtInst, {uint_, inRange, glsl_, GLSLstd450UMin, asUint, constantId(count - 1)});
    return inRange;
  }

  /// An access through a pointer: a call before it.
  void touch(SpirvId pointerId, AccessKind kind, SpirvId constant = 0) {
    if (const auto texel = texelPointers_.find(pointerId); texel != texelPointers_.end())
      return touchTexel(texel->second.first, texel->second.second, kind);
    Pointer pointer;
    if (const auto known = pointers_.find(pointerId); known != pointers_.end())
      pointer = known->second;
    else if (objects_.contains(pointerId) && !isImage(pointerId))
      pointer = pointerTo(pointerId);
    else
      return;
    if (pointer.isVolatile) kind = AccessKind::Atomic;
    const bool isShared =
        module_.variables().at(pointer.variable).storage == spv::StorageClassWorkgroup;
    const std::uint32_t words = module_.words(pointer.pointee, !isShared, pointer.matrixStride);
    const SpirvId place = placeOf(pointer, kind, words, constant);
    if (!access_) return;
    SpirvId at = constantId(pointer.constant);
    for (const auto& [index, stride] : pointer.terms) {
      SpirvId scaled = index;
      if (stride != 1) emit(spv::OpIMul, {uint_, scaled = bound_++, index, constantId(stride)});
      const SpirvId sum = bound_++;
      emit(spv::OpIAdd, {uint_, sum, at, scaled});
      at = sum;
    }
    call(access_, {at, place});
  }

  bool isImage(SpirvId variable) const {
    return result_.objects[objects_.at(variable)].kind == WatchedObject::Kind::Image;
  }

  /// The image variable that this value was loaded from; 0: none that is watched.
  SpirvId loadedFrom(SpirvId value) const {
    const auto found = loadedImages_.find(value);
    return found == loadedImages_.end() ? 0 : found->second;
  }

  void touchTexel(SpirvId variable, SpirvId coordinate, AccessKind kind) {
    const auto found = objects_.find(variable);
    if (found == objects_.end()) return;
    const SpirvId place = placeId(found->second, kind, 1, 0);
    if (access_) call(texel_, {coordinate, place});
  }

  /// Of an array of blocks: a place for each, one after another, unless it is known which is meant.
  SpirvId placeOf(const Pointer& pointer, AccessKind kind, std::uint32_t words, SpirvId constant) {
    const unsigned object = objects_.at(pointer.variable);
    if (!pointer.blockIndex) return placeId(object + pointer.block, kind, words, constant);
    const unsigned count = blockCount(module_.variables().at(pointer.variable));
    const SpirvId first = placeId(object, kind, words, constant);
    for (unsigned i = 1; i < count; ++i) placeId(object + i, kind, words, constant);
    if (!access_) return 0;
    const SpirvId place = bound_++;
    emit(spv::OpIAdd, {uint_, place, first, pointer.blockIndex});
    return place;
  }

  SpirvId placeId(unsigned object, AccessKind kind, unsigned words, SpirvId constant) {
    if (kind != AccessKind::Write) result_.objects[object].read = true;
    if (kind != AccessKind::Read) result_.objects[object].written = true;
    result_.places.push_back({line_, object, kind, words, constant});
    return access_ ? constantId(std::uint32_t(result_.places.size() - 1)) : 0;
  }

  void visitFence(SpirvId semantics) {
    const unsigned bits = module_.constant(semantics).value_or(0);
    if (fence_ && (bits & ~kWorkgroupSemantics & spv::MemorySemanticsUniformMemoryMask))
      call(fence_, {});
  }

  void visitBarrier() {
    const auto index = std::uint32_t(result_.barriers.size());
    result_.barriers.push_back(line_);
    call(barrier_, {constantId(index)});
  }

  void call(SpirvId function, std::initializer_list<std::uint32_t> arguments) {
    body_.push_back(std::uint32_t(arguments.size() + 4) << spv::WordCountShift |
                    spv::OpFunctionCall);
    append(body_, std::array<std::uint32_t, 3>{void_, bound_++, function});
    body_.insert(body_.end(), arguments);
  }

  const SpirvModule& module_;
  Instrumented result_;
  std::uint32_t bound_;
  std::vector<std::uint32_t> globals_, body_;
  std::map<std::uint32_t, SpirvId> constants_;
  std::map<SpirvId, unsigned> objects_;  // variables; of an array of blocks, the first
  std::map<SpirvId, Pointer> pointers_;
  std::map<SpirvId, SpirvId> loadedImages_;
  std::map<SpirvId, std::pair<SpirvId, SpirvId>> texelPointers_;  // variable, coordinate
  SpirvId uint_ = 0, void_ = 0, glsl_ = 0, main_ = 0, begin_ = 0, access_ = 0, texel_ = 0,
          fence_ = 0, barrier_ = 0;
  bool ours_ = false, atStart_ = false;
  unsigned line_ = 0;
};

std::string recordAccesses() {
  std::ifstream in(std::filesystem::path(FATHOM_SOURCE_DIR) / "tests/races/record_accesses.glsl");
  if (!in) throw std::runtime_error("expected tests/races/record_accesses.glsl, found none");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::uint32_t> spirvOf(const std::string& name, const std::string& text) {
  FrontEndResult compiled = compileGlsl(name, text, {.spirv = true, .lines = true});
  if (!compiled.ok()) throw std::runtime_error(compiled.messages);
  return std::move(compiled.spirv);
}

/// Mesa 22.3 crashes on these two in SPIR-V. Their values are those of vectors of 256 bits.
std::string withoutSubgroupVariables(std::string text) {
  const std::pair<std::string_view, std::string_view> values[] = {
      {"gl_SubGroupSizeARB", "8u"}, {"gl_SubGroupInvocationARB", "(gl_LocalInvocationIndex & 7u)"}};
  for (const auto& [name, value] : values)
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
      text.replace(at, name.size(), value);
  return text;
}

/// The last binding that no storage buffer of the shader has.
unsigned freeBinding(const Instrumented& shader) {
  std::set<unsigned> taken;
  for (const WatchedObject& object : shader.objects)
    if (object.kind == WatchedObject::Kind::Buffer) taken.insert(object.binding);
  unsigned binding = kStorageBindings - 1;
  while (taken.contains(binding)) {
    if (binding-- == 0) throw std::runtime_error("expected a storage block to be free, found none");
  }
  return binding;
}

}  // namespace

Instrumented survey(const std::string& name, const std::string& text) {
  const SpirvModule module(spirvOf(name, text));
  return Instrumenter(module).surveyOnly();
}

Instrumented instrument(const std::string& name, const std::string& text) {
  static const std::string functions = recordAccesses();
  const unsigned log = freeBinding(survey(name, text));
  const std::string defines =
      fmt::format("#define FATHOM_RACE_LOG {}\n#define FATHOM_RACE_FACTS {}\n", log, kFactsBinding);
  const SpirvModule module(spirvOf(name, withoutSubgroupVariables(text) + defines + functions));
  Instrumented result = Instrumenter(module).run();
  result.logBinding = log;
  result.factsBinding = kFactsBinding;
  return result;
}

}  // namespace fathom::races
