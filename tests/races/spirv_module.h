// SPDX-License-Identifier: BSD-3-Clause
// A SPIR-V module as far as memory is concerned: types with their layout, variables, constants,
// names. (SPIR-V specification 1.0, sections 2.3 and 3.)
#pragma once

namespace fathom::races {

using SpirvId = std::uint32_t;

struct SpirvInstruction {
  std::uint16_t op;
  std::span<const std::uint32_t> words;  // the first one, opcode and length, included
};

struct SpirvType {
  std::uint16_t op = 0;
  std::vector<std::uint32_t> operands;  // after the result id
};

struct SpirvVariable {
  std::uint32_t storage = 0;  // spv::StorageClass
  SpirvId type = 0;           // of what it holds
};

/// What a decoration says of a type, a variable or a member of a struct.
struct SpirvDecorations {
  std::optional<std::uint32_t> binding, offset, arrayStride, matrixStride;
  bool bufferBlock = false, isVolatile = false, builtIn = false;
};

class SpirvModule {
 public:
  /// Keeps the words. Throws std::runtime_error when they are no module.
  explicit SpirvModule(std::vector<std::uint32_t> words);

  std::span<const std::uint32_t> header() const { return std::span(words_).first(5); }
  std::uint32_t bound() const { return words_[3]; }
  const std::vector<SpirvInstruction>& instructions() const { return instructions_; }

  const SpirvType& type(SpirvId id) const { return types_.at(id); }
  const std::map<SpirvId, SpirvVariable>& variables() const { return variables_; }
  const std::map<SpirvId, std::uint32_t>& constants() const { return constants_; }
  std::string name(SpirvId id) const;
  /// The function, type or variable of this name, up to a '(' in it; 0: none.
  SpirvId find(const std::string& name) const;
  const SpirvDecorations& decorations(SpirvId id) const;
  const SpirvDecorations& decorations(SpirvId type, std::uint32_t member) const;
  std::optional<std::uint32_t> constant(SpirvId id) const;
  SpirvId scalarType(std::uint16_t op, std::uint32_t width, std::uint32_t sign) const;

  /// A block of a storage buffer.
  bool isStorageBuffer(const SpirvVariable& variable) const;
  /// In words of 4 bytes: with explicit layout (offsets and strides) or packed. `matrixStride` of
  /// the member that holds it. A runtime array has none.
  std::uint32_t words(SpirvId type, bool isExplicit, std::uint32_t matrixStride = 0) const;

 private:
  void take(const SpirvInstruction& instruction);
  void decorate(SpirvDecorations& to, std::span<const std::uint32_t> decoration);

  std::vector<std::uint32_t> words_;
  std::vector<SpirvInstruction> instructions_;
  std::map<SpirvId, SpirvType> types_;
  std::map<SpirvId, SpirvVariable> variables_;
  std::map<SpirvId, std::uint32_t> constants_;
  std::map<SpirvId, std::string> names_;
  std::map<SpirvId, SpirvDecorations> decorations_;
  std::map<std::pair<SpirvId, std::uint32_t>, SpirvDecorations> memberDecorations_;
};

}  // namespace fathom::races
