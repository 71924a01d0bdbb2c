// SPDX-License-Identifier: BSD-3-Clause
// Model files taken apart and put together again, to damage them one thing at a time.
#pragma once

#include "app/engine/smoe/model/model.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fathom::smoe {

/// A file as header text and payload. bytes() writes the length, the zeros and the payload's CRC
/// anew, so that only what a test changes is wrong.
struct FileParts {
  std::string json;
  std::string payload;

  static FileParts of(const std::string& file);
  std::string bytes() const;

  /// Replaces the one place where `from` stands in the header.
  FileParts& edit(const std::string& from, const std::string& to);
  /// Array `array` of the payload, `count` numbers of 4 bytes long, at one component.
  FileParts& setFloat(std::size_t array, std::size_t count, std::size_t component, float value);
};

/// The file that writeModel() makes; quantized with these bits if > 0.
std::string fileOf(const Model& model, int bits = 0);

/// Which entries of the covariance: as in the header.
std::string mixtureFile(std::span<const Gaussian> mixture, int dims, glm::ivec2 size,
                        const std::string& covariance, const std::string& encoding);

}  // namespace fathom::smoe
