// SPDX-License-Identifier: BSD-3-Clause
// Model files in memory, edited byte by byte, so that a test can say what is wrong with one.
#include "tests/smoe/model/model_files.h"

#include "app/engine/core/error.h"
#include "app/engine/io/checksum.h"
#include "app/engine/smoe/model/file.h"
#include "tests/support/temp_folder.h"

#include <cstring>

namespace fathom::smoe {

FileParts FileParts::of(const std::string& file) {
  std::uint32_t length = 0;
  std::memcpy(&length, file.data() + 8, sizeof length);
  const std::size_t start = (12 + length + 15) / 16 * 16;
  return {file.substr(12, length), file.substr(start)};
}

std::string FileParts::bytes() const {
  std::string header = json;
  if (const std::size_t at = header.find("\"crc32\": \""); at != std::string::npos)
    header.replace(at + 10, 8, fmt::format("{:08x}", crc32(std::as_bytes(std::span(payload)))));
  std::string file = "SMOEMDL1";
  const auto length = std::uint32_t(header.size());
  file.append(reinterpret_cast<const char*>(&length), sizeof length);
  file += header;
  file.resize((file.size() + 15) / 16 * 16, '\0');
  return file + payload;
}

FileParts& FileParts::edit(const std::string& from, const std::string& to) {
  const std::size_t at = json.find(from);
  FATHOM_CHECK(at != std::string::npos && json.find(from, at + 1) == std::string::npos);
  json.replace(at, from.size(), to);
  return *this;
}

FileParts& FileParts::setFloat(std::size_t array, std::size_t count, std::size_t component,
                               float value) {
  const std::size_t at = 4 * (array * count + component);
  FATHOM_CHECK(at + 4 <= payload.size());
  std::memcpy(payload.data() + at, &value, sizeof value);
  return *this;
}

std::string fileOf(const Model& model, int bits) {
  const test::TempFolder folder;
  const std::string file = folder.file("model.smoe");
  if (bits > 0)
    writeModel(file, model, Quantization{bits, bits, bits, bits, bits});
  else
    writeModel(file, model);
  return test::readText(file);
}

std::string mixtureFile(std::span<const Gaussian> mixture, int dims, glm::ivec2 size,
                        const std::string& covariance, const std::string& encoding) {
  FileParts parts;
  parts.json = fmt::format(
      R"({{"format": "smoe", "version": 1, "dims": {}, "count": {}, "width": {}, "height": {}, )",
      dims, mixture.size(), size.x, size.y);
  if (dims == 3) parts.json += R"("frames": 10, )";
  if (dims == 4) parts.json += R"("views": [9, 9], "viewOrigin": [4, 4], )";
  parts.json += fmt::format(R"("colour": "srgb", "encoding": "{}", "form": "gmm", )", encoding);
  parts.json += fmt::format(R"("covariance": "{}", "crc32": "00000000"}})", covariance);

  const auto put = [&](const auto& valueOf) {
    for (const Gaussian& g : mixture) {
      const double value = valueOf(g);
      const auto narrow = float(value);
      if (encoding == "f64")
        parts.payload.append(reinterpret_cast<const char*>(&value), sizeof value);
      else
        parts.payload.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
    }
  };
  const int p = dims, n = p + 3;
  const auto entry = [&](int i, int j) {
    put([=](const Gaussian& g) { return g.covariance[i][j]; });
  };
  put([](const Gaussian& g) { return g.prior; });
  for (int i = 0; i < n; ++i) put([=](const Gaussian& g) { return g.mean[i]; });
  if (covariance == "selection") {
    for (int i = 0; i < p; ++i)
      for (int j = i; j < p; ++j) entry(i, j);
    for (int i = p; i < n; ++i)
      for (int j = 0; j < p; ++j) entry(i, j);
    for (int i = p; i < n; ++i) entry(i, i);
  } else {
    for (int i = 0; i < n; ++i)
      for (int j = covariance == "full" ? 0 : i; j < n; ++j) entry(i, j);
  }
  return parts.bytes();
}

}  // namespace fathom::smoe
