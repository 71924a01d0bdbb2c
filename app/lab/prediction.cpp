// SPDX-License-Identifier: BSD-3-Clause
// What a dispatch would take on a GPU that is not there: the longest of its bytes, its instructions
// and the instructions of one invocation one after another; and a fixed cost.
#include "app/engine/io/json.h"
#include "app/lab/workload.h"

namespace fathom::bench {
namespace {

/// ms of everything, and of the bytes alone. Instructions are those of the shader, each once, or
/// what the caller estimates, whichever is more.
glm::dvec2 timeOn(const Json& device, const gpu::Dispatched& work) {
  static const Json shaders = Json::parse(kShadersJson);
  const auto of = [&](const char* name) { return device.at(name).get<double>(); };
  const std::string file = work.variant.substr(0, work.variant.find(' '));
  const Json costs =
      shaders.value(shaders.contains(work.variant) ? work.variant : file, Json::object());
  // Of none it is unknown, and 0.
  const auto [told, waves] =
      costs.value(device.at("driver").get<std::string>(), std::pair(0.0, 0.0));
  const double each = std::max(told, work.operations / work.invocations);
  const double busy = waves > 0 ? std::min(1.0, waves / of("waves that hide latency")) : 1;
  const double bytes = 1e-6 * double(work.bytes) / of("GB/s");
  const double issue = 1e-6 * each * work.invocations / (of("lanes") * of("GHz") * busy);
  const double chain = 1e-6 * each * of("cycles to the next instruction") / of("GHz");
  const double longest = std::max({bytes / of("share of bandwidth"), issue, chain});
  return {longest + 1e-3 * of("us a dispatch"), bytes};
}

}  // namespace

std::string predictionTable(std::span<const gpu::Dispatched> dispatches,
                            std::vector<gpu::PassTiming> here) {
  static const Json devices = Json::parse(kDevicesJson);
  std::string text =
      fmt::format("  {:<26}{:>6}{:>10}{:>9}{:>10}", "pass", "times", "M invoc.", "MB", "here, ms");
  for (const Json& device : devices)
    text += fmt::format("{:>18}", device.at("name").get<std::string>());
  here.emplace_back().name = "all";
  for (const gpu::PassTiming& pass : here) {
    std::vector<glm::dvec2> times(devices.size(), glm::dvec2(0));
    double invocations = 0, bytes = 0;
    int count = 0;
    for (const gpu::Dispatched& work : dispatches) {
      if (work.pass != pass.name && &pass != &here.back()) continue;
      ++count, invocations += work.invocations, bytes += double(work.bytes);
      for (std::size_t i = 0; i < times.size(); ++i) times[i] += timeOn(devices[i], work);
    }
    if (count == 0) continue;
    here.back().gpuMs += &pass == &here.back() ? 0 : pass.gpuMs;
    text += fmt::format("\n  {:<26}{:>6}{:>10.3f}{:>9.1f}{:>10.3f}", pass.name, count,
                        1e-6 * invocations, 1e-6 * bytes, pass.gpuMs);
    for (const glm::dvec2& ms : times)
      text += fmt::format("{:>18}", fmt::format("{:.3f} ({:.3f})", ms.x, ms.y));
  }
  return text + "\n";
}

}  // namespace fathom::bench
