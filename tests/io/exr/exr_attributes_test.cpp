// SPDX-License-Identifier: BSD-3-Clause
// Attributes of EXR headers: every type goes through reading and writing unchanged, as OpenEXR's
// own classes see it; what several inputs say is united by rule.
#include "app/engine/io/exr/exr_attributes.h"

#include "app/engine/core/bytes.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/flat_exr.h"
#include "app/engine/io/picture.h"
#include "tests/io/exr/openexr_witness.h"
#include "tests/support/synthetic_deep.h"

#include <ImfArray.h>
#include <ImfBoxAttribute.h>
#include <ImfChannelList.h>
#include <ImfDeepFrameBuffer.h>
#include <ImfDeepScanLineOutputFile.h>
#include <ImfDoubleAttribute.h>
#include <ImfFloatAttribute.h>
#include <ImfFloatVectorAttribute.h>
#include <ImfIDManifestAttribute.h>
#include <ImfIntAttribute.h>
#include <ImfMatrixAttribute.h>
#include <ImfMultiPartInputFile.h>
#include <ImfOpaqueAttribute.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <ImfStdIO.h>
#include <ImfStringAttribute.h>
#include <ImfStringVectorAttribute.h>
#include <ImfVecAttribute.h>
#include <ImfVersion.h>

