// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/io_fields.h"

#include "app/core/error.h"

#include <cmath>
#include <cstddef>
#include <cstring>

namespace fathom::smoe {
namespace {

using Q = Quantization;

#define FATHOM_AT(member) offsetof(Component, member)

std::vector<RecordField> spatialFields() {
  std::vector<RecordField> fields = {
      {"cx", FATHOM_AT(cx), true, Map::Identity, &Q::center},
      {"cy", FATHOM_AT(cy), true, Map::Identity, &Q::center},
      {"c", FATHOM_AT(c), false, Map::Identity, &Q::c},
      {"W11", FATHOM_AT(w11), false, Map::Log, &Q::w},
      {"W21", FATHOM_AT(w21), false, Map::AsinhRatio, &Q::w},
      {"W22", FATHOM_AT(w22), false, Map::Log, &Q::w},
  };
  for (std::size_t i = 0; i < 3; ++i)
    fields.push_back(
        {fmt::format("muY{}", i + 1), FATHOM_AT(color) + 4 * i, false, Map::Identity, &Q::color});
  for (std::size_t i = 0; i < 6; ++i)
    fields.push_back({fmt::format("H{}{}", i / 2 + 1, i % 2 + 1), FATHOM_AT(h) + 4 * i, false,
                      Map::Asinh20, &Q::h});
  return fields;
}

std::vector<RecordField> videoFields() {
  std::vector<RecordField> fields = spatialFields();
  fields.push_back({"t", FATHOM_AT(leadCenter), false, Map::Identity, &Q::center});
  fields.push_back({"Wt", FATHOM_AT(leadW11), false, Map::Log, &Q::w});
  for (std::size_t i = 0; i < 2; ++i)
    fields.push_back(
        {fmt::format("M{}", i + 1), FATHOM_AT(m) + 8 * i, false, Map::Identity, &Q::center});
  for (std::size_t i = 0; i < 3; ++i)
    fields.push_back(
        {fmt::format("Ht{}", i + 1), FATHOM_AT(leadH) + 8 * i, false, Map::Asinh20, &Q::h});
  return fields;
}

std::vector<RecordField> lightFieldFields() {
  std::vector<RecordField> fields = spatialFields();
  for (std::size_t i = 0; i < 2; ++i)
    fields.push_back({fmt::format("a{}", i + 1), FATHOM_AT(leadCenter) + 4 * i, false,
                      Map::Identity, &Q::center});
  fields.push_back({"Wa11", FATHOM_AT(leadW11), false, Map::Log, &Q::w});
  fields.push_back({"Wa21", FATHOM_AT(leadW21), false, Map::AsinhRatio, &Q::w});
  fields.push_back({"Wa22", FATHOM_AT(leadW22), false, Map::Log, &Q::w});
  for (std::size_t i = 0; i < 4; ++i)
    fields.push_back({fmt::format("M{}{}", i / 2 + 1, i % 2 + 1), FATHOM_AT(m) + 4 * i, false,
                      Map::Identity, &Q::center});
  for (std::size_t i = 0; i < 6; ++i)
    fields.push_back({fmt::format("Ha{}{}", i / 2 + 1, i % 2 + 1), FATHOM_AT(leadH) + 4 * i, false,
                      Map::Asinh20, &Q::h});
  return fields;
}

#undef FATHOM_AT

}  // namespace

const std::vector<std::string>& mapWords() {
  static const std::vector<std::string> words = {"identity", "log", "asinh-ratio", "asinh-20"};
  return words;
}

const std::vector<RecordField>& recordFields(int dims) {
  static const std::vector<RecordField> image = spatialFields(), video = videoFields(),
                                        lightField = lightFieldFields();
  FATHOM_CHECK(dims >= 2 && dims <= 4);
  return dims == 2 ? image : dims == 3 ? video : lightField;
}

std::uint32_t bitsOf(const Component& component, const RecordField& field) {
  std::uint32_t bits;
  std::memcpy(&bits, reinterpret_cast<const std::byte*>(&component) + field.offset, sizeof bits);
  return bits;
}

void setBits(Component& component, const RecordField& field, std::uint32_t bits) {
  std::memcpy(reinterpret_cast<std::byte*>(&component) + field.offset, &bits, sizeof bits);
}

double valueOf(const Component& component, const RecordField& field, const Model& model) {
  const std::uint32_t bits = bitsOf(component, field);
  if (field.fixedPoint) return std::ldexp(double(std::int32_t(bits)), -model.centerFractionBits);
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return double(value);
}

void setValue(Component& component, const RecordField& field, const Model& model, double value) {
  std::uint32_t bits;
  if (field.fixedPoint) {
    bits = std::uint32_t(fixedPoint(value, model.centerFractionBits));
  } else {
    const float rounded = float(value);
    std::memcpy(&bits, &rounded, sizeof bits);
  }
  setBits(component, field, bits);
}

}  // namespace fathom::smoe
