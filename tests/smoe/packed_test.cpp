// SPDX-License-Identifier: BSD-3-Clause
// The packed encoding: numbers through the coder, models there and back within the loss, blocks by
// themselves, damage.
#include "app/engine/smoe/model/packed.h"

#include "app/engine/core/random.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/smoe/model/file_format.h"
#include "app/engine/smoe/model/packed_plan.h"
#include "app/engine/smoe/model/packed_rounding.h"
#include "app/engine/smoe/model/range_coder.h"
#include "tests/smoe/models.h"

#include <glm/gtc/packing.hpp>

namespace fathom::smoe {
namespace {

TEST(SmoeRangeCoder, NumbersOfAnySizeComeBack) {
  Random random(7);
  std::vector<std::int64_t> values{0, 1, -1, IntegerModel::kLargest, -IntegerModel::kLargest};
  for (int i = 0; i < 3000; ++i) {
    const auto size = std::int64_t(random.below(1u << 30)) << random.below(32);
    values.push_back((random.below(2) ? size : -size) >> random.below(62));
  }
  RangeEncoder encoder;
  IntegerModel written, read;
  for (const std::int64_t v : values) written.code(encoder, int(std::abs(v) % 6), v);
  encoder.raw(0xDEADBEEF, 32);
  const std::vector<std::byte> bytes = encoder.finish();
  RangeDecoder decoder(bytes);
  for (const std::int64_t v : values) ASSERT_EQ(read.code(decoder, int(std::abs(v) % 6)), v);
  EXPECT_EQ(decoder.raw(0, 32), 0xDEADBEEF);
  EXPECT_FALSE(decoder.overran());
}

TEST(SmoeRangeCoder, ZerosAtTheEndAreNotMissed) {
  for (const int words : {1, 3, 9}) {
    RangeEncoder encoder;
    encoder.raw(0xABCD, 16);
    for (int i = 0; i < words; ++i) encoder.raw(0, 16);
    const std::vector<std::byte> bytes = encoder.finish();
    RangeDecoder decoder(bytes);
    EXPECT_EQ(decoder.raw(0, 16), 0xABCDu);
    for (int i = 0; i < words; ++i) EXPECT_EQ(decoder.raw(0, 16), 0u);
    EXPECT_FALSE(decoder.overran()) << words;
  }
}

TEST(SmoeRangeCoder, SkewedBitsTakeTheirEntropy) {
  Random random(3);
  RangeEncoder encoder;
  BitModel model;
  constexpr int kBits = 100000;
  for (int i = 0; i < kBits; ++i) encoder.code(model, random.below(100) == 0);
  const double entropy = -(0.01 * std::log2(0.01) + 0.99 * std::log2(0.99));
  const double bits = 8.0 * double(encoder.finish().size()) / kBits;
  EXPECT_LT(bits, 1.08 * entropy);
  EXPECT_GT(bits, 0.95 * entropy);
}

TEST(SmoeRangeCoder, CostsAreWhatIsWritten) {
  Random random(5);
  RangeEncoder encoder;
  IntegerModel model;
  double bits = 0;
  for (int i = 0; i < 20000; ++i) {
    const int context = int(random.below(3));
    const std::int64_t value =
        (std::int64_t(random.below(1u << (3 * context + 1))) - 1) * (random.below(2) ? 1 : -1);
    bits += model.cost(context, value);
    model.code(encoder, context, value);
  }
  EXPECT_NEAR(8.0 * double(encoder.finish().size()) / bits, 1, 0.005);
}

/// What changing one value of one component does to the picture, per unit, squared and summed.
double measuredSensitivity(const Model& model, std::size_t component, int field) {
  const auto picture = [&](double by) {
    std::vector<Record> records = reference::recordsOf(model, {});
    PackedRecord packed = packedRecord(records[component], 2, model.colorSpace);
    packed.values[std::size_t(field)] += by;
    unpackRecord(packed, 2, model.colorSpace, records[component]);
    return reference::decode(records, {{model.width, model.height}, {0, 0}, 1});
  };
  constexpr double kStep = 1e-4;
  const auto above = picture(kStep), below = picture(-kStep);
  double sum = 0;
  for (std::size_t i = 0; i < above.size(); ++i)
    for (int k = 0; k < 3; ++k) sum += std::pow((above[i][k] - below[i][k]) / (2 * kStep), 2);
  return sum;
}

TEST(SmoePacked, SensitivitiesAreThoseOfThePicture) {
  const Model model = randomModel(5, 2, 30, {48, 40});
  const std::vector<Sensitivity> found = sensitivities(model);
  for (const std::size_t component : {3u, 17u})
    for (int field = 0; field < 13; ++field) {
      const double measured = measuredSensitivity(model, component, field);
      EXPECT_NEAR(found[component].values[std::size_t(field)], measured, 0.02 * measured + 1e-6)
          << "component " << component << ", field " << field;
    }
}

std::vector<glm::vec4> pictureOf(const std::vector<Record>& records, glm::ivec2 size) {
  std::vector<glm::vec4> picture;
  for (const glm::dvec3 color : reference::decode(records, {size, {0, 0}, 1}))
    picture.emplace_back(glm::vec3(color), 0.0f);
  return picture;
}

/// Sums over pixels and channels.
double squaredError(const std::vector<Record>& records, glm::ivec2 size,
                    const std::vector<glm::vec4>& target) {
  const std::vector<glm::vec4> found = pictureOf(records, size);
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (int k = 0; k < 3; ++k) sum += std::pow(double(found[i][k]) - double(target[i][k]), 2);
  return sum;
}

constexpr glm::ivec2 kSeen{48, 40};

TEST(SmoeRounding, TheErrorIsThatOfThePicture) {
  const Model model = randomModel(5, 2, 30, kSeen);
  std::vector<Record> records = reference::recordsOf(model, {});
  const std::vector<glm::vec4> target = pictureOf(records, kSeen);
  RoundingPicture picture(records, kSeen, model.colorSpace, target);
  EXPECT_NEAR(picture.error(), 0, 1e-6);
  // Another component differs, so that there is a slope.
  records[4].color += 0.2;
  picture.take(4), picture.put(4, records[4]);
  const double before = squaredError(records, kSeen, target);
  EXPECT_NEAR(picture.error(), before, 0.01 * before);
  for (const std::size_t component : {3u, 17u, 4u}) {
    const Record own = records[component];
    picture.take(component);
    const RoundingError error = picture.errorWith(component, own);
    picture.put(component, own);
    for (int field = 0; field < kImageFields; ++field) {
      const auto changed = [&](double by) {
        PackedRecord packed = packedRecord(own, 2, model.colorSpace);
        packed.values[std::size_t(field)] += by;
        unpackRecord(packed, 2, model.colorSpace, records[component]);
        const double found = squaredError(records, kSeen, target);
        records[component] = own;
        return found;
      };
      const auto at = std::size_t(field);
      const double slope = (changed(1e-2) - changed(-1e-2)) / 2e-2;
      EXPECT_NEAR(2 * error.slope[at], slope, 0.02 * std::abs(slope) + 0.02) << field;
      if (component == 4) continue;  // where the error is large, second derivatives count
      const double curvature = (changed(1e-2) + changed(-1e-2) - 2 * before) / 2e-4;
      EXPECT_NEAR(error.curvature[at][at], curvature, 0.1 * curvature + 0.05) << field;
    }
  }
}

TEST(SmoeRounding, EachNumberAnswersThoseBeforeIt) {
  // Two numbers whose errors cancel, and a third by itself.
  RoundingError error;
  error.curvature[0][0] = error.curvature[1][1] = 1, error.curvature[0][1] = 0.8;
  error.curvature[1][0] = 0.8, error.curvature[2][2] = 4;
  error.slope = {0, 0, 2};
  const int order[] = {0, 1, 2};
  SequentialMinimum minimum(error, order);
  EXPECT_NEAR(minimum.curvature(0), 1 - 0.64, 0.05);  // the second one makes up for most
  EXPECT_NEAR(minimum.target(0), 0, 1e-9);
  EXPECT_NEAR(minimum.target(2), -0.5, 0.02);
  EXPECT_NEAR(minimum.gain(), 1, 0.05);
  minimum.decide(0, 0.5);
  EXPECT_NEAR(minimum.target(1), -0.4, 0.02);
  EXPECT_NEAR(minimum.curvature(1), 1, 0.05);
}

TEST(SmoeRounding, PlacesAreChosenForThePicture) {
  const Model model = randomModel(8, 2, 60, kSeen);
  const std::vector<Record> records = reference::recordsOf(model, {});
  const std::vector<glm::vec4> target = pictureOf(records, kSeen);
  PackedPlan plan;
  plan.gridBits = 0;
  for (FieldRow& row : plan.rows) row.level = -3;
  std::vector<Record> nearest = records, chosen = records;
  for (Record& r : nearest) r.center = glm::round(r.center);
  choosePlaces(chosen, plan, model, target);
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    EXPECT_EQ(chosen[j].center, glm::round(chosen[j].center));
    EXPECT_LE(glm::distance(chosen[j].center, records[j].center), 1.42);
  }
  EXPECT_LT(squaredError(chosen, kSeen, target), 0.5 * squaredError(nearest, kSeen, target));
}

class SmoePackedDims : public testing::TestWithParam<int> {};

double pictureDifference(const Model& a, const Model& b, ViewCoordinates view) {
  const reference::Grid grid{{a.width, a.height}, {0, 0}, 1};
  const auto x = reference::decode(reference::recordsOf(a, view), grid);
  const auto y = reference::decode(reference::recordsOf(b, view), grid);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) sum += std::pow(x[i][k] - y[i][k], 2);
  return sum / (3 * double(x.size()));
}

