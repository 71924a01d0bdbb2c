// SPDX-License-Identifier: BSD-3-Clause
// Session files: settings there and back, and what is refused.
#include "app/engine/io/session.h"

#include "app/engine/io/json.h"
#include "app/system/machine.h"
#include "tests/support/system.h"

namespace fathom {
namespace {

enum class Method { Stepwise, Rbm };
struct Settings {
  Method method = Method::Stepwise;
  float radius = 2.8f;
  int count = 4;
  bool early = false;
  std::string title = "a \"quoted\" name";
};

Describe describing(Settings& s) {
  return [&s](FieldVisitor& field) {
    field(s.method, choice("method", {"stepwise", "rbm"}, "How."));
    field(s.radius, range("radius", 0.1f, 10.0f, "How far."));
    field(s.count, range("count", 1, 16, "How many."));
    field(s.early, toggle("early-out", "Stop early."));
    field(s.title, text("title", "What."));
  };
}

TEST(Session, SettingsRoundTripThroughAFile) {
  const TempFolder folder;
  Settings changed{Method::Rbm, 0.3f, 7, true, "x"};
  Session session;
  session.store("deep", describing(changed));
  session.save(folder / "new folder/s.json");
  Settings back;
  Session::load(folder / "new folder/s.json").restore("deep", describing(back));
  EXPECT_EQ(valuesOf(describing(back)), valuesOf(describing(changed)));
}

TEST(Session, FloatsAreShort) {
  Settings settings;
  Session session;
  session.store("deep", describing(settings));
  EXPECT_THAT(session.json(), HasSubstr("\"radius\": 2.8,"));
}

TEST(Session, AbsentSettingsKeepTheirValues) {
  Settings settings;
  settings.count = 9;
  Session::parse(R"({"deep": {"radius": 1}})", "s").restore("deep", describing(settings));
  EXPECT_EQ(settings.count, 9);
  EXPECT_EQ(settings.radius, 1.0f);
}

TEST(Session, UnknownSettingNamesFileAndSection) {
  Settings settings;
  EXPECT_EQ(messageOf([&] {
              Session::parse(R"({"deep": {"radios": 1}})", "s.json")
                  .restore("deep", describing(settings));
            }),
            "s.json: section \"deep\": no setting \"radios\", did you mean \"radius\"?");
}

TEST(Session, ValueOutOfRangeIsRefused) {
  Settings settings;
  EXPECT_EQ(
      messageOf([&] {
        Session::parse(R"({"deep": {"count": 99}})", "s.json")
            .restore("deep", describing(settings));
      }),
      "s.json: section \"deep\": --count: expected a whole number from 1 to 16, found \"99\"");
}

TEST(Session, WhatIsNoSessionIsRefusedInOneLine) {
  // Broken text is one line.
  const std::string message = messageOf([] { Session::parse("{\"deep\": ", "s.json"); });
  EXPECT_EQ(message.find("s.json: expected a session (JSON), found: parse error"), 0u) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
  // Nesting beyond a limit is refused.
  const std::string nested =
      "{\"zz\": " + std::string(200'000, '[') + std::string(200'000, ']') + "}";
  EXPECT_EQ(messageOf([&] { Session::parse(nested, "s.json"); }),
            "s.json: expected JSON of at most 32 levels, found more");
  // A list is no session.
  EXPECT_EQ(messageOf([] { Session::parse("[1]", "s.json"); }),
            "s.json: expected a session (a JSON object), found array");
}

TEST(Session, FreeValuesRoundTrip) {
  Session session;
  session.set("window", "width", 1600.0);
  session.set("window", "title", "two words");
  session.set("recent", "files", std::vector<std::string>{"a.exr", "b c.exr"});
  const Session back = Session::parse(session.json(), "s");
  EXPECT_EQ(back.number("window", "width"), 1600.0);
  EXPECT_EQ(back.text("window", "title"), "two words");
  EXPECT_EQ(back.texts("recent", "files"), (std::vector<std::string>{"a.exr", "b c.exr"}));
}

TEST(Session, AbsentFreeValuesAreNone) {
  EXPECT_FALSE(Session().text("window", "title"));
  EXPECT_TRUE(Session().texts("recent", "files").empty());
}

TEST(ConfigPaths, FollowXdg) {
  test::setVariable("XDG_CONFIG_HOME", "/somewhere");
  EXPECT_EQ(system::configFolder(), "/somewhere/fathom");
  test::setVariable("XDG_CONFIG_HOME", "relative");
  test::setVariable("HOME", "/home/me");
  EXPECT_EQ(system::configFolder(), "/home/me/.config/fathom");
  // Without home are no shared ones.
  test::removeVariable("XDG_CONFIG_HOME");
  test::removeVariable("HOME");
  const auto folder = system::configFolder();
  EXPECT_TRUE(folder.is_absolute());
  EXPECT_NE(folder.string().find(std::filesystem::temp_directory_path().string() + "/"), 0u);
}

/// The square of it, as a parser's callback once took, would meet the test's limit of time.
TEST(Json, ALongListTakesTimeByItsLength) {
  std::string text = "[";
  for (int i = 0; i < 600000; ++i) text += "{},";
  text.back() = ']';
  EXPECT_EQ(parseJson(text, "a file", 2).size(), 600000u);
}

}  // namespace
}  // namespace fathom
