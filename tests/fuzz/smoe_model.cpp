// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target for the reader of model files: whatever the bytes, it answers with a model or with
// Error. A model that was read decodes to finite colors and survives being quantized. Compiled
// twice: with libFuzzer (./dev fuzz smoe) and into an ordinary test (smoe_model_test.cpp).
#include "app/engine/core/error.h"
#include "app/engine/io/deflate.h"
#include "app/engine/smoe/fit/checkpoint.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/model/reference.h"
#include "tests/fuzz/fuzz.h"

namespace fathom::smoe {
namespace {

/// Writes the CRC of [begin, end) into the header at `header`.
void mendCrc(std::string& file, std::size_t header, std::size_t begin, std::size_t end) {
  const std::size_t key = file.find("\"crc32\"", header);
  const std::size_t value = key == std::string::npos ? key : file.find('"', key + 7);
  if (begin > end || end > file.size() || value == std::string::npos || value + 9 > begin) return;
  const std::uint32_t crc = crc32(std::as_bytes(std::span(file)).subspan(begin, end - begin));
  file.replace(value + 1, 8, fmt::format("{:08x}", crc));
}

/// Where the payload begins of the model that begins there.
std::size_t payloadStart(const std::string& file, std::size_t model) {
  std::uint32_t length = 0;
  std::memcpy(&length, file.data() + model + 8, sizeof length);
  return std::min(model + (12 + std::size_t(length) + 15) / 16 * 16, file.size());
}

/// With the right checksums of the model, of its alpha and of a fit's state behind them, or no
/// mutation would ever come past them.
std::string withCrc(std::string file) {
  std::uint32_t length = 0;
  if (file.size() < 12) return file;
  if (file.starts_with("SMOEPAC1")) {
    const std::uint32_t crc = crc32(std::as_bytes(std::span(file)).subspan(12));
    std::memcpy(file.data() + 8, &crc, sizeof crc);
    return file;
  }
  const std::size_t start = payloadStart(file, 0);
  const std::size_t state = std::min(file.find("SMOEFIT1", start), file.size());
  const std::size_t alpha = std::min(file.find("SMOEMDL1", start), state);
  mendCrc(file, 12, start, alpha);
  if (alpha + 12 < state) mendCrc(file, alpha + 12, payloadStart(file, alpha), state);
  if (state + 12 > file.size()) return file;
  std::memcpy(&length, file.data() + state + 8, sizeof length);
  mendCrc(file, state + 12, state + 12 + length, file.size());
  return file;
}

void expectFinite(const Model& model) {
  const double step = std::max(model.width, model.height) / 3.0;
  for (const ViewCoordinates a : {glm::dvec2(0), glm::dvec2(-2.5, 3)})
    for (const glm::dvec3& color :
         reference::decode(reference::recordsOf(model, a), {{3, 3}, {0, 0}, step}))
      for (int k = 0; k < 3; ++k) FATHOM_CHECK(std::isfinite(color[k]));
}

void readOne(const std::string& file) {
  Model model;
  try {
    Progress progress;
    if (parseCheckpoint(std::as_bytes(std::span(file)), "fuzz.smoe", progress)) return;
    model = readModel(std::as_bytes(std::span(file)), "fuzz.smoe", progress);
  } catch (const Error&) {
    return;
  }
  if (model.components.size() > 1000) return;
  expectFinite(model);
  FATHOM_CHECK_OP(encode(model, Encoding::Archive).model.components.size(), ==,
                  model.components.size());
  FATHOM_CHECK(fileBytes(model, Encoding::F32) > 0);
  try {
    encode(model, Encoding::Packed);
  } catch (const Error&) {
    // Values so close to a limit that no rounding may keep them.
  }
}

}  // namespace
}  // namespace fathom::smoe

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file(reinterpret_cast<const char*>(data), size);
  fathom::smoe::readOne(file);
  if (const std::string mended = fathom::smoe::withCrc(file); mended != file)
    fathom::smoe::readOne(mended);
  return 0;
}
