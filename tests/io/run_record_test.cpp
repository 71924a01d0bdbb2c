// SPDX-License-Identifier: BSD-3-Clause
// The JSON object of a command.
#include "app/engine/io/run_record.h"

#include <nlohmann/json.hpp>

namespace fathom {
namespace {

using nlohmann::json;

TEST(RunRecord, WithoutDeviceAndSizeHasNulls) {
  const json root = json::parse(RunRecord().json());
  EXPECT_TRUE(root["device"].is_null());
  EXPECT_TRUE(root["size"].is_null());
  EXPECT_FALSE(root.contains("compile_ms"));  // nothing was compiled
  EXPECT_TRUE(root["result"].is_object());
}

TEST(RunRecord, WritesNumbersAsNumbersAndWordsAsWords) {
  using Kind = FieldValue::Kind;
  EXPECT_EQ(
      settingsJson({{"f-number", "2.8", Kind::Number},
                    {"layers", "4", Kind::Number},
                    {"block-size", "16", Kind::Text},
                    {"layout", "bia", Kind::Text},
                    {"slots", "tile2x8", Kind::Text},
                    {"stream", "on", Kind::Bool}}),
      R"({"f-number":2.8,"layers":4,"block-size":16,"layout":"bia","slots":"tile2x8","stream":true})");
}

TEST(RunRecord, AddsUpThePartsOfAPhase) {
  RunRecord record;
  record.addPhase("read", 2);
  record.addPhase("write", 5);
  record.addPhase("read", 1);
  EXPECT_EQ(json::parse(record.json())["phases_ms"].dump(), R"({"read":3.0,"write":5.0})");
}

TEST(RunRecord, KeepsTheLastValueOfAResult) {
  RunRecord record;
  record.set("fragments", 1);
  record.set("fragments", std::size_t(2));
  record.set("exact", true);
  record.set("file", "a.exr");
  EXPECT_EQ(json::parse(record.json())["result"].dump(),
            R"({"exact":true,"file":"a.exr","fragments":2})");
}

TEST(RunRecord, SurvivesBytesThatAreNoText) {
  RunRecord record;
  record.set("file", "caf\xe9.exr");
  EXPECT_NO_THROW(std::ignore = json::parse(record.json()));
}

}  // namespace
}  // namespace fathom
