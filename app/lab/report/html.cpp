// SPDX-License-Identifier: BSD-3-Clause
// Escaping, numbers, cells. page.js sorts tables by the data-v of their cells.
#include "app/lab/report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace fathom::bench {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

/// The length of the UTF-8 sequence that begins here; 0 when it is none.
std::size_t sequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return std::uint8_t(text[i]); };
  const std::uint8_t first = byte(0);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xC2 && first <= 0xDF ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates, beyond U+10FFFF, and U+FFFE and U+FFFF, which XML does not allow.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    const char c = text[0];
    if (length == 0 || (length == 1 && std::uint8_t(c) < 0x20 && c != '\n' && c != '\t') ||
        c == 0x7F)
      safe += kReplacement;
    else if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return safe;
}

std::string shortNumber(double value) {
  if (std::isnan(value)) return "\xE2\x80\x93";
  const double size = std::abs(value);
  if (size < 1e7 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  if (size < 1e-4 || size >= 1e7) return fmt::format("{:.2e}", value);
  const int digits = std::max(0, 2 - int(std::floor(std::log10(size))));
  return fmt::format("{:.{}f}", value, digits);
}

std::string printedNumber(double value) {
  const std::string exact = fmt::format("{}", value);
  return std::isfinite(value) && exact.size() <= 7 ? exact : shortNumber(value);
}

std::string metricNumber(double value) {
  if (value >= 1e9) return fmt::format("{:.2f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.2f} M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.2f} k", value / 1e3);
  return fmt::format("{:.3g} ", value);
}

std::string exactNumber(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string headingCell(const std::string& text, const char* classes) {
  return fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                     *classes ? fmt::format(" class=\"{}\"", classes) : "", escaped(text));
}

std::string numberCell(double value, const std::string& html) {
  return fmt::format("<td class=\"n\" data-v=\"{}\">{}</td>", exactNumber(value), html);
}

std::string textCell(const std::string& text) { return "<td>" + escaped(text) + "</td>"; }

std::string sortableTable(const std::string& caption, const std::string& head,
                          const std::string& body) {
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"sortable\"><caption>{}</caption>\n"
      "<thead>{}</thead>\n<tbody>\n{}</tbody></table></div>\n",
      escaped(caption), head, body);
}

}  // namespace fathom::bench