TEST_P(SmoePackedDims, CostsAboutTheLossAndComesBackAsItWasPromised) {
  Model model = randomModel(2, GetParam(), 300, {96, 64});
  model.psnr = 35;
  const std::size_t compact = fileBytes(model, Encoding::Compact);
  for (const double loss : {0.05, 0.5}) {
    const EncodedModel packed = encode(model, Encoding::Packed, loss);
    Progress progress;
    const Model back = readModel(packed.bytes, "test.smoe", progress);
    EXPECT_EQ(back.components, packed.model.components);
    EXPECT_LT(packed.bytes.size(), compact);
    // The error that the loss stands for, to a factor: values are rounded independently.
    const double error = std::pow(10, -3.5) * (std::pow(10, loss / 10) - 1);
    const double found = pictureDifference(model, packed.model, ViewCoordinates(0));
    EXPECT_LT(found, 2.5 * error) << loss;
    EXPECT_GT(found, error / 4) << loss;
  }
}
INSTANTIATE_TEST_SUITE_P(All, SmoePackedDims, testing::Values(2, 3, 4));

TEST(SmoePacked, BlocksDecodeByThemselves) {
  const Model model = randomModel(9, 2, 9000, {400, 300});
  const std::vector<std::byte> payload = pack(model, 0.2);
  Model all = model;
  Progress progress;
  unpack(payload, all, "test", progress);
  const std::vector<PackedBlock> blocks = packedBlocks(payload, 2, model.components.size(), "test");
  ASSERT_EQ(blocks.size(), 3u);
  // Without the bytes of the others.
  std::vector<std::byte> alone = payload;
  std::fill(alone.begin() + std::ptrdiff_t(blocks[0].begin),
            alone.begin() + std::ptrdiff_t(blocks[1].begin), std::byte(0x5A));
  const std::vector<Component> part = unpackBlock(alone, blocks[1], model, "test");
  EXPECT_TRUE(std::equal(part.begin(), part.end(),
                         all.components.begin() + std::ptrdiff_t(blocks[1].first)));
  for (const Component& c : part) {
    const glm::dvec2 center = exact(c, model).center;
    EXPECT_TRUE(center.x >= blocks[1].low.x && center.x <= blocks[1].high.x);
    EXPECT_TRUE(center.y >= blocks[1].low.y && center.y <= blocks[1].high.y);
    for (const double away : {0.0, 40.0, 3000.0}) {
      const reference::SampleBox box{blocks[1].high + away, blocks[1].high + away + 9.0};
      EXPECT_LE(reference::upperBound(exact(c, model), box), blocks[1].upperBound(box)) << away;
    }
  }
  alone[blocks[1].begin + 9] ^= std::byte(1);
  EXPECT_THROW(unpackBlock(alone, blocks[1], model, "test"), Error);
}

