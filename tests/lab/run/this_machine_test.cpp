// SPDX-License-Identifier: BSD-3-Clause
// Clock rates from synthetic texts, and from a synthetic /proc and /sys.
#include "app/lab/machine.h"

#include "app/system/process.h"
#include "tests/support/temp_folder.h"

namespace fathom::bench {
namespace {

using std::chrono::milliseconds;

const DeviceFacts kAmd{"AMD", "AMD Radeon RX 6700 (navi22)", "4.6", false};
const DeviceFacts kIntel{"Intel", "Mesa Intel(R) UHD Graphics 620", "4.6", false};

TEST(Clocks, OfTheProcessorAreThoseOfItsFastestCore) {
  EXPECT_EQ(
      processorMhz("processor\t: 0\ncpu MHz\t\t: 1200.5\nprocessor\t: 1\ncpu MHz\t\t: 3400.25\n"),
      3400.25);
  EXPECT_EQ(processorMhz("processor\t: 0\nBogoMIPS\t: 48.00\n"), 0);
  EXPECT_EQ(processorMhz(""), 0);
}

TEST(Clocks, OfAmdgpuBearAStar) {
  const ClockRate rate = amdClock("0: 500Mhz \n1: 1840Mhz *\n2: 2725Mhz \n");
  EXPECT_EQ(rate.seen, 1840);
  EXPECT_EQ(rate.max, 2725);
  const ClockRate asleep = amdClock("S: 19Mhz *\n0: 615Mhz\n1: 3165Mhz\n");
  EXPECT_EQ(asleep.seen, 19);
  EXPECT_EQ(asleep.max, 3165);
  EXPECT_EQ(amdClock("no table\n").max, 0);
}

TEST(Clocks, OfNvidiaComeInColumns) {
  const auto one = nvidiaClocks("NVIDIA H100 80GB HBM3, 1980, 2619, 1980, 2619\n", "llvmpipe");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->gpu.seen, 1980);
  EXPECT_EQ(one->gpuMemory.max, 2619);
  const auto unknown = nvidiaClocks("Card, 300, [N/A], 1980, [N/A]\n", "Card/PCIe/SSE2");
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->gpu.seen, 300);
  EXPECT_EQ(unknown->gpuMemory.max, 0);
}

TEST(Clocks, OfSeveralNvidiaCardsAreThoseOfTheOneThatDraws) {
  const std::string two = "First, 300, 405, 2100, 7001\nSecond, 1500, 810, 1800, 5001\n";
  EXPECT_EQ(nvidiaClocks(two, "Second/PCIe/SSE2")->gpu.seen, 1500);
  EXPECT_FALSE(nvidiaClocks(two, "Third/PCIe/SSE2"));
  const std::string twins = "Card, 300, 405, 2100, 7001\nCard, 1500, 810, 2100, 7001\n";
  EXPECT_EQ(nvidiaClocks(twins, "Card/PCIe/SSE2")->gpu.seen, 1500);
}

TEST(Clocks, OfNvidiaAreUnknownInWhatIsNoTable) {
  EXPECT_FALSE(nvidiaClocks("", "Card"));
  EXPECT_FALSE(
      nvidiaClocks("NVIDIA-SMI has failed because it could not reach the driver.\n", "Card"));
  EXPECT_FALSE(nvidiaClocks("Card, 1, 2, 3\n, 1, 2, 3, 4\n", "Card"));
}

TEST(Clocks, AreReadFromTheSystemsFiles) {
  const test::TempFolder root;
  root.write("proc/cpuinfo", "cpu MHz\t\t: 1100.0\n");
  root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2400000\n");
  root.write("sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "4700000\n");
  root.write("sys/class/drm/card0/device/vendor", "0x8086\n");
  root.write("sys/class/drm/card0/gt_act_freq_mhz", "0\n");
  root.write("sys/class/drm/card0/gt_cur_freq_mhz", "350\n");
  root.write("sys/class/drm/card0/gt_max_freq_mhz", "1150\n");
  root.write("sys/class/drm/card1/device/vendor", "0x1002\n");
  root.write("sys/class/drm/card1/device/pp_dpm_sclk", "0: 500Mhz\n1: 2725Mhz *\n");
  root.write("sys/class/drm/card1/device/pp_dpm_mclk", "0: 96Mhz *\n1: 1000Mhz\n");
  root.write("sys/class/drm/card1-DP-1/device/vendor", "0x1002\n");
  EXPECT_EQ(readClocks(kAmd, root.path()).text(),
            "processor 2400 of 4700 MHz; GPU 2725 of 2725 MHz; GPU memory 96 of 1000 MHz");
  EXPECT_EQ(readClocks(kIntel, root.path()).text(),
            "processor 2400 of 4700 MHz; GPU 350 of 1150 MHz");
  EXPECT_EQ(readClocks({"Mesa", "llvmpipe", "4.5", true}, root.path()).gpu.max, 0);
}

TEST(Clocks, OfTwoCardsOfOneMakerAreLeftOpen) {
  const test::TempFolder root;
  for (const char* card : {"card0", "card1"}) {
    root.write(fmt::format("sys/class/drm/{}/device/vendor", card), "0x1002\n");
    root.write(fmt::format("sys/class/drm/{}/device/pp_dpm_sclk", card), "0: 500Mhz *\n");
  }
  EXPECT_EQ(readClocks(kAmd, root.path()).text(), "");
}

TEST(Clocks, KeepTheHighestThatWasSeen) {
  Clocks clocks{{2000, 0}, {300, 1980}, {}};
  clocks.merge({{1800, 0}, {1950, 1980}, {0, 2619}});
  EXPECT_EQ(clocks.text(), "processor 2000 MHz; GPU 1950 of 1980 MHz; GPU memory up to 2619 MHz");
}

TEST(ProgramOutput, IsEmptyWhereAProgramIsMissingFailsOrHangs) {
  EXPECT_EQ(system::outputOf({"sh", "-c", "echo 1, 2"}, milliseconds(5000)), "1, 2\n");
  EXPECT_EQ(system::outputOf({"no-such-program-anywhere"}, milliseconds(5000)), "");
  EXPECT_EQ(system::outputOf({"sh", "-c", "echo 1; exit 9"}, milliseconds(5000)), "");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(system::outputOf({"sh", "-c", "echo 1; exec sleep 60"}, milliseconds(100)), "");
  EXPECT_EQ(system::outputOf({"sh", "-c", "exec >&-; exec sleep 60"}, milliseconds(100)), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace fathom::bench
