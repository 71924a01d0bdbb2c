// SPDX-License-Identifier: BSD-3-Clause
// How times of trials are summarized, and rows identified and set beside the papers' numbers.
#include "app/lab/bench_row.h"

#include "app/engine/core/text.h"
#include "app/engine/io/json.h"

namespace fathom::bench {

double percentile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = p * double(values.size() - 1);
  const std::size_t low = std::size_t(std::floor(at));
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (at - double(low));
}

Summary summarize(const std::vector<double>& values) {
  return {percentile(values, 0.5), percentile(values, 0.1), percentile(values, 0.9),
          int(values.size()),      percentile(values, 0),   percentile(values, 0.25),
          percentile(values, 0.75)};
}

MedianChange medianChange(const std::vector<double>& changes) {
  if (changes.empty()) return {};
  const Summary s = summarize(changes);
  // Of a normal distribution, 80 % lie within 2.563 standard deviations, and the median of n values
  // errs by 1.2533 of what their mean does. Quartiles of 20 values would be too uncertain.
  return {s.median, 1.2533 * (s.p90 - s.p10) / 2.563 / std::sqrt(double(s.n))};
}

TimeRatio ratioOf(const std::vector<double>& times, const std::vector<double>& baseline) {
  std::vector<double> changes;
  for (std::size_t i = 0; i < std::min(times.size(), baseline.size()); ++i)
    if (times[i] > 0 && baseline[i] > 0) changes.push_back(std::log(times[i] / baseline[i]));
  const MedianChange change = medianChange(changes);
  return {std::exp(change.median), change.noise};
}

namespace {

std::string joinedSettings(const std::vector<FieldValue>& settings) {
  return joined(settings, " ", [](const FieldValue& setting) {
    return fmt::format("{}={}", setting.name, setting.text);
  });
}

/// Sorted by name, and whole numbers as JSON writes them: as they come back from a file. Empty ones
/// are as if they were not there, as in files of programs that did not have them.
std::vector<FieldValue> asInFiles(std::vector<FieldValue> settings) {
  std::erase_if(settings, [](const FieldValue& setting) { return setting.text.empty(); });
  std::ranges::sort(settings, {}, &FieldValue::name);
  for (FieldValue& setting : settings)
    if (const auto whole = numberIn<std::int64_t>(setting.text))
      setting.text = std::to_string(*whole);
  return settings;
}

double namedValue(const BenchRow& row, const std::string& name) {
  for (const auto& [known, value] : row.values)
    if (known == name) return value;
  return kNotPrinted;
}

/// What a row has to show in a cell of this unit: a time, "MiB", or work per second.
double numberInUnit(const BenchRow& row, const std::string& unit) {
  if (unit == "MiB") return double(row.memoryBytes) / 1048576.0;
  const double ms = row.time().median, pixels = double(row.size.x) * row.size.y;
  if (!(ms > 0)) return kNotPrinted;
  // A column that has a unit of its own names a value; its neighbors are times.
  if (unit == "ms" || unit.empty()) return ms;
  if (unit == "s") return 1e-3 * ms;
  if (unit == "us") return 1e3 * ms;
  if (unit == "us/pixel") return pixels > 0 ? 1e3 * ms / pixels : kNotPrinted;
  if (unit.size() > 2 && unit.ends_with("/s"))
    return row.work / (ms * 1e-3) * (unit.starts_with("M ") ? 1e-6 : 1);
  return kNotPrinted;
}

PaperTable tableOf(const OrderedJson& json) {
  PaperTable table{json.at("name"), json.at("bench"), json.value("unit", ""), {}, {}};
  for (const OrderedJson& column : json.value("columns", OrderedJson::array()))
    table.columns.push_back(column);
  const OrderedJson rows = json.value("rows", OrderedJson::object());
  for (const auto& [name, values] : rows.items()) {
    PaperTable::Row& row = table.rows.emplace_back(PaperTable::Row{name, {}});
    for (const OrderedJson& value : values)
      row.values.push_back(value.is_null() ? kNotPrinted : value.get<double>());
  }
  return table;
}

}  // namespace

std::string BenchRow::settingsText() const { return joinedSettings(settings); }

std::string BenchRow::key() const {
  const std::string differing = joinedSettings(asInFiles(settings));
  return fmt::format("{}, {}, {}{}{}{}{}", bench, workload, label, size.x ? ", " : "", sizeText(),
                     differing.empty() ? "" : ", ", differing);
}

const std::vector<PaperTable>& paperTables() {
  static const std::vector<PaperTable> tables = [] {
    std::vector<PaperTable> all;
    for (const OrderedJson& json : OrderedJson::parse(kPapersJson)) all.push_back(tableOf(json));
    return all;
  }();
  return tables;
}

const PaperTable* paperTableNamed(const std::string& name) {
  const auto at = std::ranges::find(paperTables(), name, &PaperTable::name);
  return at == paperTables().end() ? nullptr : &*at;
}

void summarizeRounds(BenchRow& row) {
  const auto pooled = [&](std::vector<double> RoundTimes::*times) {
    std::vector<double> all;
    for (const RoundTimes& round : row.rounds)
      all.insert(all.end(), (round.*times).begin(), (round.*times).end());
    return all;
  };
  // Trials without a pass ran on the CPU: only their wall time is meaningful.
  const std::vector<double> gpuMs = pooled(&RoundTimes::gpuMs);
  const bool onCpu = std::all_of(gpuMs.begin(), gpuMs.end(), [](double ms) { return ms == 0; });
  row.gpu = onCpu ? Summary{} : summarize(gpuMs);
  row.wall = summarize(pooled(&RoundTimes::wallMs));
  row.cpu = summarize(pooled(&RoundTimes::cpuMs));
  row.pace = summarize(pooled(&RoundTimes::paceMs));
}

void updatePaperNumbers(BenchRow& row) {
  for (PaperNumber& number : row.paper)
    number.ours =
        number.value.empty() ? numberInUnit(row, number.unit) : namedValue(row, number.value);
}

const BenchRow* RowPartners::take(const std::string& key) {
  const auto at = byKey_.find(key);
  if (at == byKey_.end()) return nullptr;
  const BenchRow* row = at->second.front();
  at->second.erase(at->second.begin());
  if (at->second.empty()) byKey_.erase(at);
  return row;
}

std::vector<std::string> RowPartners::left() const {
  std::vector<std::string> keys;
  for (const auto& [key, rows] : byKey_) keys.insert(keys.end(), rows.size(), key);
  return keys;
}

}  // namespace fathom::bench
