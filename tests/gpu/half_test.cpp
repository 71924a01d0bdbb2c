// SPDX-License-Identifier: BSD-3-Clause
// shaders/common/half.glsl: every half, what lies between two of them, and what is beyond all.
#include "app/engine/gpu/pass.h"
#include "tests/support/gpu_test.h"

namespace fathom::gpu {
namespace {

using Words = std::vector<std::uint32_t>;

/// IEEE 754: sign, 5 bits of exponent, 10 of fraction. Of finite halves; 2^16 for what follows
/// them.
double valueOf(std::uint32_t half) {
  const int exponent = int(half >> 10 & 31), fraction = int(half & 1023);
  const double size =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return half & 0x8000 ? -size : size;
}

class HalfTest : public test::GpuTest {
 protected:
  void add(float value, std::uint32_t half) {
    floats_.push_back(std::bit_cast<std::uint32_t>(value));
    expected_.push_back(half);
  }
  Words found() {
    const Buffer<std::uint32_t> floats(context(), "floats",
                                       std::span<const std::uint32_t>(floats_));
    Buffer<std::uint32_t> halves(context(), "halves", floats_.size());
    Pass& pass = context().pass({"halves", "tests/gpu/data/half_bits.comp", {}});
    pass.storage(0, floats).storage(1, halves);
    pass.dispatch(floats_.size(), Each{20});
    barrier(Access::Transfer);
    return halves.download();
  }
  Words floats_, expected_;
};

TEST_F(HalfTest, RoundsToTheNearestAndTiesToEven) {
  for (const std::uint32_t sign : {0u, 0x8000u})
    for (std::uint32_t half = 0; half < 0x7C00; ++half) {
      const std::uint32_t first = sign | half, next = sign | (half + 1);  // 0x7C00: infinite
      const auto middle = float((valueOf(first) + valueOf(next)) / 2);    // exactly: 12 bits
      add(float(valueOf(first)), first);
      add(middle, half % 2 == 0 ? first : next);
      add(std::nextafter(middle, 0.0f), first);
      add(std::nextafter(middle, middle * 2), next);
    }
  EXPECT_TRUE(test::exact(found(), expected_));
}

TEST_F(HalfTest, KnowsWhatIsBeyond) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  add(65504, 0x7BFF), add(65519.996f, 0x7BFF), add(65520, 0x7C00), add(-1e9f, 0xFC00);
  add(kInfinity, 0x7C00), add(-kInfinity, 0xFC00), add(NAN, 0x7E00);
  add(1e-8f, 0), add(-1e-8f, 0x8000), add(1e-40f, 0);
  EXPECT_TRUE(test::exact(found(), expected_));
}

}  // namespace
}  // namespace fathom::gpu
