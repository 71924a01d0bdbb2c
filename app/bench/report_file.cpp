// SPDX-License-Identifier: BSD-3-Clause
// Reads bench files; nothing in them is trusted.
#include "app/bench/report_file.h"

#include "app/core/error.h"
#include "app/io/atomic_file.h"
#include "app/io/json_parse.h"

#include <cmath>
#include <functional>
#include <set>

namespace fathom::bench {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxBytes = std::uint64_t(256) << 20;
constexpr std::size_t kMaxTrials = 50'000, kMaxText = 4096, kMaxEntries = 1024;
constexpr std::size_t kMaxRounds = 1000, kMaxTimes = 100'000;
constexpr int kMaxDepth = 8;

/// A value with what messages call it.
class Reader {
 public:
  Reader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json_.is_object()) refuse("an object", json_);
  }

  [[noreturn]] void refuse(const std::string& expected, const Json& found) const {
    fail("{}: expected {}, found {}", where_, expected, found.type_name());
  }
  /// Null where the key is missing or null.
  const Json* find(const char* key) const {
    const auto at = json_.find(key);
    return at == json_.end() || at->is_null() ? nullptr : &*at;
  }
  std::string text(const char* key) const {
    const Json* value = find(key);
    if (!value) return "";
    if (!value->is_string()) refuse(fmt::format("a text as \"{}\"", key), *value);
    std::string text = *value;
    if (text.size() > kMaxText)
      fail("{}: expected \"{}\" to have at most {} bytes, found {}", where_, key, kMaxText,
           text.size());
    return text;
  }
  double number(const char* key, double missing = 0) const {
    const Json* value = find(key);
    if (!value) return missing;
    if (!value->is_number()) refuse(fmt::format("a number as \"{}\"", key), *value);
    const double number = *value;
    if (!std::isfinite(number))
      fail("{}: expected \"{}\" to be finite, found {}", where_, key, number);
    return number;
  }
  double positive(const char* key) const {
    const double value = number(key);
    if (value < 0) fail("{}: expected \"{}\" from 0 on, found {}", where_, key, value);
    return value;
  }
  bool truth(const char* key) const {
    const Json* value = find(key);
    if (!value) return false;
    if (!value->is_boolean()) refuse(fmt::format("true or false as \"{}\"", key), *value);
    return *value;
  }
  Reader object(const char* key) const {
    static const Json kEmpty = Json::object();
    const Json* value = find(key);
    return {value ? *value : kEmpty, where_ + ": " + key};
  }
  /// Calls `body` for each member or element; none when the key is missing.
  void each(const char* key, std::size_t most,
            const std::function<void(const std::string&, const Json&)>& body) const {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_structured()) refuse(fmt::format("a list as \"{}\"", key), *value);
    if (value->size() > most)
      fail("{}: expected at most {} entries in \"{}\", found {}", where_, most, key, value->size());
    for (const auto& [name, entry] : value->items()) body(name, entry);
  }
  const std::string& where() const { return where_; }

 private:
  const Json& json_;
  std::string where_;
};

Summary readSummary(const Reader& trial, const char* key) {
  const Reader in = trial.object(key);
  Summary s;
  s.n = int(std::min(in.positive("n"), 1e9));
  if (s.n == 0) return {};
  s.median = in.positive("median"), s.p10 = in.positive("p10"), s.p90 = in.positive("p90");
  s.least = in.find("min") ? in.positive("min") : s.p10;
  // Files of older versions lack them: as if the trials were distributed evenly.
  s.p25 = in.find("p25") ? in.positive("p25") : s.median - (s.median - s.p10) * 0.6;
  s.p75 = in.find("p75") ? in.positive("p75") : s.median + (s.p90 - s.median) * 0.6;
  return s;
}

Clocks readClocksOf(const Reader& in) {
  const auto rate = [&](const char* name) {
    const Reader clock = in.object(name);
    return ClockRate{clock.positive("seen"), clock.positive("max")};
  };
  return {rate("cpu"), rate("gpu"), rate("gpu_memory")};
}

std::string settingText(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return value.is_string() ? value.get<std::string>().substr(0, kMaxText) : value.dump();
}

RunTrial::Placed readCell(const Json& json, const std::string& where) {
  const Reader in(json, where);
  return {in.text("table"),
          in.text("row"),
          in.text("column"),
          in.text("unit"),
          in.number("ours", kNotPrinted),
          in.number("paper", kNotPrinted)};
}

RoundTimes readRound(const Json& json, const std::string& where) {
  const Reader in(json, where);
  RoundTimes round;
  round.started = in.positive("started");
  const auto read = [&](const char* key, std::vector<double>& times) {
    in.each(key, kMaxTimes, [&](const std::string&, const Json& value) {
      if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0)
        in.refuse(fmt::format("times from 0 on in \"{}\"", key), value);
      times.push_back(value);
    });
  };
  read("gpu_ms", round.gpuMs), read("wall_ms", round.wallMs);
  read("cpu_ms", round.cpuMs), read("pace_ms", round.paceMs);
  return round;
}

