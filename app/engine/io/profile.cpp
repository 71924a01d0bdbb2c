// SPDX-License-Identifier: BSD-3-Clause
// One list of text members serves reading and writing. A profile in use is looked at again whenever
// the file's time has changed.
#include "app/engine/io/profile.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/json.h"
#include "app/system/machine.h"

namespace fathom {
namespace {

constexpr const char* kProfileSchema = "fathom.profile/1";
constexpr std::uint64_t kMaxProfileBytes = 4u << 20;

struct TextMember {
  const char* name;
  std::string TunedVariant::*member;
};
constexpr TextMember kTunedTexts[] = {{"technique", &TunedVariant::technique},
                                      {"vendor", &TunedVariant::vendor},
                                      {"renderer", &TunedVariant::renderer},
                                      {"version", &TunedVariant::version},
                                      {"workload", &TunedVariant::workload},
                                      {"size_class", &TunedVariant::sizeClass},
                                      {"template_hash", &TunedVariant::templateHash},
                                      {"back_end", &TunedVariant::backEnd},
                                      {"best", &TunedVariant::best},
                                      {"date", &TunedVariant::date}};

TunedVariant tunedOf(const OrderedJson& json) {
  TunedVariant tuned;
  for (const TextMember& text : kTunedTexts)
    tuned.*text.member = json.at(text.name).get<std::string>();
  tuned.bestMs = json.at("best_ms").get<double>();
  tuned.defaultMs = json.at("default_ms").get<double>();
  return tuned;
}

OrderedJson tunedJson(const TunedVariant& tuned) {
  OrderedJson json;
  for (const TextMember& text : kTunedTexts) json[text.name] = tuned.*text.member;
  json["best_ms"] = tuned.bestMs;
  json["default_ms"] = tuned.defaultMs;
  return json;
}

bool sameDevice(const TunedVariant& a, const TunedVariant& b) {
  return a.vendor == b.vendor && a.renderer == b.renderer && a.version == b.version;
}
bool sameShaders(const TunedVariant& a, const TunedVariant& b) {
  return a.templateHash == b.templateHash && a.backEnd == b.backEnd;
}
std::string driverOf(const TunedVariant& tuned) { return tuned.renderer + ", " + tuned.version; }

}  // namespace

bool TunedVariant::sameKey(const TunedVariant& o) const {
  return technique == o.technique && sameDevice(*this, o) && workload == o.workload &&
         sizeClass == o.sizeClass;
}

std::string sizeClassOf(int width, int height) {
  const long long pixels = 1ll * width * height;
  if (pixels <= 640 * 360) return "small";
  if (pixels <= 1280 * 720) return "medium";
  return pixels <= 1920 * 1080 ? "large" : "huge";
}

fs::path Profile::defaultPath() { return system::configFolder() / "profile.json"; }

Profile Profile::load(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {};
  return parse(readFile(file, kMaxProfileBytes), file.string());
}

Profile Profile::parse(const std::string& text, const std::string& name) {
  Profile profile;
  try {
    const OrderedJson root = parseOrderedJson(text, name, "a profile (JSON)");
    if (!root.is_object() || root.value("schema", "") != kProfileSchema)
      fail("{}: expected a profile ({}), found something else", name, kProfileSchema);
    for (const OrderedJson& tuned : root.at("tuned")) profile.tuned_.push_back(tunedOf(tuned));
  } catch (const OrderedJson::exception& error) {
    fail("{}: expected a profile (JSON), found: {}", name, problemOf(error));
  }
  return profile;
}

std::string Profile::json() const {
  OrderedJson root{{"schema", kProfileSchema}, {"tuned", OrderedJson::array()}};
  for (const TunedVariant& tuned : tuned_) root["tuned"].push_back(tunedJson(tuned));
  return documentText(root);
}

void Profile::save(const fs::path& file) const {
  std::error_code failure;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), failure);
  if (failure)
    fail("{}: expected a folder to write to, found {}", file.string(), failure.message());
  writeFile(file, json());
}

void Profile::put(TunedVariant tuned) {
  std::erase_if(tuned_, [&](const TunedVariant& old) { return old.sameKey(tuned); });
  tuned_.push_back(std::move(tuned));
}

Profile::Answer Profile::find(const TunedVariant& key) const {
  const TunedVariant* use = nullptr;
  const TunedVariant* stale = nullptr;
  for (const TunedVariant& tuned : tuned_) {
    if (tuned.technique != key.technique || tuned.workload != key.workload) continue;
    if (!sameDevice(tuned, key) || !sameShaders(tuned, key))
      stale = &tuned;
    else if (!use || use->sizeClass != key.sizeClass)
      use = &tuned;
  }
  if (use)
    return {*use, fmt::format("{}, tuned for {} {} images on {}", use->best, use->workload,
                              use->sizeClass, use->date)};
  if (!stale) return {};
  if (!sameDevice(*stale, key))
    return {std::nullopt,
            fmt::format("not used: tuned on {} with {}, found {}; `fathom tune {}` renews it",
                        stale->date, driverOf(*stale), driverOf(key), key.technique)};
  return {std::nullopt,
          fmt::format("not used: tuned on {} with other shaders; `fathom tune {}` renews it",
                      stale->date, key.technique)};
}

namespace {

struct InUse {
  std::optional<fs::path> file;
  fs::file_time_type time = fs::file_time_type::min();
  Profile profile;
};
InUse& inUse() {
  static InUse state;
  return state;
}

}  // namespace

void useProfile(std::optional<fs::path> file) {
  inUse() = InUse{};
  inUse().file = std::move(file);
}

const Profile& profileInUse() {
  static std::mutex mutex;  // frames of a sequence are made on several threads
  const std::lock_guard lock(mutex);
  InUse& state = inUse();
  if (!state.file) return state.profile;
  std::error_code missing;
  const auto time = fs::last_write_time(*state.file, missing);
  if (missing || time == state.time) return state.profile;
  state.time = time;
  try {
    state.profile = Profile::load(*state.file);
  } catch (const Error& error) {
    log::warn("{}; no tuned variants are used", error.what());
    state.profile = {};
  }
  return state.profile;
}

}  // namespace fathom
