// SPDX-License-Identifier: BSD-3-Clause
// Buffers give back what they were given, at once and through a read-back that does not wait.
#include "app/engine/gpu/buffer.h"
#include "tests/support/gpu_test.h"
#include "tests/support/tolerance.h"

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

}  // namespace
}  // namespace fathom::gpu
