// SPDX-License-Identifier: BSD-3-Clause
// The JSON object of a command.
#include "app/io/report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fathom {
namespace {

using nlohmann::json;

TEST(Report, WithoutDeviceAndSizeHasNulls) {
  const json root = json::parse(Report().json());
  EXPECT_TRUE(root["device"].is_null());
  EXPECT_TRUE(root["size"].is_null());
  EXPECT_TRUE(root["result"].is_object());
}

TEST(Report, WritesNumbersAsNumbersAndWordsAsWords) {
  using Kind = FieldValue::Kind;
  EXPECT_EQ(
      settingsJson({{"f-number", "2.8", Kind::Number, Effect::Redraw},
                    {"layers", "4", Kind::Number, Effect::Redraw},
                    {"block-size", "16", Kind::Word, Effect::Redraw},
                    {"layout", "bia", Kind::Word, Effect::Redraw},
                    {"slots", "tile2x8", Kind::Word, Effect::Redraw},
                    {"stream", "on", Kind::Truth, Effect::Redraw}}),
      R"({"f-number":2.8,"layers":4,"block-size":16,"layout":"bia","slots":"tile2x8","stream":true})");
}

TEST(Report, AddsUpThePartsOfAPhase) {
  Report report;
  report.addPhase("read", 2);
  report.addPhase("write", 5);
  report.addPhase("read", 1);
  EXPECT_EQ(json::parse(report.json())["phases_ms"].dump(), R"({"read":3.0,"write":5.0})");
}

TEST(Report, KeepsTheLastValueOfAResult) {
  Report report;
  report.set("fragments", 1);
  report.set("fragments", std::size_t(2));
  report.set("exact", true);
  report.set("file", "a.exr");
  EXPECT_EQ(json::parse(report.json())["result"].dump(),
            R"({"exact":true,"file":"a.exr","fragments":2})");
}

TEST(Report, SurvivesBytesThatAreNoText) {
  Report report;
  report.set("file", "caf\xe9.exr");
  EXPECT_NO_THROW(json::parse(report.json()));
}

}  // namespace
}  // namespace fathom
