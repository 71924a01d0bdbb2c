// SPDX-License-Identifier: BSD-3-Clause
// A handle deletes its object once, whoever holds it last.
#include "app/engine/gpu/handle.h"

namespace fathom::gpu {
namespace {

std::vector<GlId> deleted;
void remember(GlId id) { deleted.push_back(id); }
using Probe = Handle<remember>;

class HandleTest : public ::testing::Test {
 protected:
  void SetUp() override { deleted.clear(); }
};

TEST_F(HandleTest, DeletesOnce) {
  { const Probe probe(7); }
  EXPECT_EQ(deleted, std::vector<GlId>{7});
}

TEST_F(HandleTest, DeletesNothingWhenEmpty) {
  { const Probe probe; }
  EXPECT_TRUE(deleted.empty());
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
