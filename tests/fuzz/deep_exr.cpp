// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target for the reader of deep EXR files: whatever the bytes, every part answers with an
// image or with Error. What was read is in order (sorted, no NaN depth, as many fragments as the
// count tables say), is the same in bands of rows, and can be merged with itself. Compiled twice:
// with libFuzzer (./dev fuzz deep-exr) and into an ordinary test (deep_exr_test.cpp).
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/core/deep_image.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

namespace fathom {
namespace {

constexpr std::uint64_t kBudget = 32u << 20;
constexpr std::size_t kMaxDecoded = 4096;

/// Bytes as a file that has a path and lies in memory.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : descriptor_(::memfd_create("deep", 0)) {
    FATHOM_CHECK(descriptor_ >= 0);
    FATHOM_CHECK_OP(::write(descriptor_, data, size), ==, ::ssize_t(size));
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  int descriptor_;
};

void expectInOrder(const DeepImage& image) {
  FATHOM_CHECK_OP(image.fragmentOffsets.size(), ==, image.pixelCount() + 1);
  FATHOM_CHECK_OP(image.words.size(), ==, image.fragmentCount() * std::size_t(image.stride()));
  for (std::size_t p = 0; p < image.pixelCount(); ++p) {
    FATHOM_CHECK_OP(image.fragmentOffsets[p], <=, image.fragmentOffsets[p + 1]);
    for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i) {
      FATHOM_CHECK(!std::isnan(std::bit_cast<float>(image.words[4 * i + 2])));
      if (i > image.fragmentOffsets[p])
        FATHOM_CHECK_OP(depthKey(image.words[4 * i - 2]), <=, depthKey(image.words[4 * i + 2]));
    }
  }
  for (std::size_t i = 0; i < std::min(image.fragmentCount(), kMaxDecoded); ++i) {
    const Fragment f = decodeFragment(image, i);
    FATHOM_CHECK(std::isfinite(f.r + f.g + f.b) && f.a >= 0 && f.a <= 1);
  }
}

/// Three bands hold what the whole holds.
void expectSameInBands(DeepExrReader& reader, const DeepImage& whole) {
  const Rect& window = whole.dataWindow;
  const int step = std::max(1, window.height / 3);
  std::size_t fragments = 0;
  for (int y = window.y; y < window.bottom(); y += std::min(step, window.bottom() - y)) {
    const DeepImage band = reader.readRows(y, y + std::min(step, window.bottom() - y));
    for (std::size_t i = 0; i < band.fragmentCount(); ++i)
      for (std::size_t k = 2; k < 4; ++k)
        FATHOM_CHECK_OP(band.words[4 * i + k], ==, whole.words[4 * (fragments + i) + k]);
    fragments += band.fragmentCount();
  }
  FATHOM_CHECK_OP(fragments, ==, whole.fragmentCount());
}

void expectMergeable(DeepImage image) {
  const std::size_t count = image.fragmentCount();
  std::vector<DeepImage> twice{image, std::move(image)};
  unify(twice);
  for (const DeepImage& one : twice) FATHOM_CHECK_OP(one.fragmentCount(), ==, count);
  if (twice[0].format == FragmentFormat::Indexed) gather(std::span(twice).first(1), twice[0]);
}

void readPart(const std::string& file, const ExrPartInfo& part,
              const std::optional<DeepTotals>& totals) {
  const DeepReadOptions options{.part = std::to_string(part.index), .memoryBudget = kBudget};
  try {
    DeepExrReader reader(file, options);
    const std::vector<std::uint64_t> rows = reader.rowCounts();
    FATHOM_CHECK_OP(rows.size(), ==, std::size_t(part.dataWindow.height));
    const std::uint64_t sum = std::accumulate(rows.begin(), rows.end(), std::uint64_t(0));
    FATHOM_CHECK_OP(sum, ==, reader.totals().fragmentCount);
    if (totals) FATHOM_CHECK_OP(sum, ==, totals->fragmentCount);
    const DeepImage whole = reader.readAll();
    FATHOM_CHECK_OP(whole.fragmentCount(), ==, sum);
    expectInOrder(whole);
    expectSameInBands(reader, whole);
    expectMergeable(whole);
  } catch (const Error&) {
  }
}

/// What headers say can be shown, and united with itself without a loss.
void expectAttributes(const ExrPartInfo& part) {
  FATHOM_CHECK(part.attributes != nullptr);
  for (const Attribute& attribute : *part.attributes)
    FATHOM_CHECK(textOf(attribute).find('\n') == std::string::npos);
  const SharedAttributes twice[] = {part.attributes, part.attributes};
  const std::string names[] = {"a", "b"};
  FATHOM_CHECK(unitedAttributes(twice, names) == *part.attributes);
}

void readFile(const std::string& file) {
  if (looksLikeDeepExr(file)) FATHOM_CHECK(looksLikeExr(file));
  try {
    const ExrFileInfo info = describeExr(file);
    for (const ExrPartInfo& part : info.parts) expectAttributes(part);
    for (const ExrPartInfo& part : info.parts)
      readPart(file, part, info.totals[std::size_t(part.index)]);
  } catch (const Error&) {
    // One bad part spoils the description, but not the others.
    for (const char* part : {"", "0", "1"}) {
      const DeepReadOptions options{.part = part, .memoryBudget = kBudget};
      try {
        expectInOrder(readDeepExr(file, options));
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace fathom

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fathom::log::setLevel(fathom::log::Level::Quiet);
  fathom::readFile(fathom::MemoryFile(data, size).path());
  return 0;
}
