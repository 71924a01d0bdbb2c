// SPDX-License-Identifier: BSD-3-Clause
// Small pieces of a page: text made safe, numbers made short, the files that are embedded.
#pragma once

#include <string>
#include <string_view>

namespace fathom::bench {

/// Text for between tags and inside quoted attributes. Bytes that are not UTF-8 or not allowed in
/// documents become U+FFFD.
std::string escaped(std::string_view text);

/// Three significant digits: "0.0125", "12.5", "1250", "3.1e-06"; an en dash for NaN.
std::string shortNumber(double value);
/// A number of a paper, as printed where that is short: "1.8", "5578".
std::string printedNumber(double value);
/// "1.53 G", for work and throughput.
std::string metricNumber(double value);
/// A value that pages sort by, with all its digits.
std::string exactNumber(double value);

// Written at build time (third_party/cmake/embed_file.cmake).
extern const std::string_view kPageCss, kPageJs, kChartJs, kChartLicense;

}  // namespace fathom::bench
