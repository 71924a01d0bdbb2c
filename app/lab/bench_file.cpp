// SPDX-License-Identifier: BSD-3-Clause
// Bench files to JSON and back, and joined; the order of keys is that of the first version. What
// `fathom bench` prints, and its CSV.
#include "app/lab/bench_file.h"

#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/json.h"
#include "app/system/machine.h"

#include <fmt/chrono.h>

namespace fathom::bench {

/// The commit that the program was built from, "1f6270d", followed by a plus when files were
/// changed; empty outside a git repository. Each build writes commit.cpp, where it is
/// (third_party/cmake/write_commit.cmake).
extern const char* const kCommit;

namespace {

// ---- Writing

OrderedJson jsonOf(const Summary& summary) {
  if (summary.n == 0) return nullptr;
  return {{"median", summary.median}, {"p10", summary.p10}, {"p90", summary.p90}, {"n", summary.n},
          {"min", summary.min},       {"p25", summary.p25}, {"p75", summary.p75}};
}

/// Times to a tenth of a microsecond: clocks are no finer.
OrderedJson timesJson(const std::vector<double>& ms) {
  OrderedJson times = OrderedJson::array();
  for (const double time : ms) times.push_back(std::round(time * 1e4) / 1e4);
  return times;
}

OrderedJson jsonOf(const RoundTimes& round) {
  OrderedJson json = {{"started", std::round(round.started * 1e3) / 1e3}};
  json["gpu_ms"] = timesJson(round.gpuMs);
  json["wall_ms"] = timesJson(round.wallMs);
  json["cpu_ms"] = timesJson(round.cpuMs);
  if (!round.paceMs.empty()) json["pace_ms"] = timesJson(round.paceMs);
  return json;
}

/// JSON has no NaN: cells without a number of ours are left out, and so is what the paper does not
/// print.
OrderedJson jsonOf(const std::vector<PaperNumber>& numbers) {
  OrderedJson json = OrderedJson::array();
  for (const PaperNumber& number : numbers) {
    if (std::isnan(number.ours)) continue;
    OrderedJson cell = {{"table", number.table}, {"row", number.row}, {"column", number.column}};
    if (!number.unit.empty()) cell["unit"] = number.unit;
    cell["ours"] = number.ours;
    if (!std::isnan(number.paper)) cell["paper"] = number.paper;
    json.push_back(std::move(cell));
  }
  return json;
}

OrderedJson jsonOf(const BenchRow& row, bool keepsRounds) {
  OrderedJson json;
  json["bench"] = row.bench;
  json["workload"] = row.workload;
  json["label"] = row.label;
  json["size"] = nullptr;
  if (row.size.x > 0) json["size"] = {row.size.x, row.size.y};
  json["settings"] = OrderedJson::parse(settingsJson(row.settings));
  json["unit"] = row.unit;
  json["work"] = row.work;
  json["bytes"] = row.bytes;
  json["gpu_ms"] = jsonOf(row.gpu);
  json["wall_ms"] = jsonOf(row.wall);
  json["cpu_ms"] = jsonOf(row.cpu);
  if (row.pace.n > 0) json["pace_ms"] = jsonOf(row.pace);
  if (keepsRounds) {
    json["rounds"] = OrderedJson::array();
    for (const RoundTimes& round : row.rounds) json["rounds"].push_back(jsonOf(round));
  }
  json["memory_bytes"] = row.memoryBytes;
  json["checked"] = row.checked;
  json["of_copy_bandwidth"] = nullptr;
  if (row.ofCopyBandwidth > 0) json["of_copy_bandwidth"] = row.ofCopyBandwidth;
  for (const auto& [name, value] : row.values) json["values"][name] = value;
  if (OrderedJson cells = jsonOf(row.paper); !cells.empty()) json["paper"] = std::move(cells);
  return json;
}

// ---- Reading

constexpr std::uint64_t kMaxFileBytes = std::uint64_t(256) << 20;
constexpr std::size_t kMaxRows = 50'000, kMaxText = 4096, kMaxEntries = 1024;
constexpr std::size_t kMaxRounds = 1000, kMaxTimes = 100'000;
constexpr int kMaxDepth = 8;

/// A JSON object together with what messages call it.
class ObjectReader {
 public:
  ObjectReader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
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
  std::int64_t bytes(const char* key) const { return std::int64_t(std::min(positive(key), 9e18)); }
  bool truth(const char* key) const {
    const Json* value = find(key);
    if (!value) return false;
    if (!value->is_boolean()) refuse(fmt::format("true or false as \"{}\"", key), *value);
    return *value;
  }
  ObjectReader object(const char* key) const {
    static const Json kEmpty = Json::object();
    const Json* value = find(key);
    return {value ? *value : kEmpty, where_ + ": " + key};
  }
  /// Calls `body` for each member or element; none when the key is missing.
  void each(const char* key, std::size_t max,
            const std::function<void(const std::string&, const Json&)>& body) const {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_structured()) refuse(fmt::format("a list as \"{}\"", key), *value);
    if (value->size() > max)
      fail("{}: expected at most {} entries in \"{}\", found {}", where_, max, key, value->size());
    for (const auto& [name, entry] : value->items()) body(name, entry);
  }

