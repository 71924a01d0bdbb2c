// SPDX-License-Identifier: BSD-3-Clause
// The numbers of a component in the order in which model files have them: name, place in the
// record, and how each is quantized. The one list that reader, writer, quantizer and checks go by.
#pragma once

#include "app/techniques/smoe/io.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::smoe {

/// What a value goes through before it is quantized in equal steps.
enum class Map {
  Identity,
  Log,         // W11, W22: positive by construction
  AsinhRatio,  // W21: asinh(W21 / sqrt(W11 W22))
  Asinh20,     // H: asinh(20 H)
};
const std::vector<std::string>& mapWords();  // by Map

struct RecordField {
  std::string name;
  std::size_t offset;  // of 4 bytes in Component: float32, or int32 in fixed point
  bool fixedPoint;
  Map map;
  int Quantization::*bits;
};
/// 15 for images, 22 for video, 30 for light fields.
const std::vector<RecordField>& recordFields(int dims);

/// The 4 bytes of a field, untouched: moving fixed point through a float register may change it.
std::uint32_t bitsOf(const Component& component, const RecordField& field);
void setBits(Component& component, const RecordField& field, std::uint32_t bits);

/// The value as a number: px for centers.
double valueOf(const Component& component, const RecordField& field, const Model& model);
void setValue(Component& component, const RecordField& field, const Model& model, double value);

}  // namespace fathom::smoe