namespace fathom {
namespace {

Imf::IDManifest manifest(const std::map<int, std::string>& names) {
  Imf::IDManifest all;
  Imf::IDManifest::ChannelGroupManifest group;
  group.setChannel("id");
  group.setComponent("name");
  group.setEncodingScheme(Imf::IDManifest::ID_SCHEME);
  group.setHashScheme(Imf::IDManifest::NOTHASHED);
  for (const auto& [id, name] : names) group.insert(std::uint64_t(id), name);
  all.add(group);
  return all;
}

/// One of every type that the library knows, and one of a type that nobody does.
Imf::Header fullHeader() {
  Imf::Header h(4, 3);
  h.setName("beauty.left");
  h.setView("left");
  h.setType(Imf::DEEPSCANLINE);
  h.compression() = Imf::RLE_COMPRESSION;
  h.screenWindowCenter() = {0.25f, -0.5f};
  h.screenWindowWidth() = 1.5f;
  Imf::addOwner(h, "me");
  Imf::addCapDate(h, "2026:01:31 10:00:00");
  Imf::addChromaticities(
      h, Imf::Chromaticities({0.7f, 0.3f}, {0.2f, 0.7f}, {0.1f, 0.1f}, {0.3f, 0.3f}));
  Imf::addEnvmap(h, Imf::ENVMAP_LATLONG);
  Imf::addKeyCode(h, Imf::KeyCode(1, 2, 3, 4, 5));
  Imf::addTimeCode(h, Imf::TimeCode(1, 2, 3, 4));
  Imf::addFramesPerSecond(h, Imf::Rational(24000, 1001));
  Imf::addWorldToCamera(h, Imath::M44f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));
  Imf::addMultiView(h, {"left", "right"});
  Imf::addIDManifest(h, manifest({{1, "tree"}, {2, "rock"}}));
  h.insert("a box", Imf::Box2fAttribute({{0, 1}, {2, 3}}));
  h.insert("a window", Imf::Box2iAttribute({{0, 1}, {2, 3}}));
  h.insert("a double", Imf::DoubleAttribute(0.1));
  h.insert("an int", Imf::IntAttribute(-7));
  h.insert("floats", Imf::FloatVectorAttribute({1, 2, 3}));
  h.insert("m33", Imf::M33fAttribute(Imath::M33f(2)));
  h.insert("m33d", Imf::M33dAttribute(Imath::M33d(3)));
  h.insert("m44d", Imf::M44dAttribute(Imath::M44d(4)));
  h.insert("v2i", Imf::V2iAttribute({1, 2}));
  h.insert("v2d", Imf::V2dAttribute({1, 2}));
  h.insert("v3i", Imf::V3iAttribute({1, 2, 3}));
  h.insert("v3f", Imf::V3fAttribute({1, 2, 3}));
  h.insert("v3d", Imf::V3dAttribute({1, 2, 3}));
  h.insert("cryptomatte/1234567/manifest", Imf::StringAttribute(R"({"tree":"0a0b0c0d"})"));
  h.insert("a name of more than thirty-one characters", Imf::StringAttribute("long"));
  h.channels().insert("A", Imf::Channel(Imf::HALF));
  h.channels().insert("Z", Imf::Channel(Imf::FLOAT));
  return h;
}

/// A file of 4 x 3 pixels without fragments.
void writeEmptyDeep(const std::filesystem::path& file, const Imf::Header& header) {
  Imf::DeepScanLineOutputFile out(file.string().c_str(), header);
  std::vector<unsigned> counts(12, 0);
  std::vector<char*> pointers(12, nullptr);
  Imf::DeepFrameBuffer frame;
  frame.insertSampleCountSlice(
      Imf::Slice(Imf::UINT, reinterpret_cast<char*>(counts.data()), 4, 16));
  for (const char* name : {"A", "Z"})
    frame.insert(name, Imf::DeepSlice(name[0] == 'A' ? Imf::HALF : Imf::FLOAT,
                                      reinterpret_cast<char*>(pointers.data()), 8, 32, 4));
  out.setFrameBuffer(frame);
  out.writePixels(3);
}

std::string bytesAsWritten(const Imf::Attribute& attribute) {
  Imf::StdOSStream out;
  attribute.writeValueTo(out, Imf::EXR_VERSION);
  return out.str();
}

/// Those of `expected` that do not say how the file is stored are in `found`, byte for byte.
void expectKept(const Imf::Header& expected, const Imf::Header& found) {
  std::size_t count = 0;
  for (auto a = expected.begin(); a != expected.end(); ++a) {
    if (describesStorage(a.name())) continue;
    ++count;
    const Imf::Attribute* kept =
        found.find(a.name()) == found.end() ? nullptr : &found.find(a.name()).attribute();
    ASSERT_NE(kept, nullptr) << a.name();
    EXPECT_STREQ(kept->typeName(), a.attribute().typeName()) << a.name();
    EXPECT_EQ(bytesAsWritten(*kept), bytesAsWritten(a.attribute())) << a.name();
  }
  EXPECT_GE(count, 28u);
}

class ExrAttributes : public FolderTest {};

TEST_F(ExrAttributes, EveryTypeGoesThroughADeepFileUnchanged) {
  writeEmptyDeep(folder / "in.exr", fullHeader());
  // A type that the library does not know, put into the bytes of the file.
  DeepImage image = readDeepExr(folder / "in.exr");
  Attributes all = *image.attributes;
  all.push_back({"strange", "myType", {std::byte(1), std::byte(0), std::byte(255)}});
  image.attributes = std::make_shared<const Attributes>(all);
  writeDeepExr(folder / "mid.exr", image);
  writeDeepExr(folder / "out.exr", readDeepExr(folder / "mid.exr"));
  const Imf::MultiPartInputFile in(folder.file("in.exr").c_str()),
      out(folder.file("out.exr").c_str());
  expectKept(in.header(0), out.header(0));
  EXPECT_EQ(out.header(0).compression(), Imf::RLE_COMPRESSION);  // as it came
  const auto* strange = out.header(0).findTypedAttribute<Imf::OpaqueAttribute>("strange");
  ASSERT_NE(strange, nullptr);
  EXPECT_EQ(bytesAsWritten(*strange), std::string("\1\0\377", 3));
}

TEST_F(ExrAttributes, TheyGoIntoFlatFilesToo) {
  writeEmptyDeep(folder / "in.exr", fullHeader());
  writeFlatExr(folder / "out.exr", Image(4, 3),
               {.attributes = readDeepExr(folder / "in.exr").attributes});
  const Imf::MultiPartInputFile in(folder.file("in.exr").c_str()),
      out(folder.file("out.exr").c_str());
  expectKept(in.header(0), out.header(0));
}

SharedAttributes shared(Attributes all) {
  return std::make_shared<const Attributes>(std::move(all));
}

TEST_F(ExrAttributes, TheFirstInputsValueIsKeptAndThatIsSaid) {
  const std::vector<SharedAttributes> inputs{
      shared({attributeOf("owner", std::string("a")), attributeOf("focus", 2.0f)}),
      shared({attributeOf("owner", std::string("b")), attributeOf("focus", 2.0f),
              attributeOf("aperture", 4.0f)})};
  const std::vector<std::string> names{"a.exr", "b.exr"};
  std::vector<std::string> notes;
  const Attributes all = unitedAttributes(inputs, names, &notes);
  EXPECT_EQ(textNamed(all, "owner"), "a");
  EXPECT_EQ(load<float>(findAttribute(all, "aperture")->value.data()), 4.0f);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "b.exr: other values than in a.exr, which are kept: owner");
}