void readSize(const Reader& in, RunTrial& trial) {
  const Json* size = in.find("size");
  if (!size) return;
  const auto whole = [](const Json& n) {
    return n.is_number_integer() && n >= 0 && n <= 1'000'000;
  };
  if (!size->is_array() || size->size() != 2 || !whole((*size)[0]) || !whole((*size)[1]))
    in.refuse("[width, height] as \"size\"", *size);
  trial.width = (*size)[0], trial.height = (*size)[1];
}

RunTrial readTrial(const Json& json, const std::string& where) {
  const Reader in(json, where);
  RunTrial trial;
  trial.bench = in.text("bench");
  if (trial.bench.empty()) fail("{}: expected \"bench\", found none", where);
  trial.workload = in.text("workload"), trial.label = in.text("label");
  trial.unit = in.text("unit"), trial.checked = in.text("checked");
  readSize(in, trial);
  in.each("settings", kMaxEntries, [&](const std::string& name, const Json& value) {
    trial.settings.emplace_back(name, settingText(value));
  });
  trial.work = in.positive("work"), trial.bytes = in.positive("bytes");
  trial.memoryBytes = in.positive("memory_bytes");
  trial.timesDisagree = in.text("times_disagree");
  trial.ofCopyBandwidth = in.positive("of_copy_bandwidth");
  trial.gpu = readSummary(in, "gpu_ms");
  trial.wall = readSummary(in, "wall_ms");
  trial.cpu = readSummary(in, "cpu_ms");
  trial.pace = readSummary(in, "pace_ms");
  in.each("rounds", kMaxRounds, [&](const std::string& index, const Json& value) {
    trial.rounds.push_back(readRound(value, fmt::format("{}: round {}", where, index)));
  });
  in.each("values", kMaxEntries, [&](const std::string& name, const Json& value) {
    if (value.is_number()) trial.values.emplace_back(name, value.get<double>());
  });
  in.each("paper", kMaxEntries, [&](const std::string&, const Json& value) {
    trial.paper.push_back(readCell(value, where + ": paper"));
  });
  return trial;
}

}  // namespace

std::string RunTrial::sizeText() const {
  return width > 0 ? fmt::format("{} x {}", width, height) : "";
}

std::string RunTrial::settingsText() const {
  std::string text;
  for (const auto& [name, value] : settings)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string RunTrial::key() const {
  return fmt::format("{}, {}, {}{}{}{}{}", bench, workload, label, width ? ", " : "", sizeText(),
                     settings.empty() ? "" : ", ", settingsText());
}

RunFile parseRunFile(const std::string& text, const std::string& name) {
  const Json json = parseJson(text, name, kMaxDepth);
  const Reader in(json, name);
  if (const std::string schema = in.text("schema"); schema != "fathom.bench/1")
    fail("{}: expected the schema \"fathom.bench/1\", found {}", name,
         schema.empty() ? "none" : "\"" + schema.substr(0, 60) + "\"");
  RunFile run;
  run.file = name;
  const Reader device = in.object("device");
  run.machine.device = {device.text("vendor"), device.text("renderer"), device.text("version"),
                        device.truth("software")};
  run.machine.cpu = in.text("cpu"), run.machine.os = in.text("os");
  run.machine.clocks = readClocksOf(in.object("clocks_mhz"));
  run.machine.date = in.text("date"), run.machine.scale = in.text("scale");
  if (in.find("rounds")) run.machine.rounds = int(std::clamp(in.positive("rounds"), 1.0, 1000.0));
  run.version = in.text("fathom"), run.commit = in.text("commit");
  if (const Json* trials = in.find("trials"); !trials || !trials->is_array())
    fail("{}: expected a list as \"trials\", found {}", name,
         trials ? trials->type_name() : "none");
  in.each("trials", kMaxTrials, [&](const std::string& index, const Json& value) {
    run.trials.push_back(readTrial(value, fmt::format("{}: trial {}", name, index)));
  });
  return run;
}

RunFile readRunFile(const std::filesystem::path& file) {
  return parseRunFile(readFile(file, kMaxBytes), file.string());
}

void nameRuns(std::vector<RunFile>& runs) {
  for (RunFile& run : runs)
    run.name = run.machine.device.renderer.empty() ? run.file : run.machine.device.renderer;
  const std::function<std::string(const RunFile&)> details[] = {
      [](const RunFile& r) { return r.machine.scale; },
      [](const RunFile& r) { return r.machine.date; }, [](const RunFile& r) { return r.commit; },
      [](const RunFile& r) { return std::filesystem::path(r.file).filename().string(); },
      [](const RunFile& r) { return r.file; }};
  const auto allDiffer = [&] {
    std::set<std::string> names;
    for (const RunFile& run : runs) names.insert(run.name);
    return names.size() == runs.size();
  };
  for (const auto& detail : details) {
    if (allDiffer()) return;
    std::set<std::string> values;
    for (const RunFile& run : runs) values.insert(detail(run));
    if (values.size() < 2) continue;
    for (RunFile& run : runs)
      if (const std::string more = detail(run); !more.empty()) run.name += ", " + more;
  }
  if (allDiffer()) return;
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].name += fmt::format(" ({})", i + 1);
}

}  // namespace fathom::bench
