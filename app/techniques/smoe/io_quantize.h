// SPDX-License-Identifier: BSD-3-Clause
// The quantized form of a model: each field in equal steps between its extremes, after a map that
// spreads its values evenly.
#pragma once

#include "app/core/progress.h"
#include "app/techniques/smoe/io_header.h"

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

}  // namespace fathom::smoe
