// SPDX-License-Identifier: BSD-3-Clause
// Tables, bench files, CSV.
#include "app/bench/bench_report.h"

#include "app/bench/catalog.h"
#include "app/bench/commit.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace fathom::bench {
namespace {

using Json = nlohmann::ordered_json;

Json summaryJson(const Summary& summary) {
  if (summary.n == 0) return nullptr;
  return {{"median", summary.median}, {"p10", summary.p10}, {"p90", summary.p90}, {"n", summary.n},
          {"min", summary.least},     {"p25", summary.p25}, {"p75", summary.p75}};
}

/// Times to a tenth of a microsecond: clocks tell no more.
Json timesJson(const std::vector<double>& ms) {
  Json times = Json::array();
  for (const double time : ms) times.push_back(std::round(time * 1e4) / 1e4);
  return times;
}

/// The trials of each round in their order.
Json roundsJson(const std::vector<RoundTimes>& rounds) {
  Json all = Json::array();
  for (const RoundTimes& round : rounds) {
    Json entry = {{"started", std::round(round.started * 1e3) / 1e3}};
    entry["gpu_ms"] = timesJson(round.gpuMs);
    entry["wall_ms"] = timesJson(round.wallMs);
    entry["cpu_ms"] = timesJson(round.cpuMs);
    if (!round.paceMs.empty()) entry["pace_ms"] = timesJson(round.paceMs);
    all.push_back(std::move(entry));
  }
  return all;
}

/// What is unknown is left out.
Json clocksJson(const Clocks& clocks) {
  Json all = Json::object();
  const auto add = [&](const char* name, const ClockRate& rate) {
    if (rate.seen > 0) all[name]["seen"] = rate.seen;
    if (rate.most > 0) all[name]["max"] = rate.most;
  };
  add("cpu", clocks.processor);
  add("gpu", clocks.gpu);
  add("gpu_memory", clocks.gpuMemory);
  return all;
}

/// The cells of the papers' tables that a result stands beside. JSON has no NaN: what the paper
/// does not print is left out.
Json paperJson(const Result& result) {
  Json cells = Json::array();
  for (const PaperCell& cell : result.benchCase.paper) {
    const PaperTable* table = paperTableNamed(cell.table);
    if (!table) continue;
    const double ours = valueIn(*table, cell, result), theirs = table->at(cell.row, cell.column);
    if (std::isnan(ours)) continue;
    Json entry = {{"table", cell.table}, {"row", cell.row}, {"column", cell.column}};
    if (!table->unit.empty()) entry["unit"] = table->unit;
    entry["ours"] = ours;
    if (!std::isnan(theirs)) entry["paper"] = theirs;
    cells.push_back(std::move(entry));
  }
  return cells;
}

/// The paper's number for a row of the printed tables: a time in ms, or bytes in MiB; 0 for none.
double paperNumber(const Result& result, const std::string& unit) {
  for (const PaperCell& cell : result.benchCase.paper) {
    const PaperTable* table = paperTableNamed(cell.table);
    const double theirs = table ? table->at(cell.row, cell.column) : kNotPrinted;
    if (std::isnan(theirs) || !cell.value.empty()) continue;
    if (table->unit == unit) return theirs;
    if (unit == "ms" && table->unit == "s") return 1e3 * theirs;
    if (unit == "ms" && table->unit == "us") return 1e-3 * theirs;
  }
  return 0;
}

std::string settingsText(const std::vector<FieldValue>& settings) {
  std::string text;
  for (const FieldValue& value : settings)
    text += (text.empty() ? "" : " ") + value.name + "=" + value.text;
  return text;
}

std::string sizeText(glm::ivec2 size) {
  return size.x > 0 ? fmt::format("{}x{}", size.x, size.y) : "";
}

/// "1.53 G", for work and throughput.
std::string metric(double value) {
  if (value >= 1e9) return fmt::format("{:.2f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.2f} M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.2f} k", value / 1e3);
  return fmt::format("{:.0f} ", value);
}

struct Column {
  std::string heading;
  std::vector<std::string> cells;
};

/// Left-aligned first column, the others right-aligned; columns without any cell text are left out.
std::string layOut(std::vector<Column> columns) {
  std::erase_if(columns, [](const Column& column) {
    return std::all_of(column.cells.begin(), column.cells.end(),
                       [](const std::string& cell) { return cell.empty(); });
  });
  std::vector<std::size_t> widths;
  for (const Column& column : columns) {
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

/// How many times the smallest positive value of the group; empty for none.
std::string ratio(double value, double best) {
  return value > 0 && best > 0 ? fmt::format("{:.2f}", value / best) : "";
}

double smallest(const std::vector<const Result*>& rows, double (*value)(const Result&)) {
  double best = 0;
  for (const Result* row : rows) {
    const double v = value(*row);
    if (v > 0 && (best == 0 || v < best)) best = v;
  }
  return best;
}

/// Numbers that the checks found out, a column each; more than a few would not be read.
std::vector<Column> valueColumns(const std::vector<const Result*>& rows) {
  constexpr std::size_t most = 3;
  std::vector<Column> columns;
  for (const auto& [name, first] : rows[0]->values) {
    if (rows[0]->values.size() > most) break;
    Column column{name, {}};
    for (const Result* row : rows) {
      const auto value = std::find_if(row->values.begin(), row->values.end(),
                                      [&](const auto& other) { return other.first == name; });
      column.cells.push_back(value == row->values.end() ? ""
                                                        : fmt::format("{:.2f}", value->second));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

std::string table(const std::vector<const Result*>& rows) {
  const auto gpuMs = [](const Result& r) { return r.gpu.median; };
  const auto paperMs = [](const Result& r) { return paperNumber(r, "ms"); };
  const auto memory = [](const Result& r) { return double(r.memoryBytes); };
  const auto paperMib = [](const Result& r) { return paperNumber(r, "MiB"); };
  const bool timed = std::any_of(rows.begin(), rows.end(), [](const Result* row) {
    return row->gpu.n > 0 || row->wall.n > 0;
  });
  const double best = timed ? smallest(rows, gpuMs) : smallest(rows, memory);
  const double paperBest = timed ? smallest(rows, paperMs) : smallest(rows, paperMib);

  Column label{"", {}}, median{"GPU ms", {}}, p10{"p10", {}}, p90{"p90", {}}, wall{"wall ms", {}},
      rate{rows[0]->unit + "/s", {}}, times{"x best", {}},
      paper{timed ? "paper ms" : "paper MiB", {}}, paperTimes{"paper x", {}}, mib{"MiB", {}},
      share{"of copy", {}}, checked{"checked", {}};
  for (const Result* row : rows) {
    label.cells.push_back(row->benchCase.label);
    const auto ms = [](const Summary& of, double value) {
      return of.n ? fmt::format("{:.3f}", value) : "";
    };
    median.cells.push_back(ms(row->gpu, row->gpu.median));
    p10.cells.push_back(ms(row->gpu, row->gpu.p10));
    p90.cells.push_back(ms(row->gpu, row->gpu.p90));
    wall.cells.push_back(ms(row->wall, row->wall.median));
    const double time = row->gpu.n ? row->gpu.median : row->wall.median;
    rate.cells.push_back(
        time > 0 && row->benchCase.work > 0 ? metric(row->benchCase.work / (time * 1e-3)) : "");
    times.cells.push_back(rows.size() < 2 ? "" : ratio(timed ? gpuMs(*row) : memory(*row), best));
    const double paperValue = timed ? paperMs(*row) : paperMib(*row);
    paper.cells.push_back(paperValue > 0 ? fmt::format("{:.1f}", paperValue) : "");
    paperTimes.cells.push_back(ratio(paperValue, paperBest));
    mib.cells.push_back(fmt::format("{:.1f}", double(row->memoryBytes) / 1048576.0));
    share.cells.push_back(row->ofCopyBandwidth > 0 ? fmt::format("{:.2f}", row->ofCopyBandwidth)
                                                   : "");
    checked.cells.push_back(row->checked);
  }
  std::vector<Column> columns{label, median, p10,        p90, wall,  rate,
                              times, paper,  paperTimes, mib, share, checked};
  const std::vector<Column> found = valueColumns(rows);
  columns.insert(columns.end() - 1, found.begin(), found.end());
  return layOut(std::move(columns));
}

}  // namespace

double valueIn(const PaperTable& table, const PaperCell& cell, const Result& result) {
  if (!cell.value.empty()) {
    for (const auto& [name, value] : result.values)
      if (name == cell.value) return value;
    return kNotPrinted;
  }
  const BenchCase& c = result.benchCase;
  const std::string& unit = table.unit;
  if (unit == "MiB") return double(result.memoryBytes) / 1048576.0;
  const double ms = result.gpu.n ? result.gpu.median : result.wall.median;
  const double pixels = double(c.size.x) * c.size.y;
  // A column that has a unit of its own names a value; its neighbors are times.
  if (unit == "ms" || unit.empty()) return ms > 0 ? ms : kNotPrinted;
  if (unit == "s") return ms > 0 ? 1e-3 * ms : kNotPrinted;
  if (unit == "us") return ms > 0 ? 1e3 * ms : kNotPrinted;
  if (unit == "us/pixel") return ms > 0 && pixels > 0 ? 1e3 * ms / pixels : kNotPrinted;
  if (unit.size() > 2 && unit.compare(unit.size() - 2, 2, "/s") == 0 && ms > 0)
    return c.work / (ms * 1e-3) * (unit.compare(0, 2, "M ") == 0 ? 1e-6 : 1);
  return kNotPrinted;
}

std::string tables(const std::vector<Result>& results) {
  std::string text;
  for (std::size_t first = 0; first < results.size();) {
    const Result& head = results[first];
    std::vector<const Result*> rows;
    for (; first < results.size() && results[first].bench == head.bench &&
           results[first].benchCase.workload == head.benchCase.workload;
         ++first)
      rows.push_back(&results[first]);
    const std::string size = sizeText(head.benchCase.size);
    text += fmt::format("{}{}, {}{}{}{}{}\n", text.empty() ? "" : "\n", head.bench,
                        head.benchCase.workload, size.empty() ? "" : ", ", size,
                        head.benchCase.work > 0
                            ? fmt::format(", {}{}", metric(head.benchCase.work), head.unit)
                            : "",
                        head.wall.n ? fmt::format(", n = {}", head.wall.n) : "") +
            table(rows);
  }
  return text;
}

std::string benchFile(const Machine& machine, const std::vector<Result>& results) {
  Json root;
  root["schema"] = "fathom.bench/1";
  root["device"] = {{"vendor", machine.device.vendor},
                    {"renderer", machine.device.renderer},
                    {"version", machine.device.version},
                    {"software", machine.device.software}};
  root["cpu"] = machine.cpu;
  if (Json clocks = clocksJson(machine.clocks); !clocks.empty())
    root["clocks_mhz"] = std::move(clocks);
  root["os"] = machine.os;
  root["date"] = machine.date;
  root["fathom"] = FATHOM_VERSION;
  if (*kCommit) root["commit"] = kCommit;
  if (!machine.scale.empty()) root["scale"] = machine.scale;
  if (machine.rounds > 1) root["rounds"] = machine.rounds;
  root["trials"] = Json::array();
  for (const Result& result : results) {
    const BenchCase& c = result.benchCase;
    Json trial;
    trial["bench"] = result.bench;
    trial["workload"] = c.workload;
    trial["label"] = c.label;
    trial["size"] = nullptr;
    if (c.size.x > 0) trial["size"] = {c.size.x, c.size.y};
    trial["settings"] = Json::parse(settingsJson(c.settings));
    trial["unit"] = result.unit;
    trial["work"] = c.work;
    trial["bytes"] = c.bytes;
    trial["gpu_ms"] = summaryJson(result.gpu);
    trial["wall_ms"] = summaryJson(result.wall);
    trial["cpu_ms"] = summaryJson(result.cpu);
    if (result.pace.n > 0) trial["pace_ms"] = summaryJson(result.pace);
    if (machine.keepsRounds) trial["rounds"] = roundsJson(result.rounds);
    if (!result.timesDisagree.empty()) trial["times_disagree"] = result.timesDisagree;
    trial["memory_bytes"] = result.memoryBytes;
    trial["checked"] = result.checked;
    trial["of_copy_bandwidth"] = nullptr;
    if (result.ofCopyBandwidth > 0) trial["of_copy_bandwidth"] = result.ofCopyBandwidth;
    if (!result.values.empty()) {
      trial["values"] = Json::object();
      for (const auto& [name, value] : result.values) trial["values"][name] = value;
    }
    if (Json cells = paperJson(result); !cells.empty()) trial["paper"] = std::move(cells);
    root["trials"].push_back(std::move(trial));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string csv(const Machine& machine, const std::vector<Result>& results) {
  std::string text =
      "bench,workload,label,width,height,settings,unit,work,bytes,gpu_ms_median,gpu_ms_p10,"
      "gpu_ms_p90,n,wall_ms_median,memory_bytes,checked,of_copy_bandwidth,renderer,date\n";
  const auto quoted = [](std::string cell) {
    for (std::size_t at = 0; (at = cell.find('"', at)) != std::string::npos; at += 2)
      cell.insert(at, 1, '"');
    return "\"" + cell + "\"";
  };
  for (const Result& result : results) {
    const BenchCase& c = result.benchCase;
    text += fmt::format("{},{},{},{},{},{},{},{:.0f},{},{},{},{},{},{},{},{},{},{},{}\n",
                        result.bench, quoted(c.workload), quoted(c.label), c.size.x, c.size.y,
                        quoted(settingsText(c.settings)), result.unit, c.work, c.bytes,
                        result.gpu.median, result.gpu.p10, result.gpu.p90, result.gpu.n,
                        result.wall.median, result.memoryBytes, quoted(result.checked),
                        result.ofCopyBandwidth, quoted(machine.device.renderer), machine.date);
  }
  return text;
}

}  // namespace fathom::bench