/// Also where all that was not asked for is something else.
TEST(SmoePacked, APartIsReadWithoutTheRest) {
  const TempFolder folder;
  const Model model = randomModel(10, 2, 24000, {3000, 400});
  const EncodedModel packed = encode(model, Encoding::Packed);
  const ViewWindow window{{48, 40}, {200.5, 130}, 0.75, 2};
  constexpr double kTau = 20;
  std::span<const std::byte> payload;
  parseHeader(packed.bytes, "test", payload);
  std::vector<std::byte> damaged = packed.bytes;
  int far = 0;
  for (const PackedBlock& block : packedBlocks(payload, 2, model.components.size(), "test"))
    if (block.low.x > 900) {
      std::fill_n(damaged.begin() + (payload.data() - packed.bytes.data()) + block.begin,
                  block.bytes, std::byte(0x5A));
      ++far;
    }
  EXPECT_GT(far, 1);
  std::vector<std::byte> older = packed.bytes;
  older[7] = std::byte('1');
  EXPECT_EQ(
      messageOf([&] { parseHeader(older, "old.smoe", payload); }),
      "old.smoe: expected SMOEPAC2 before 24000 packed components, found SMOEPAC1: damaged, or "
      "of an older program");
  writeFile(folder.file("damaged.smoe"), damaged);
  Progress progress;
  EXPECT_THROW(readModel(folder.file("damaged.smoe"), progress), Error);
  const auto part = readPart(
      folder.file("damaged.smoe"),
      [&](const Model& frame) {
        EXPECT_EQ(frame.width, 3000);
        return std::optional(window);
      },
      kTau);
  ASSERT_TRUE(part);
  EXPECT_LT(part->components.size(), model.components.size() / 2);
  const Image found = reference::picture(*part, window),
              expected = reference::picture(packed.model, window);
  for (std::size_t i = 0; i < found.pixels.size(); ++i)
    EXPECT_NEAR(found.pixels[i].r, expected.pixels[i].r, 1e-6f);
}

