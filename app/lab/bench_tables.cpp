// SPDX-License-Identifier: BSD-3-Clause
// What `fathom bench` prints, and its CSV.
#include "app/lab/bench_tables.h"

namespace fathom::bench {
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
    return std::all_of(column.cells.begin(), column.cells.end(),
                       [](const std::string& cell) { return cell.empty(); });
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
      const auto value = std::find_if(row.values.begin(), row.values.end(),
                                      [&](const auto& other) { return other.first == wanted; });
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
    text += (text.empty() ? "" : "\n") + headingOf(head) + tableOf(group);
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

}  // namespace fathom::bench
