// SPDX-License-Identifier: BSD-3-Clause
// Damaged deep EXR files: whatever was cut or flipped, the answer is one line that names the file,
// or an image; never a crash or a large allocation. Run under sanitizers to see the rest.
#include "app/engine/io/exr/deep_exr.h"
#include "tests/support/synthetic_deep.h"

namespace fathom {
namespace {

constexpr std::size_t kLeaderBytes = 28;  // y, three sizes

class DeepDamage : public testing::Test {
 protected:
  /// A small intact file as bytes.
  std::string intact(DeepCompression compression, bool tiled = false, int width = 9,
                     int height = 5) {
    writeDeepExr(folder_ / "intact.exr", test::sphereField({width, height, 4, 3, false}),
                 {.compression = compression, .tiled = tiled, .tileSize = 4});
    return readText(folder_ / "intact.exr");
  }
  /// What reading says about these bytes; empty when it succeeds.
  std::string complaint(const std::string& bytes) {
    std::filesystem::remove(folder_ / "damaged.exr");  // overwriting in place is slow on some disks
    const auto file = folder_.write("damaged.exr", bytes);
    const std::string message = messageOf([&] { readDeepExr(file, {.memoryBudget = 64u << 20}); });
    if (message == "no error") return "";
    EXPECT_THAT(message, StartsWith(file.string() + ": "));
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message.substr(file.string().size() + 2);
  }
  /// Where the value of a header attribute starts.
  static std::size_t valueOf(const std::string& bytes, const std::string& name,
                             const std::string& type) {
    const std::string start = name + '\0' + type + '\0';
    return bytes.find(start) + start.size() + sizeof(std::int32_t);
  }
  template <class T>
  static std::string patched(std::string bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return bytes;
  }
  template <class T>
  static T valueAt(const std::string& bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  /// Where the first chunk starts: the first entry of the offset table behind the header.
  static std::size_t firstChunk(const std::string& bytes, int chunks) {
    // The first chunk follows the table, so the table's first entry points right behind its end.
    for (std::size_t at = 8; at + 8 <= bytes.size(); ++at)
      if (valueAt<std::uint64_t>(bytes, at) == at + 8 * std::uint64_t(chunks))
        return at + 8 * std::size_t(chunks);
    return 0;
  }

  TempFolder folder_;
};

TEST_F(DeepDamage, IntactFileReads) { EXPECT_EQ(complaint(intact(DeepCompression::Zips)), ""); }

TEST_F(DeepDamage, EveryTruncationIsRefused) {
  for (const bool tiled : {false, true}) {
    const std::string bytes = intact(DeepCompression::Zips, tiled);
    for (std::size_t length = 0; length < bytes.size(); length += 3)
      EXPECT_NE(complaint(bytes.substr(0, length)), "") << length;
  }
}

TEST_F(DeepDamage, WindowsThatCannotBeAreRefusedBeforeAllocating) {
  const std::string bytes = intact(DeepCompression::Zips);
  const std::size_t window = valueOf(bytes, "dataWindow", "box2i");
  EXPECT_EQ(
      complaint(patched<std::int32_t>(bytes, window + 8, 8166271)),
      fmt::format("expected a file that can hold 8166272x5 pixels, found {} bytes", bytes.size()));
  EXPECT_NE(complaint(patched<std::int32_t>(bytes, window + 12, 1000000)), "");
  EXPECT_NE(complaint(patched<std::int32_t>(bytes, window, 100)), "");  // from right to left
}

TEST_F(DeepDamage, CountsAscendAndExplainTheData) {
  const std::string bytes = intact(DeepCompression::None);
  const std::size_t table = firstChunk(bytes, 5) + kLeaderBytes;
  EXPECT_THAT(complaint(patched<std::int32_t>(bytes, table, 1000000)),
              StartsWith("expected row 0: ascending sample counts,"));
  EXPECT_EQ(complaint(patched<std::int32_t>(bytes, table, -1)),
            "expected row 0: ascending sample counts, found -1 after 0");
  const std::size_t last = table + 8 * sizeof(std::int32_t);
  const std::int32_t total = valueAt<std::int32_t>(bytes, last);
  EXPECT_EQ(complaint(patched<std::int32_t>(bytes, last, total + 1)),
            fmt::format("expected row 0: {} bytes for {} samples, found {}", (total + 1) * 12,
                        total + 1, total * 12));
}

TEST_F(DeepDamage, LeadersOfChunksThatCannotBeAreRefused) {
  const std::string bytes = intact(DeepCompression::Zips);
  const std::size_t chunk = firstChunk(bytes, 5);
  for (const std::string& damaged : {patched<std::int64_t>(bytes, chunk + 12, 70000000000000000),
                                     patched<std::int32_t>(bytes, chunk, 3)})  // another row
    EXPECT_THAT(complaint(damaged), StartsWith("expected an intact row 0,"));
  EXPECT_THAT(complaint(patched<std::int64_t>(bytes, chunk + 20, 2000000000)),
              StartsWith("expected row 0: at most "));
}

TEST_F(DeepDamage, BrokenCompressedDataNamesTheRow) {
  const std::string bytes = intact(DeepCompression::Zips, false, 60, 5);
  const std::size_t chunk = firstChunk(bytes, 5);
  const auto tableBytes = std::size_t(valueAt<std::int64_t>(bytes, chunk + 4));
  EXPECT_THAT(complaint(patched(bytes, chunk + kLeaderBytes + tableBytes, ~std::uint64_t(0))),
              StartsWith("expected row 0: "));
}

TEST_F(DeepDamage, DescribingIsAsCarefulAsReading) {
  const std::string bytes = intact(DeepCompression::None);
  const auto file = folder_.write(
      "damaged.exr", patched<std::int32_t>(bytes, firstChunk(bytes, 5) + kLeaderBytes, -1));
  EXPECT_THROW(describeExr(file), Error);
}

}  // namespace
}  // namespace fathom
