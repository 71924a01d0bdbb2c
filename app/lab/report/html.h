// SPDX-License-Identifier: BSD-3-Clause
// The small pieces that a page consists of: escaped text, short numbers, cells of tables that can
// be sorted, and the files embedded in the program.
#pragma once

#include <string>
#include <string_view>

namespace fathom::bench {

/// Text for use between tags and inside quoted attributes. Bytes that are not UTF-8 or not allowed
/// in documents become U+FFFD.
std::string escaped(std::string_view text);

/// Three significant digits: "0.0125", "12.5", "1250", "3.1e-06"; an en dash for NaN.
std::string shortNumber(double value);
/// A number of a paper, exactly as printed where that is short: "1.8", "5578".
std::string printedNumber(double value);
/// "1.53 G", for work and throughput.
std::string metricNumber(double value);
/// A value that tables are sorted by, with all its digits; empty for NaN.
std::string exactNumber(double value);

/// A heading that sorts its column when clicked; class "n" aligns right.
std::string headingCell(const std::string& text, const char* classes = "");
/// A cell that shows `html` and is sorted by `value`.
std::string numberCell(double value, const std::string& html);
std::string textCell(const std::string& text);
/// A table of these rows below its caption; it scrolls within itself where the screen is narrow.
std::string sortableTable(const std::string& caption, const std::string& head,
                          const std::string& body);

// Written at build time (third_party/cmake/embed_file.cmake).
extern const std::string_view kPageCss, kPageJs, kChartJs, kChartLicense;

}  // namespace fathom::bench
