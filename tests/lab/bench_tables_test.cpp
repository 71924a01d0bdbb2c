// SPDX-License-Identifier: BSD-3-Clause
// Rows as text: tables with ratios, CSV with quotes.
#include "app/lab/bench_tables.h"

#include <gmock/gmock.h>

namespace fathom::bench {
namespace {

using testing::HasSubstr;
using testing::Not;

BenchRow rowNamed(const std::string& label, double ms) {
  BenchRow row;
  row.bench = "test.bench", row.unit = "fragments";
  row.workload = "words", row.label = label;
  row.work = 1000;
  row.gpu = {ms, ms, ms, 5};
  return row;
}

TEST(Tables, SetRowsAgainstTheFastestAndThePaper) {
  BenchRow slow = rowNamed("LL-S", 6), fast = rowNamed("BIA-RBM", 2);
  slow.paper = {{"Archer 2018, table 1", "Hairball", "LL-S", "ms", 6, 36.2}};
  fast.paper = {{"Archer 2018, table 1", "Hairball", "BIA-RBM", "ms", 2, 5.9}};
  const std::string text = textTables({slow, fast});
  EXPECT_THAT(text, HasSubstr("test.bench, words"));
  EXPECT_THAT(text, HasSubstr("3.00"));  // 6 / 2
  EXPECT_THAT(text, HasSubstr("6.14"));  // 36.2 / 5.9
}

TEST(Tables, LeaveOutColumnsWithoutContent) {
  const std::string text = textTables({rowNamed("a", 6)});
  for (const char* heading : {"x best", "paper", "wall ms", "of copy"})
    EXPECT_THAT(text, Not(HasSubstr(heading)));
}

TEST(Csv, QuotesTexts) {
  BenchFile file;
  file.rows = {rowNamed("a \"b\", c", 2)};
  file.rows[0].settings = {{"layout", "bia"}, {"early", "on"}};
  EXPECT_THAT(csv(file), HasSubstr("\ntest.bench,\"words\",\"a \"\"b\"\", c\",0,0,"
                                   "\"layout=bia early=on\",fragments,1000,0,2,2,2,5,0,0,"));
}

}  // namespace
}  // namespace fathom::bench