 private:
  const Json& json_;
  std::string where_;
};

Summary readSummary(const ObjectReader& row, const char* key) {
  const ObjectReader in = row.object(key);
  Summary s;
  s.n = int(std::min(in.positive("n"), 1e9));
  if (s.n == 0) return {};
  s.median = in.positive("median"), s.p10 = in.positive("p10"), s.p90 = in.positive("p90");
  s.min = in.find("min") ? in.positive("min") : s.p10;
  // Files of older versions lack them: as if the trials were distributed evenly.
  s.p25 = in.find("p25") ? in.positive("p25") : s.median - (s.median - s.p10) * 0.6;
  s.p75 = in.find("p75") ? in.positive("p75") : s.median + (s.p90 - s.median) * 0.6;
  return s;
}

FieldValue readSetting(const std::string& name, const Json& value) {
  using Kind = FieldValue::Kind;
  if (value.is_boolean()) return {name, value.get<bool>() ? "on" : "off", Kind::Bool};
  if (value.is_string()) return {name, value.get<std::string>().substr(0, kMaxText)};
  return {name, value.dump(), value.is_number() ? Kind::Number : Kind::Text};
}

PaperNumber readPaperNumber(const Json& json, const std::string& where) {
  const ObjectReader in(json, where);
  return {in.text("table"),
          in.text("row"),
          in.text("column"),
          in.text("unit"),
          in.number("ours", kNotPrinted),
          in.number("paper", kNotPrinted)};
}

RoundTimes readRound(const Json& json, const std::string& where) {
  const ObjectReader in(json, where);
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

glm::ivec2 readSize(const ObjectReader& in) {
  const Json* size = in.find("size");
  if (!size) return glm::ivec2(0);
  const auto whole = [](const Json& n) {
    return n.is_number_integer() && n >= 0 && n <= 1'000'000;
  };
  if (!size->is_array() || size->size() != 2 || !whole((*size)[0]) || !whole((*size)[1]))
    in.refuse("[width, height] as \"size\"", *size);
  return {(*size)[0].get<int>(), (*size)[1].get<int>()};
}

BenchRow readRow(const Json& json, const std::string& where) {
  const ObjectReader in(json, where);
  BenchRow row;
  row.bench = in.text("bench");
  if (row.bench.empty()) fail("{}: expected \"bench\", found none", where);
  row.workload = in.text("workload"), row.label = in.text("label");
  row.unit = in.text("unit"), row.checked = in.text("checked");
  row.size = readSize(in);
  in.each("settings", kMaxEntries, [&](const std::string& name, const Json& value) {
    row.settings.push_back(readSetting(name, value));
  });
  row.work = in.positive("work"), row.bytes = in.bytes("bytes");
  row.memoryBytes = in.bytes("memory_bytes");
  row.ofCopyBandwidth = in.positive("of_copy_bandwidth");
  row.gpu = readSummary(in, "gpu_ms");
  row.wall = readSummary(in, "wall_ms");
  row.cpu = readSummary(in, "cpu_ms");
  row.pace = readSummary(in, "pace_ms");
  in.each("rounds", kMaxRounds, [&](const std::string& index, const Json& value) {
    row.rounds.push_back(readRound(value, fmt::format("{}: round {}", where, index)));
  });
  in.each("values", kMaxEntries, [&](const std::string& name, const Json& value) {
    if (value.is_number()) row.values.emplace_back(name, value.get<double>());
  });
  in.each("paper", kMaxEntries, [&](const std::string&, const Json& value) {
    row.paper.push_back(readPaperNumber(value, where + ": paper"));
  });
  return row;
}

}  // namespace

BenchFile newBenchFile(Machine machine) {
  BenchFile file;
  file.machine = std::move(machine);
  file.version = FATHOM_VERSION, file.commit = kCommit;
  return file;
}

std::string benchFileJson(const BenchFile& file) {
  const Machine& machine = file.machine;
  OrderedJson root;
  root["schema"] = "fathom.bench/1";
  root["device"] = {{"vendor", machine.device.vendor},
                    {"renderer", machine.device.renderer},
                    {"version", machine.device.version},
                    {"software", machine.device.software}};
  root["cpu"] = machine.cpu;
  root["os"] = machine.os;
  root["date"] = machine.date;
  root["fathom"] = file.version;
  if (!file.commit.empty()) root["commit"] = file.commit;
  if (!file.scale.empty()) root["scale"] = file.scale;
  if (file.rounds > 1) root["rounds"] = file.rounds;
  if (file.interrupted) root["interrupted"] = true;
  root["trials"] = OrderedJson::array();
  for (const BenchRow& row : file.rows) root["trials"].push_back(jsonOf(row, file.keepsRounds));
  return root.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

BenchFile parseBenchFile(const std::string& text, const std::string& path) {
  const Json json = parseJson(text, path, kMaxDepth);
  const ObjectReader in(json, path);
  if (const std::string schema = in.text("schema"); schema != "fathom.bench/1")
    fail("{}: expected a bench file (schema \"fathom.bench/1\"), found {}", path,
         schema.empty() ? "none" : "\"" + schema.substr(0, 60) + "\"");
  BenchFile file;
  file.path = path;
  const ObjectReader device = in.object("device");
  file.machine.device = {device.text("vendor"), device.text("renderer"), device.text("version"),
                         device.truth("software")};
  file.machine.cpu = in.text("cpu"), file.machine.os = in.text("os");
  file.machine.date = in.text("date"), file.scale = in.text("scale");
  if (in.find("rounds")) file.rounds = int(std::clamp(in.positive("rounds"), 1.0, 1000.0));
  file.version = in.text("fathom"), file.commit = in.text("commit");
  file.interrupted = in.truth("interrupted");
  if (const Json* rows = in.find("trials"); !rows || !rows->is_array())
    fail("{}: expected a list as \"trials\", found {}", path, rows ? rows->type_name() : "none");
  in.each("trials", kMaxRows, [&](const std::string& index, const Json& value) {
    file.rows.push_back(readRow(value, fmt::format("{}: trial {}", path, index)));
  });
  file.keepsRounds =
      std::ranges::none_of(file.rows, [](const BenchRow& row) { return row.rounds.empty(); });
  return file;
}

BenchFile readBenchFile(const fs::path& path) {
  return parseBenchFile(readFile(path, kMaxFileBytes), path.string());
}

// ---- Joining

void checkJoins(const BenchFile& now, const BenchFile& before) {
  const auto same = [&](const char* what, const std::string& ours, const std::string& theirs) {
    if (ours != theirs)
      fail("{}: expected a run of the same {} to join, \"{}\", found \"{}\"", before.path, what,
           ours, theirs);
  };
  same("device", now.machine.device.renderer, before.machine.device.renderer);
  same("driver", now.machine.device.version, before.machine.device.version);
  same("processor", now.machine.cpu, before.machine.cpu);
  same("scale", now.scale, before.scale);
  same("version of the program", now.version, before.version);
  same("commit of the program", now.commit, before.commit);
  if (!before.keepsRounds)
    fail("{}: expected the trials of each round, as --append and --rounds keep them, found none",
         before.path);
}

void joinRuns(BenchFile& now, const BenchFile& before) {
  checkJoins(now, before);
  if (before.rows.size() != now.rows.size())
    fail("{}: expected the {} rows of this run, found {}", before.path, now.rows.size(),
         before.rows.size());
  RowPartners partners;
  for (const BenchRow& row : before.rows) partners.add(row);
  for (BenchRow& row : now.rows) {
    const BenchRow* partner = partners.take(row.key());
    if (!partner) fail("{}: expected the row {}, found none", before.path, row.key());
    const double ownMs = row.gpu.median;
    row.rounds.insert(row.rounds.begin(), partner->rounds.begin(), partner->rounds.end());
    summarizeRounds(row);
    if (row.gpu.median > 0) row.ofCopyBandwidth *= ownMs / row.gpu.median;
    updatePaperNumbers(row);
  }
  now.rounds += before.rounds;
}

// ---- Recordings of the window

std::string writeRecording(const Recording& recording, const std::string& path) {
  BenchRow row;
  row.bench = "view." + recording.technique;
  row.unit = "pixels";
  row.workload = recording.inputs;
  row.label = "picture";
  row.size = recording.size;
  row.settings = recording.settings;
  row.work = double(row.size.x) * row.size.y;
  row.gpu = summarize(recording.gpuMs);
  row.wall = summarize(recording.wallMs);
  row.memoryBytes = recording.memoryBytes;
  row.checked = recording.checked;
  BenchFile file = newBenchFile(thisMachine(recording.device));
  file.rows = {row};
  for (const auto& [pass, ms] : recording.passMs) {
    row.label = "pass: " + pass;
    row.gpu = summarize(ms);
    row.wall = {};
    file.rows.push_back(row);
  }
  writeFile(path, path.ends_with(".csv") ? csv(file) : benchFileJson(file));
  const BenchRow& picture = file.rows[0];
  return fmt::format("Recorded {} images, {:.3f} ms GPU, {:.1f} ms wall clock: {}", picture.gpu.n,
                     picture.gpu.median, picture.wall.median, path);
}

namespace {

constexpr std::size_t kMaxValueColumns = 3;  // nobody reads more
constexpr double kMiB = 1048576.0;

using RowGroup = std::vector<const BenchRow*>;

/// "1.53 G", for work and throughput.
std::string metricText(double value) {
  if (value >= 1e9) return fmt::format("{:.2f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.2f} M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.2f} k", value / 1e3);
  return fmt::format("{:.0f} ", value);
}

struct TextColumn {
  std::string heading;
  std::vector<std::string> cells;
};

/// Left-aligned first column, the others right-aligned; columns without any cell text are left out.
std::string layOut(std::vector<TextColumn> columns) {
  std::erase_if(columns, [](const TextColumn& column) {
    return std::ranges::all_of(column.cells, [](const std::string& cell) { return cell.empty(); });
  });
  std::vector<std::size_t> widths;
  for (const TextColumn& column : columns) {
    std::size_t width = column.heading.size();
    for (const std::string& cell : column.cells) width = std::max(width, cell.size());
    widths.push_back(width);
  }
  std::string text;
  const std::size_t rows = columns.empty() ? 0 : columns[0].cells.size();
  for (std::size_t row = 0; row <= rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& cell = row == 0 ? columns[i].heading : columns[i].cells[row - 1];
      text += i == 0 ? fmt::format("  {:<{}}", cell, widths[i])
                     : fmt::format("  {:>{}}", cell, widths[i]);
    }
    text += '\n';
  }
  return text;
}

/// A column of `cell` over the rows.
template <class Cell>
TextColumn columnOf(const std::string& heading, const RowGroup& rows, const Cell& cell) {
  TextColumn column{heading, {}};
  for (const BenchRow* row : rows) column.cells.push_back(cell(*row));
  return column;
}

/// How many times the smallest positive value of the rows each row is; empty for rows without one.
template <class Value>
TextColumn ratioColumn(const std::string& heading, const RowGroup& rows, const Value& value) {
  double best = 0;
  for (const BenchRow* row : rows)
    if (const double v = value(*row); v > 0 && (best == 0 || v < best)) best = v;
  return columnOf(heading, rows, [&](const BenchRow& row) {
    const double v = value(row);
    return v > 0 && best > 0 ? fmt::format("{:.2f}", v / best) : "";
  });
}

/// The paper's number for a row: a time in ms, or bytes in MiB; 0 for none.
double paperNumberIn(const std::string& unit, const BenchRow& row) {
  for (const PaperNumber& number : row.paper) {
    if (std::isnan(number.paper) || !number.value.empty()) continue;
    if (number.unit == unit) return number.paper;
    if (unit == "ms" && number.unit == "s") return 1e3 * number.paper;
    if (unit == "ms" && number.unit == "us") return 1e-3 * number.paper;
  }
  return 0;
}

/// What the checks measured, a column each, when there are few of them.
void addValueColumns(const RowGroup& rows, std::vector<TextColumn>& columns) {
  if (rows[0]->values.size() > kMaxValueColumns) return;
  for (const auto& [name, first] : rows[0]->values) {
    const std::string wanted = name;
    columns.push_back(columnOf(wanted, rows, [&](const BenchRow& row) {
      const auto value = std::ranges::find_if(
          row.values, [&](const auto& other) { return other.first == wanted; });
      return value == row.values.end() ? "" : fmt::format("{:.2f}", value->second);
    }));
  }
}

std::string tableOf(const RowGroup& rows) {
  const bool timed =
      std::any_of(rows.begin(), rows.end(), [](const BenchRow* row) { return row->time().n > 0; });
  const auto ms = [](const Summary& of, double value) {
    return of.n ? fmt::format("{:.3f}", value) : "";
  };
  const auto compared = [timed](const BenchRow& row) {
    return timed ? row.gpu.median : double(row.memoryBytes);
  };
  const auto inPaper = [timed](const BenchRow& row) {
    return paperNumberIn(timed ? "ms" : "MiB", row);
  };
  std::vector<TextColumn> columns;
  const auto add = [&](const std::string& heading, const auto& cell) {
    columns.push_back(columnOf(heading, rows, cell));
  };
  add("", [](const BenchRow& row) { return row.label; });
  add("GPU ms", [&](const BenchRow& row) { return ms(row.gpu, row.gpu.median); });
  add("p10", [&](const BenchRow& row) { return ms(row.gpu, row.gpu.p10); });
  add("p90", [&](const BenchRow& row) { return ms(row.gpu, row.gpu.p90); });
  add("wall ms", [&](const BenchRow& row) { return ms(row.wall, row.wall.median); });
  add(rows[0]->unit + "/s", [](const BenchRow& row) {
    const double time = row.time().median;
    return time > 0 && row.work > 0 ? metricText(row.work / (time * 1e-3)) : "";
  });
  if (rows.size() > 1) columns.push_back(ratioColumn("x best", rows, compared));
  add(timed ? "paper ms" : "paper MiB", [&](const BenchRow& row) {
    return inPaper(row) > 0 ? fmt::format("{:.1f}", inPaper(row)) : "";
  });
  columns.push_back(ratioColumn("paper x", rows, inPaper));
  add("MiB",
      [](const BenchRow& row) { return fmt::format("{:.1f}", double(row.memoryBytes) / kMiB); });
  add("of copy", [](const BenchRow& row) {
    return row.ofCopyBandwidth > 0 ? fmt::format("{:.2f}", row.ofCopyBandwidth) : "";
  });
  addValueColumns(rows, columns);
  add("checked", [](const BenchRow& row) { return row.checked; });
  return layOut(std::move(columns));
}

std::string headingOf(const BenchRow& row) {
  std::string text = fmt::format("{}, {}", row.bench, row.workload);
  if (row.size.x > 0) text += fmt::format(", {}x{}", row.size.x, row.size.y);
  if (row.work > 0) text += fmt::format(", {}{}", metricText(row.work), row.unit);
  if (row.wall.n) text += fmt::format(", n = {}", row.wall.n);
  return text + "\n";
}

}  // namespace

std::string textTables(const std::vector<BenchRow>& rows) {
  std::string text;
  for (std::size_t first = 0; first < rows.size();) {
    const BenchRow& head = rows[first];
    RowGroup group;
    for (; first < rows.size() && rows[first].bench == head.bench &&
           rows[first].workload == head.workload;
         ++first)
      group.push_back(&rows[first]);
    if (!text.empty()) text += '\n';
    text += headingOf(head) + tableOf(group);
  }
  return text;
}

std::string csv(const BenchFile& file) {
  std::string text =
      "bench,workload,label,width,height,settings,unit,work,bytes,gpu_ms_median,gpu_ms_p10,"
      "gpu_ms_p90,n,wall_ms_median,memory_bytes,checked,of_copy_bandwidth,renderer,date\n";
  const auto quoted = [](std::string cell) {
    for (std::size_t at = 0; (at = cell.find('"', at)) != std::string::npos; at += 2)
      cell.insert(at, 1, '"');
    return "\"" + cell + "\"";
  };
  for (const BenchRow& row : file.rows)
    text += fmt::format("{},{},{},{},{},{},{},{:.0f},{},{},{},{},{},{},{},{},{},{},{}\n", row.bench,
                        quoted(row.workload), quoted(row.label), row.size.x, row.size.y,
                        quoted(row.settingsText()), row.unit, row.work, row.bytes, row.gpu.median,
                        row.gpu.p10, row.gpu.p90, row.gpu.n, row.wall.median, row.memoryBytes,
                        quoted(row.checked), row.ofCopyBandwidth,
                        quoted(file.machine.device.renderer), file.machine.date);
  return text;
}

std::string dateOfToday() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

Machine thisMachine(DeviceFacts device) {
  return {std::move(device), system::processorName(),
          system::distribution() + ", " + system::name(), dateOfToday()};
}

}  // namespace fathom::bench