TEST_F(ExrAttributes, PrimariesOfOneInputAloneAreSaid) {
  const SharedAttributes ap1 = shared({{"chromaticities", "chromaticities", {}}}),
                         none = shared({});
  const std::vector<std::string> names{"a.exr", "b.exr"};
  for (const bool first : {true, false}) {
    std::vector<std::string> notes;
    unitedAttributes(std::vector{first ? ap1 : none, first ? none : ap1}, names, &notes);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].find(names[first ? 0 : 1] + " has chromaticities and"), 0u) << notes[0];
  }
}

TEST_F(ExrAttributes, IdsOf64BitsGoByTheChannelOfTheirLowWords) {
  std::vector<IdNames> names(1);
  names[0].channels = {"material.id0", "material.id1"};
  names[0].encodingScheme = "id2";
  names[0].names = {{0x1234567800000007, {"red"}}, {0x9000000000000008, {"blue"}}};
  const Attribute stored = idManifestAttribute(names);
  EXPECT_EQ(idManifestOf(stored)[0].nameOf(0x1234567800000007), "red");
  const std::vector<IdNames> words = idManifestOf(Attributes{stored});
  ASSERT_NE(namesFor(words, "material.id0"), nullptr);
  EXPECT_EQ(namesFor(words, "material.id0")->nameOf(7), "red");
  EXPECT_EQ(namesFor(words, "material.id0")->nameOf(8), "blue");
  EXPECT_EQ(namesFor(words, "material.id1"), nullptr);
}

TEST_F(ExrAttributes, ManifestsHoldTheEntriesOfAll) {
  std::vector<IdNames> left(1), right(1);
  left[0].channels = right[0].channels = {"id"};
  left[0].names = {{1, {"tree"}}, {2, {"rock"}}};
  right[0].names = {{2, {"rock"}}, {7, {"bird"}}};
  const std::vector<SharedAttributes> inputs{
      shared({idManifestAttribute(left),
              attributeOf("cryptomatte/0000001/manifest", std::string(R"({"a":"1"})"))}),
      shared({idManifestAttribute(right),
              attributeOf("cryptomatte/0000001/manifest", std::string(R"({"b":"2"})"))})};
  std::vector<std::string> notes;
  const Attributes all = unitedAttributes(inputs, std::vector<std::string>{"l", "r"}, &notes);
  EXPECT_TRUE(notes.empty());
  const std::vector<IdNames> united = idManifestOf(all);
  ASSERT_EQ(united.size(), 1u);
  EXPECT_EQ(united[0].names.size(), 3u);
  EXPECT_EQ(united[0].nameOf(7), "bird");
  EXPECT_EQ(textNamed(all, "cryptomatte/0000001/manifest"), R"({"a":"1","b":"2"})");
}

