// SPDX-License-Identifier: BSD-3-Clause
// Where Linux and the drivers keep these facts: /proc/cpuinfo and cpufreq, sysfs for amdgpu and
// i915, nvidia-smi.
#include "app/lab/machine.h"

#include "app/system/machine.h"
#include "app/system/process.h"

namespace fathom::bench {

void Clocks::merge(const Clocks& later) {
  for (ClockRate Clocks::*of : {&Clocks::processor, &Clocks::gpu, &Clocks::gpuMemory}) {
    (this->*of).seen = std::max((this->*of).seen, (later.*of).seen);
    (this->*of).max = std::max((this->*of).max, (later.*of).max);
  }
}

std::string Clocks::text() const {
  std::string all;
  const auto add = [&](const char* name, const ClockRate& rate) {
    if (rate.seen <= 0 && rate.max <= 0) return;
    all += fmt::format("{}{} ", all.empty() ? "" : "; ", name);
    if (rate.seen > 0 && rate.max > 0)
      all += fmt::format("{:.0f} of {:.0f} MHz", rate.seen, rate.max);
    else
      all +=
          fmt::format("{}{:.0f} MHz", rate.seen > 0 ? "" : "up to ", std::max(rate.seen, rate.max));
  };
  add("processor", processor);
  add("GPU", gpu);
  add("GPU memory", gpuMemory);
  return all;
}

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kMaxNvidiaWait{2000};

/// The contents of a file; empty where there is none.
std::string contentsOf(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

double numberIn(const fs::path& file) { return std::max(0.0, std::atof(contentsOf(file).c_str())); }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<fs::path> entriesOf(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  return entries;
}

ClockRate processorClock(const fs::path& root) {
  ClockRate rate{processorMhz(contentsOf(root / "proc/cpuinfo")), 0};
  for (const fs::path& core : entriesOf(root / "sys/devices/system/cpu")) {
    const double kHz = 1e-3;  // to MHz
    rate.seen = std::max(rate.seen, kHz * numberIn(core / "cpufreq/scaling_cur_freq"));
    rate.max = std::max(rate.max, kHz * numberIn(core / "cpufreq/cpuinfo_max_freq"));
  }
  return rate;
}

/// The folder of the only card of this PCI vendor ("0x1002"); none when there are several or none.
std::optional<fs::path> onlyCard(const fs::path& root, const std::string& vendor) {
  std::optional<fs::path> found;
  for (const fs::path& card : entriesOf(root / "sys/class/drm")) {
    // "card0"; "card0-DP-1" is one of its connectors.
    const std::string name = card.filename();
    if (!name.starts_with("card") || contains(name, "-")) continue;
    if (!contentsOf(card / "device/vendor").starts_with(vendor)) continue;
    if (found) return std::nullopt;
    found = card;
  }
  return found;
}

void readAmd(const fs::path& root, Clocks& clocks) {
  const auto card = onlyCard(root, "0x1002");
  if (!card) return;
  clocks.gpu = amdClock(contentsOf(*card / "device/pp_dpm_sclk"));
  clocks.gpuMemory = amdClock(contentsOf(*card / "device/pp_dpm_mclk"));
}

void readIntel(const fs::path& root, Clocks& clocks) {
  const auto card = onlyCard(root, "0x8086");
  if (!card) return;
  // The actual rate reads 0 while the GPU sleeps; the requested one replaces it.
  const double actual = numberIn(*card / "gt_act_freq_mhz");
  clocks.gpu.seen = actual > 0 ? actual : numberIn(*card / "gt_cur_freq_mhz");
  clocks.gpu.max = numberIn(*card / "gt_max_freq_mhz");
}

void readNvidia(const std::string& renderer, Clocks& clocks) {
  const std::string csv = system::outputOf(
      {"nvidia-smi", "--query-gpu=name,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem",
       "--format=csv,noheader,nounits"},
      kMaxNvidiaWait);
  if (const auto found = nvidiaClocks(csv, renderer)) {
    clocks.gpu = found->gpu;
    clocks.gpuMemory = found->gpuMemory;
  }
}

/// Without blanks and quotes around it.
std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\"");
  const std::size_t last = text.find_last_not_of(" \t\r\"");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// The text after `key` on the first line of `file` that starts with it.
std::string entryOf(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    return trimmed(line.substr(line.find(separator) + 1));
  }
  return "unknown";
}

}  // namespace

std::string dateOfToday() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

Machine thisMachine(DeviceFacts device) {
  const Clocks clocks = readClocks(device);
  return {std::move(device), entryOf("/proc/cpuinfo", "model name", ':'),
          entryOf("/etc/os-release", "PRETTY_NAME", '=') + ", " + system::name(), dateOfToday(),
          clocks};
}

double processorMhz(const std::string& cpuinfo) {
  std::istringstream in(cpuinfo);
  double fastest = 0;
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("cpu MHz") && colon != std::string::npos)
      fastest = std::max(fastest, std::atof(line.c_str() + colon + 1));
  }
  return fastest;
}

ClockRate amdClock(const std::string& levels) {
  ClockRate rate;
  std::istringstream in(levels);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const double mhz = std::atof(line.c_str() + colon + 1);
    rate.max = std::max(rate.max, mhz);
    if (contains(line, "*")) rate.seen = std::max(0.0, mhz);
  }
  return rate;
}

std::optional<Clocks> nvidiaClocks(const std::string& csv, const std::string& renderer) {
  std::vector<Clocks> all, named;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(trimmed(cell));
    if (cells.size() != 5 || cells[0].empty()) continue;
    const auto mhz = [&](std::size_t i) {  // "[N/A]" is 0
      return std::max(0.0, std::atof(cells[i].c_str()));
    };
    all.push_back({{}, {mhz(1), mhz(3)}, {mhz(2), mhz(4)}});
    if (contains(renderer, cells[0])) named.push_back(all.back());
  }
  if (named.empty() && all.size() == 1) return all[0];
  if (named.empty()) return std::nullopt;
  for (const Clocks& other : named) named[0].merge(other);
  return named[0];
}

Clocks readClocks(const DeviceFacts& device, const fs::path& root) {
  Clocks clocks;
  clocks.processor = processorClock(root);
  if (device.software) return clocks;
  const std::string name = device.vendor + " " + device.renderer;
  if (contains(name, "NVIDIA"))
    readNvidia(device.renderer, clocks);
  else if (contains(name, "AMD") || contains(name, "Radeon"))
    readAmd(root, clocks);
  else if (contains(name, "Intel"))
    readIntel(root, clocks);
  return clocks;
}

}  // namespace fathom::bench
