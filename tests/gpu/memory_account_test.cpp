// SPDX-License-Identifier: BSD-3-Clause
// The account knows every allocation and refuses with need and limit before the driver does.
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/texture.h"
#include "tests/support/gpu_test.h"
#include "tests/support/message.h"

namespace fathom::gpu {
namespace {

using test::messageOf;

constexpr std::int64_t kMiB = 1 << 20;

TEST(BytesText, PicksTheUnit) {
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(1023), "1023 B");
  EXPECT_EQ(bytesText(1024), "1.0 KiB");
  EXPECT_EQ(bytesText(640 * 1024), "640 KiB");
  EXPECT_EQ(bytesText(kMiB - 1), "1.0 MiB");
  EXPECT_EQ(bytesText(3328599654), "3.1 GiB");
}

TEST(MemoryAccount, RefusesABlockBeyondTheLimit) {
  MemoryAccount account;
  account.setBlockLimit(2048 * kMiB);
  EXPECT_EQ(messageOf([&] { account.add("merged fragments", 3328599654, true); }),
            "merged fragments: needs 3.1 GiB in one buffer, this GPU allows 2.0 GiB");
  EXPECT_EQ(account.totalBytes(), 0);
}

TEST(MemoryAccount, SaysHowManyPiecesWouldFit) {
  MemoryAccount account;
  account.setBlockLimit(100);
  const auto pieces = [&](std::int64_t bytes) {
    try {
      account.expectRoom("list", bytes, true);
    } catch (const DoesNotFit& reason) {
      return reason.pieces();
    }
    return 0;
  };
  EXPECT_EQ(pieces(100), 0);
  EXPECT_EQ(pieces(101), 2);
  EXPECT_EQ(pieces(1000), 12);  // unequal ones: 15 percent to spare
}

TEST(MemoryAccount, CountsWhatIsGivenBackFirst) {
  MemoryAccount account;
  account.setBudget(10 * kMiB);
  account.add("old", 6 * kMiB, true);
  EXPECT_THROW(account.expectRoom("new", 8 * kMiB, true), DoesNotFit);
  EXPECT_NO_THROW(account.expectRoom("new", 8 * kMiB, true, 6 * kMiB));
}

TEST(MemoryAccount, LetsOtherBuffersPassTheBlockLimit) {
  MemoryAccount account;
  account.setBlockLimit(kMiB);
  account.add("vertices", 2 * kMiB, false);
  EXPECT_EQ(account.totalBytes(), 2 * kMiB);
}

TEST(MemoryAccount, RefusesToPassTheBudget) {
  MemoryAccount account;
  account.setBudget(10 * kMiB);
  account.add("a", 6 * kMiB, true);
  EXPECT_EQ(messageOf([&] { account.add("b", 5 * kMiB, true); }),
            "b: needs 5.0 MiB besides the 6.0 MiB in use, this GPU allows 10.0 MiB in all");
  account.add("c", 4 * kMiB, true);
  EXPECT_EQ(account.totalBytes(), 10 * kMiB);
}

TEST(MemoryAccount, RemovesByIdAndKeepsThePeak) {
  MemoryAccount account;
  const auto a = account.add("a", 100, true);
  const auto b = account.add("b", 50, true);
  account.remove(a);
  account.remove(a);
  ASSERT_EQ(account.entries().size(), 1u);
  EXPECT_EQ(account.entries()[0].id, b);
  EXPECT_EQ(account.totalBytes(), 50);
  EXPECT_EQ(account.peakBytes(), 150);
}

class MemoryOfContext : public test::GpuTest {
 protected:
  static bool knows(const std::string& name) {
    const auto& entries = context().memory().entries();
    return std::any_of(entries.begin(), entries.end(),
                       [&](const MemoryAccount::Entry& e) { return e.name == name; });
  }
};

TEST_F(MemoryOfContext, FollowsBuffersAndTextures) {
  const std::int64_t before = context().memory().totalBytes();
  {
    Buffer<std::uint32_t> buffer(context(), "test buffer", 1000);
    Texture texture(context(), "test texture", TextureFormat::Rgba16f, 10, 10);
    EXPECT_TRUE(knows("test buffer"));
    EXPECT_TRUE(knows("test texture"));
    EXPECT_EQ(context().memory().totalBytes(), before + 4000 + 800);
    const Buffer<std::uint32_t> moved(std::move(buffer));
    texture = Texture(context(), "other texture", TextureFormat::R32f, 10, 10);
    EXPECT_FALSE(knows("test texture"));
    EXPECT_EQ(context().memory().totalBytes(), before + 4000 + 400);
  }
  EXPECT_EQ(context().memory().totalBytes(), before);
}

TEST_F(MemoryOfContext, RefusesBeforeTheDriverDoes) {
  const std::int64_t limit = context().limits().storageBlockBytes;
  EXPECT_EQ(context().memory().blockLimit(), limit);
  const std::int64_t before = context().memory().totalBytes();
  EXPECT_EQ(messageOf([&] { RawBuffer(context(), "merged fragments", limit + 16); }),
            "merged fragments: needs " + bytesText(limit + 16) +
                " in one buffer, this GPU allows " + bytesText(limit));
  EXPECT_EQ(context().memory().totalBytes(), before);
}

TEST_F(MemoryOfContext, ObeysALoweredLimit) {
  context().memory().setBlockLimit(64);
  EXPECT_NO_THROW(RawBuffer(context(), "small", 64));
  EXPECT_THROW(RawBuffer(context(), "large", 65), Error);
}

TEST_F(MemoryOfContext, TurnsTheDriversRefusalIntoAnError) {
  // More than any address space has; the budget is lifted so that the driver itself is asked.
  const std::int64_t budget = context().memory().budget();
  context().memory().setBudget(INT64_MAX);
  const std::int64_t before = context().memory().totalBytes();
  const std::string message = messageOf(
      [&] { RawBuffer(context(), "everything", std::int64_t(1) << 60, RawBuffer::Use::Other); });
  context().memory().setBudget(budget);
  EXPECT_NE(message.find("everything: needs 1024 PiB"), std::string::npos) << message;
  EXPECT_EQ(context().memory().totalBytes(), before);
}

TEST_F(MemoryOfContext, RefusesATextureBeyondTheDevicesSize) {
  const int maxSide = int(context().limits().textureSize);
  EXPECT_THROW(Texture(context(), "wide", TextureFormat::Rgba8, maxSide + 1, 1), Error);
}

}  // namespace
}  // namespace fathom::gpu
