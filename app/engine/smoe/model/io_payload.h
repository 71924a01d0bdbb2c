// SPDX-License-Identifier: BSD-3-Clause
// The two payloads that are more than arrays of float32: the quantized form, where each field goes
// in equal steps between its extremes after a map that spreads its values evenly, and mixtures of
// other software (prior, mean and covariance per component), factored in float64 while they are
// read.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/smoe/model/io_header.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fathom::smoe {

/// Extremes of the model's fields, and the bits for each.
std::vector<StoredField> storedFieldsOf(const Model& model, const Quantization& bits);

/// All codes, field by field.
std::vector<std::byte> quantize(const Model& model, const std::vector<StoredField>& fields);
/// Back; the components are sized already. Throws Error when bits after the last code are set.
void dequantize(std::span<const std::byte> payload, const std::vector<StoredField>& fields,
                Model& model, const std::string& name, Progress& progress);

/// Fills the model's components, which are sized already. Throws Error naming component and number.
void readMixture(std::span<const std::byte> payload, const Header& header, Model& model,
                 const std::string& name, Progress& progress);

}  // namespace fathom::smoe
