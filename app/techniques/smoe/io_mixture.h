// SPDX-License-Identifier: BSD-3-Clause
// Mixtures from other software: prior, mean and covariance per component, factored in float64 while
// they are read.
#pragma once

#include "app/core/progress.h"
#include "app/techniques/smoe/io_header.h"

#include <cstddef>
#include <span>
#include <string>

namespace fathom::smoe {

/// Fills the model's components, which are sized already. Throws Error naming component and number.
void readMixture(std::span<const std::byte> payload, const Header& header, Model& model,
                 const std::string& name, Progress& progress);

}  // namespace fathom::smoe