TEST_F(ExrAttributes, ADamagedManifestIsNotBelieved) {
  std::vector<IdNames> names(1);
  names[0].channels = {"id"};
  names[0].names = {{1, {"tree"}}};
  Attribute good = idManifestAttribute(names);
  for (std::size_t i = 0; i < good.value.size(); ++i)
    for (const int bits : {0xFF, 0x01}) {
      Attribute bad = good;
      bad.value[i] ^= std::byte(bits);
      idManifestOf(bad);  // no crash, no huge allocation
    }
  for (std::size_t size = 0; size < good.value.size(); ++size) {
    Attribute cut = good;
    cut.value.resize(size);
    EXPECT_TRUE(idManifestOf(cut).empty()) << size;
  }
}

TEST_F(ExrAttributes, RowsAreStoredBottomUpWhereTheyWere) {
  test::WitnessPart part{readDeepExr([&] {
    writeDeepExr(folder / "a.exr", test::sphereField({9, 7, 5, 3}));
    return folder / "a.exr";
  }())};
  Attributes all = *part.image.attributes;
  setAttribute(all, {"lineOrder", "lineOrder", {std::byte(1)}});
  part.image.attributes = shared(all);
  writeDeepExr(folder / "b.exr", part.image);
  EXPECT_TRUE(sameFragments(readDeepExr(folder / "b.exr"), readDeepExr(folder / "a.exr")));
  const Imf::MultiPartInputFile in(folder.file("b.exr").c_str());
  EXPECT_EQ(in.header(0).lineOrder(), Imf::DECREASING_Y);
  EXPECT_TRUE(test::readWithOpenExr(folder / "b.exr").fragmentCount() > 0);
  EXPECT_EQ(std::filesystem::file_size(folder / "b.exr"),
            std::filesystem::file_size(folder / "a.exr"));
}

TEST_F(ExrAttributes, SeveralPartsAreWrittenAndReadBack) {
  std::vector<DeepImage> parts{test::sphereField({9, 7, 5, 3}), test::sphereField({11, 5, 5, 4})};
  const char* const names[] = {"left", "right"};
  for (std::size_t i = 0; i < 2; ++i)
    parts[i].attributes = shared(
        {attributeOf("name", std::string(names[i])), attributeOf("view", std::string(names[i]))});
  DeepExrWriter out(folder / "two.exr", parts);
  for (int i = 0; i < 2; ++i) out.writeRows(parts[std::size_t(i)], i);
  out.finish();
  for (std::size_t i = 0; i < 2; ++i) {
    const DeepImage read = readDeepExr(folder / "two.exr", {.part = names[i]});
    EXPECT_TRUE(sameFragments(read, parts[i]));
    EXPECT_EQ(read.displayWindow, parts[0].displayWindow);  // is one of the file
  }
  const Imf::MultiPartInputFile in(folder.file("two.exr").c_str());
  ASSERT_EQ(in.parts(), 2);
  EXPECT_EQ(in.header(1).view(), "right");
  EXPECT_TRUE(in.partComplete(0) && in.partComplete(1));
}

TEST_F(ExrAttributes, ANewerCompressionIsNamed) {
  const auto newer = [&](char compression) {
    std::string bytes = readFile(folder / "a.exr");
    bytes[bytes.find(std::string("compression\0compression\0", 24)) + 24 + 4] = compression;
    return folder.write("newer.exr", bytes);
  };
  writePicture(folder / "a.exr", Image(8, 8));
  EXPECT_THAT(messageOf([&] { readPicture(newer(12)); }), HasSubstr("found zstd"));
  writeDeepExr(folder / "a.exr", test::sphereField({9, 7, 5, 3}));
  EXPECT_THAT(messageOf([&] { readDeepExr(newer(11)); }), HasSubstr("found htj2k32"));
}

}  // namespace
}  // namespace fathom