/// The tables of a payload of one block, as Fathom 0.1.0 wrote them.
std::string firstFormOf(std::span<const std::byte> payload, const Model& frame) {
  ByteReader in(payload, "test");
  ByteWriter out;
  out.put(std::uint16_t(in.take<std::uint8_t>())), out.put(std::uint16_t(in.take<std::uint8_t>()));
  out.put(in.take<glm::ivec2>());
  const auto half = [&](double value) { out.put(glm::packHalf1x16(float(value))); };
  for (int f = 0; f < packedFields(frame.dims); ++f) {
    out.put(glm::unpackHalf1x16(in.take<std::uint16_t>()));
    out.put(in.take<std::uint16_t>());
    for (int i = 0; i < kStepFeatures; ++i)
      half(i < stepFeatureCount(f) ? in.take<std::int8_t>() / kPowerSteps : 0);
    half(in.take<std::int8_t>() / kPowerSteps);
    half(predictsItself(f, frame.dims) ? in.take<std::int8_t>() / kOwnSteps : 0);
  }
  out.put(std::uint32_t(in.rest().size()));
  for (int i = 0; i < 5; ++i) out.put(0.0f);
  out.append(in.rest());
  FileParts parts;
  parts.payload = {reinterpret_cast<const char*>(out.bytes().data()), out.bytes().size()};
  parts.json = fmt::format(
      R"({{"format":"smoe","version":1,"dims":{},"count":{},"width":{},"height":{},"colour":"srgb",)"
      R"("encoding":"packed","form":"record","centreFracBits":{},"payloadBytes":{},)"
      R"("crc32": "00000000"}})",
      frame.dims, frame.components.size(), frame.width, frame.height, frame.centerFractionBits,
      parts.payload.size());
  return parts.bytes();
}

TEST(SmoePacked, FilesOfTheFirstVersionAreRead) {
  const Model model = randomModel(3, 2, 80, {96, 64});
  const std::string file = firstFormOf(pack(model, 0.2), model);
  Progress progress;
  EXPECT_EQ(readModel(std::as_bytes(std::span(file)), "old.smoe", progress).components,
            encode(model, Encoding::Packed, 0.2).model.components);
}

TEST(SmoePacked, OneComponentAndManyAtOnePlace) {
  for (const int count : {1, 2, 50}) {
    Model model = randomModel(4, 2, count, {32, 32});
    for (Component& c : model.components)
      c.cx = model.components[0].cx, c.cy = model.components[0].cy;
    const EncodedModel packed = encode(model, Encoding::Packed);
    EXPECT_EQ(packed.model.components.size(), std::size_t(count));
  }
}

TEST(SmoePacked, DamageIsAnErrorOrAnotherModelNeverMore) {
  const Model model = randomModel(6, 2, 200, {96, 64});
  const std::vector<std::byte> payload = pack(model, 0.2);
  Random random(1);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<std::byte> damaged = payload;
    for (int k = 0; k < 3; ++k)
      damaged[random.below(std::uint32_t(damaged.size()))] = std::byte(random.below(256));
    if (i % 3 == 0) damaged.resize(random.below(std::uint32_t(damaged.size())));
    Model into = model;
    Progress progress;
    try {
      unpack(damaged, into, "test", progress);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace fathom::smoe
