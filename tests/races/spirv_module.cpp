// SPDX-License-Identifier: BSD-3-Clause
// Reads the instructions that say what memory looks like; those of functions are left as they are.
#include "tests/races/spirv_module.h"

#include <glslang/SPIRV/spirv.hpp>

namespace fathom::races {
namespace {

std::string textOf(std::span<const std::uint32_t> words) {
  std::string text;
  for (const std::uint32_t word : words)
    for (int byte = 0; byte < 4; ++byte) {
      const char c = char(word >> (8 * byte) & 0xffu);
      if (c == 0) return text;
      text += c;
    }
  return text;
}

}  // namespace

SpirvModule::SpirvModule(std::vector<std::uint32_t> words) : words_(std::move(words)) {
  if (words_.size() < 5 || words_[0] != spv::MagicNumber) throw std::runtime_error("no SPIR-V");
  for (std::size_t at = 5; at < words_.size();) {
    const std::size_t length = words_[at] >> spv::WordCountShift;
    if (length == 0 || at + length > words_.size())
      throw std::runtime_error("SPIR-V that ends early");
    instructions_.push_back({std::uint16_t(words_[at] & spv::OpCodeMask),
                             std::span<const std::uint32_t>(words_).subspan(at, length)});
    take(instructions_.back());
    at += length;
  }
}

void SpirvModule::take(const SpirvInstruction& instruction) {
  const auto& w = instruction.words;
  switch (instruction.op) {
    case spv::OpName:
      names_[w[1]] = textOf(w.subspan(2));
      break;
    case spv::OpDecorate:
      decorate(decorations_[w[1]], w.subspan(2));
      break;
    case spv::OpMemberDecorate:
      decorate(memberDecorations_[{w[1], w[2]}], w.subspan(3));
      break;
    case spv::OpConstant:
      constants_[w[2]] = w[3];
      break;
    case spv::OpVariable:
      if (w[3] != spv::StorageClassFunction) variables_[w[2]] = {w[3], type(w[1]).operands[1]};
      break;
    default:
      if (instruction.op >= spv::OpTypeVoid && instruction.op <= spv::OpTypeFunction)
        types_[w[1]] = {instruction.op, {w.begin() + 2, w.end()}};
  }
}

void SpirvModule::decorate(SpirvDecorations& to, std::span<const std::uint32_t> decoration) {
  switch (decoration[0]) {
    case spv::DecorationBinding:
      to.binding = decoration[1];
      break;
    case spv::DecorationOffset:
      to.offset = decoration[1];
      break;
    case spv::DecorationArrayStride:
      to.arrayStride = decoration[1];
      break;
    case spv::DecorationMatrixStride:
      to.matrixStride = decoration[1];
      break;
    case spv::DecorationBufferBlock:
      to.bufferBlock = true;
      break;
    case spv::DecorationVolatile:
      to.isVolatile = true;
      break;
    case spv::DecorationBuiltIn:
      to.builtIn = true;
      break;
    default:
      break;
  }
}

std::string SpirvModule::name(SpirvId id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? "" : found->second;
}

SpirvId SpirvModule::find(const std::string& name) const {
  for (const auto& [id, text] : names_)
    if (text.substr(0, text.find('(')) == name) return id;
  return 0;
}

const SpirvDecorations& SpirvModule::decorations(SpirvId id) const {
  static const SpirvDecorations none;
  const auto found = decorations_.find(id);
  return found == decorations_.end() ? none : found->second;
}

const SpirvDecorations& SpirvModule::decorations(SpirvId type, std::uint32_t member) const {
  static const SpirvDecorations none;
  const auto found = memberDecorations_.find({type, member});
  return found == memberDecorations_.end() ? none : found->second;
}

std::optional<std::uint32_t> SpirvModule::constant(SpirvId id) const {
  const auto found = constants_.find(id);
  return found == constants_.end() ? std::nullopt : std::optional(found->second);
}

SpirvId SpirvModule::scalarType(std::uint16_t op, std::uint32_t width, std::uint32_t sign) const {
  for (const auto& [id, type] : types_)
    if (type.op == op && type.operands.size() == 2 && type.operands[0] == width &&
        type.operands[1] == sign)
      return id;
  return 0;
}

bool SpirvModule::isStorageBuffer(const SpirvVariable& variable) const {
  SpirvId block = variable.type;
  while (type(block).op == spv::OpTypeArray) block = type(block).operands[0];
  return variable.storage == spv::StorageClassStorageBuffer ||
         (variable.storage == spv::StorageClassUniform && decorations(block).bufferBlock);
}

std::uint32_t SpirvModule::words(SpirvId id, bool isExplicit, std::uint32_t matrixStride) const {
  const SpirvType& of = type(id);
  switch (of.op) {
    case spv::OpTypeBool:
      return 1;
    case spv::OpTypeInt:
    case spv::OpTypeFloat:
      return std::max(1u, of.operands[0] / 32);
    case spv::OpTypeVector:
      return of.operands[1] * words(of.operands[0], isExplicit);
    case spv::OpTypeMatrix:
      return of.operands[1] * (matrixStride ? matrixStride / 4 : words(of.operands[0], isExplicit));
    case spv::OpTypeArray: {
      const std::uint32_t count = constant(of.operands[1]).value_or(0);
      const auto stride = decorations(id).arrayStride;
      return count * (isExplicit && stride ? *stride / 4 : words(of.operands[0], isExplicit));
    }
    case spv::OpTypeStruct: {
      std::uint32_t end = 0;
      for (std::uint32_t member = 0; member < of.operands.size(); ++member) {
        const SpirvDecorations& layout = decorations(id, member);
        const std::uint32_t start = isExplicit && layout.offset ? *layout.offset / 4 : end;
        end = start + words(of.operands[member], isExplicit, layout.matrixStride.value_or(0));
      }
      return end;
    }
    default:
      return 0;
  }
}

}  // namespace fathom::races
