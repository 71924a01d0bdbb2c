// SPDX-License-Identifier: BSD-3-Clause
// mpirun -n N fathom flame animate: ranks share the frames that are missing, and each has the bytes
// that one process gives it.
#include "tests/support/program.h"

#include <unistd.h>

namespace fathom::flame {
namespace {

constexpr int kFrames = 5;

/// Two keyframes, five frames apart.
std::string film() {
  std::string text = "<flames>";
  for (const int time : {0, kFrames})
    text += "<flame name='k' time='" + std::to_string(time) +
            "' size='48 32' center='0.4 0.4' scale='20' quality='4' temporal_samples='4' "
            "estimator_radius='0' palette='1'>"
            "<xform weight='1' color='0' linear='1' coefs='0.5 0 0 0.5 0 0'/>"
            "<xform weight='1' color='1' linear='1' coefs='0.5 0 0 0.5 0." +
            std::to_string(3 + time) + " 0'/></flame>";
  return text + "</flames>";
}

class FlameRanks : public testing::Test {
 protected:
  std::vector<std::string> animate(const std::string& to) const {
    return {"flame", "animate", film_, "--json", to + ".json", "-o", to + ".%02d.png"};
  }
  static Outcome mpirun(int ranks, const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {FATHOM_MPIRUN, "--oversubscribe", "--bind-to", "none",
                                        "-q"};
    if (geteuid() == 0) command.push_back("--allow-run-as-root");
    command.insert(command.end(), {"-n", std::to_string(ranks), FATHOM_PROGRAM});
    command.insert(command.end(), arguments.begin(), arguments.end());
    return fathom::test::runProgram(command);
  }
  static std::string frame(const std::string& of, int number) {
    return of + ".0" + std::to_string(number) + ".png";
  }
  static bool says(const std::string& to, const std::string& fact) {
    return readText(to + ".json").find(fact) != std::string::npos;
  }

  TempFolder folder_;
  std::string film_ = folder_.write("film.flame", film()).string();
};

TEST_F(FlameRanks, ShareTheFramesGoOnWhereTheyStoppedAndKeepTheBytes) {
  const std::string alone = folder_.file("alone"), shared = folder_.file("shared");
  Outcome outcome = runFathom(animate(alone));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  outcome = mpirun(3, animate(shared));  // two, two and one
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(shared, "\"ranks\": 3"));
  EXPECT_TRUE(says(shared, "\"frames\": 5"));
  for (int i = 0; i < kFrames; ++i)
    EXPECT_EQ(readText(frame(shared, i)), readText(frame(alone, i))) << i;

  // One was lost, one is not of this film: the first is drawn again, the other is kept.
  std::filesystem::remove(frame(shared, 1));
  std::filesystem::copy_file(frame(alone, 0), frame(shared, 3),
                             std::filesystem::copy_options::overwrite_existing);
  outcome = mpirun(2, animate(shared));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(shared, "\"kept\": 4")) << readText(shared + ".json");
  EXPECT_EQ(readText(frame(shared, 1)), readText(frame(alone, 1)));
  EXPECT_EQ(readText(frame(shared, 3)), readText(frame(alone, 0)));
}

/// A rank that cannot write ends all of them, with one line.
TEST_F(FlameRanks, AFolderThatIsNotThereIsOneLine) {
  const Outcome outcome = mpirun(2, animate(folder_.file("no/where/f")));
  EXPECT_NE(outcome.code, 0);
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = outcome.err.find("fathom: ", at)) != std::string::npos; ++at)
    ++lines;
  EXPECT_EQ(lines, 1u) << outcome.err;
}

}  // namespace
}  // namespace fathom::flame
