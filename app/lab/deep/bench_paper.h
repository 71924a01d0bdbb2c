// SPDX-License-Identifier: BSD-3-Clause
// What Archer's tables print, and which of their cells our cases belong to.
#pragma once

#include "app/engine/deep/settings/settings.h"
#include "app/lab/paper_table.h"

namespace fathom::deep {

inline constexpr const char* kTable1 = "Archer 2018, table 1";
inline constexpr const char* kTable2 = "Archer 2018, table 2";
inline constexpr const char* kTable3 = "Archer 2018, table 3";
inline constexpr const char* kTable4 = "Archer 2018, table 4";

PaperTable table1();
PaperTable table2();
PaperTable table3();
PaperTable table4();

/// The cell of tables 1 to 3; none for variants that the paper does not time.
std::vector<PaperCell> cellOf(const char* table, const std::string& scene,
                              const Settings& settings);
/// The cell of table 4.
std::vector<PaperCell> memoryCellOf(const std::string& scene, Layout layout);

/// "LL", "LA", "IA", "BIA", "RIA", "ABIA".
const char* shortName(Layout layout);

}  // namespace fathom::deep
