// SPDX-License-Identifier: BSD-3-Clause
// Buffers hold what was written, are deleted once, and stand in an account that refuses before the
// driver does.
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/texture.h"
#include "tests/support/gpu_test.h"

namespace fathom::gpu {
namespace {

using Words = std::vector<std::uint32_t>;

Words ascending(std::size_t count) {
  Words words(count);
  std::iota(words.begin(), words.end(), 1u);
  return words;
}

class BufferTest : public test::GpuTest {};

TEST_F(BufferTest, GivesBackWhatWasUploaded) {
  const Words words = ascending(1001);
  const Buffer<std::uint32_t> buffer(context(), "words", std::span(words));
  EXPECT_EQ(buffer.count(), 1001u);
  EXPECT_EQ(buffer.bytes(), 4004);
  EXPECT_EQ(buffer.name(), "words");
  EXPECT_TRUE(test::exact(buffer.download(), words));
}

TEST_F(BufferTest, WritesAndReadsRanges) {
  Buffer<std::uint32_t> buffer(context(), "words", std::span<const std::uint32_t>(ascending(10)));
  buffer.upload(Words{50, 60}, 4);
  EXPECT_EQ(buffer.download(3, 4), (Words{4, 50, 60, 7}));
}

TEST_F(BufferTest, ClearsWholeWords) {
  Buffer<std::uint32_t> buffer(context(), "words", 5);
  buffer.clear(0xDEADBEEF);
  EXPECT_EQ(buffer.download(), Words(5, 0xDEADBEEF));
  buffer.clear();
  EXPECT_EQ(buffer.download(), Words(5, 0));
}

TEST_F(BufferTest, CopiesRanges) {
  const Buffer<std::uint32_t> from(context(), "from", std::span<const std::uint32_t>(ascending(9)));
  Buffer<std::uint32_t> to(context(), "to", 4);
  to.clear();
  to.copyFrom(from, 8, 12, 4);
  EXPECT_EQ(to.download(), (Words{0, 4, 5, 0}));
}

TEST_F(BufferTest, MayBeEmpty) {
  Buffer<std::uint32_t> buffer(context(), "nothing", 0);
  buffer.clear();
  buffer.upload(Words{});
  EXPECT_TRUE(buffer);
  EXPECT_EQ(buffer.bytes(), 0);
  EXPECT_TRUE(buffer.download().empty());
}

TEST_F(BufferTest, MovesItsContents) {
  Buffer<std::uint32_t> from(context(), "words", std::span<const std::uint32_t>(ascending(3)));
  Buffer<std::uint32_t> to;
  EXPECT_FALSE(to);
  to = std::move(from);
  EXPECT_FALSE(from);
  EXPECT_EQ(to.download(), (Words{1, 2, 3}));
}

TEST_F(BufferTest, StopsAtItsEnd) {
  Buffer<std::uint32_t> buffer(context(), "words", 4);
  EXPECT_DEATH(buffer.upload(Words{1, 2}, 3), "first \\+ values.size\\(\\) <= count_");
  EXPECT_DEATH((void)buffer.download(2, 3), "first \\+ count <= count_");
}

TEST_F(BufferTest, EnsureKeepsABufferWithRoomAndReplacesOthers) {
  Buffer<std::uint32_t> buffer;
  ensure(context(), buffer, "words", 3000);
  const GlId first = buffer.id();
  ensure(context(), buffer, "words", 2000);
  EXPECT_EQ(buffer.id(), first);
  ensure(context(), buffer, "words", 5000);
  EXPECT_EQ(buffer.count(), 5000u);
  ensure(context(), buffer, "words", 1);  // over four times too large, and not small
  EXPECT_EQ(buffer.count(), 1u);
}

TEST_F(BufferTest, EnsureThatDoesNotFitLeavesTheBuffer) {
  Buffer<std::uint32_t> buffer(context(), "words", 4);
  const std::int64_t limit = context().memory().blockLimit();
  context().memory().setBlockLimit(64);
  EXPECT_THROW(ensure(context(), buffer, "words", 17), DoesNotFit);
  context().memory().setBlockLimit(limit);
  EXPECT_EQ(buffer.count(), 4u);
}

TEST_F(BufferTest, ReadBackBringsTheContentsAtTheTimeOfTheRequest) {
  Buffer<std::uint32_t> buffer(context(), "words", std::span<const std::uint32_t>(ascending(100)));
  ReadBack back(context(), "back", 400);
  EXPECT_FALSE(back.ready());
  back.request(buffer, 40, 80);
  buffer.clear();  // comes after the copy
  back.wait();
  ASSERT_TRUE(back.ready());
  ASSERT_EQ(back.data().size(), 40u);
  Words words(10);
  std::memcpy(words.data(), back.data().data(), 40);
  EXPECT_TRUE(test::exact(words, Words{21, 22, 23, 24, 25, 26, 27, 28, 29, 30}));
}

TEST_F(BufferTest, ReadBackServesAgainAndAfterAMove) {
  const Buffer<std::uint32_t> buffer(context(), "words",
                                     std::span<const std::uint32_t>(ascending(2)));
  ReadBack first(context(), "back", 8);
  first.request(buffer, 8);
  ReadBack back(std::move(first));
  back.request(buffer, 4, 4);
  back.wait();
  std::uint32_t word = 0;
  ASSERT_EQ(back.data().size(), 4u);
  std::memcpy(&word, back.data().data(), 4);
  EXPECT_EQ(word, 2u);
}

TEST_F(BufferTest, ReadBackMayBeWorkedIn) {
  const Buffer<std::uint32_t> buffer(context(), "words",
                                     std::span<const std::uint32_t>(ascending(4)));
  ReadBack back(context(), "back", 32, ReadBack::Mode::ReadAndWrite);
  back.request(buffer, 16);
  back.wait();
  const std::span<std::byte> memory = back.memory();
  ASSERT_EQ(memory.size(), 32u);
  EXPECT_EQ(memory.data(), back.data().data());
  std::memset(memory.data(), 7, memory.size());
  back.request(buffer, 8, 8);
  back.wait();
  std::uint32_t words[3];
  std::memcpy(words, back.memory().data(), 12);
  EXPECT_EQ(words[0], 3u);
  EXPECT_EQ(words[1], 4u);
  EXPECT_EQ(words[2], 0x07070707u);
}

// How buffers are read where the device's memory is not the processor's.
TEST_F(BufferTest, IsReadInPieces) {
  const std::size_t piece = StagedRead::kPieceBytes / 4;
  const Words words = ascending(3 * piece + 7);
  const Buffer<std::uint32_t> buffer(context(), "words", std::span(words), RawBuffer::Use::Other);
  StagedRead staged(context());
  const std::pair<std::size_t, std::size_t> ranges[] = {
      {0, 1}, {5, piece}, {0, piece + 1}, {2, 2 * piece}, {1, 3 * piece + 6}};
  for (const auto& [first, count] : ranges) {
    Words found(count);
    staged.read(buffer, found.data(), std::int64_t(4 * count), std::int64_t(4 * first));
    EXPECT_TRUE(test::exact(found, Words(words.begin() + std::ptrdiff_t(first),
                                         words.begin() + std::ptrdiff_t(first + count))));
  }
}

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
    return std::ranges::count(context().memory().entries(), name, &MemoryAccount::Entry::name) > 0;
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
  EXPECT_THAT(message, HasSubstr("everything: needs 1024 PiB"));
  EXPECT_EQ(context().memory().totalBytes(), before);
}

TEST_F(MemoryOfContext, RefusesATextureBeyondTheDevicesSize) {
  const int maxSide = int(context().limits().textureSize);
  EXPECT_THROW(Texture(context(), "wide", TextureFormat::Rgba8, maxSide + 1, 1), Error);
}

std::vector<GlId> deleted;
void remember(GlId id) { deleted.push_back(id); }
using Probe = Handle<remember>;

class HandleTest : public ::testing::Test {
 protected:
  void SetUp() override { deleted.clear(); }
};

TEST_F(HandleTest, DeletesOnceAndNothingWhenEmpty) {
  { const Probe probe; }
  EXPECT_TRUE(deleted.empty());
  { const Probe probe(7); }
  EXPECT_EQ(deleted, std::vector<GlId>{7});
}

TEST_F(HandleTest, MovingLeavesTheSourceEmpty) {
  {
    Probe from(7);
    const Probe to(std::move(from));
    EXPECT_EQ(from.id(), 0u);
    EXPECT_EQ(to.id(), 7u);
  }
  EXPECT_EQ(deleted, std::vector<GlId>{7});
}

TEST_F(HandleTest, AssigningDeletesWhatWasThere) {
  Probe probe(7);
  probe = Probe(8);
  EXPECT_EQ(deleted, std::vector<GlId>{7});
  EXPECT_EQ(probe.id(), 8u);
}

TEST_F(HandleTest, SurvivesAssignmentToItself) {
  Probe probe(7);
  Probe& same = probe;
  probe = std::move(same);
  EXPECT_EQ(probe.id(), 7u);
  EXPECT_TRUE(deleted.empty());
}

}  // namespace
}  // namespace fathom::gpu
