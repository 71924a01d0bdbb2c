// SPDX-License-Identifier: BSD-3-Clause
// The object that --json prints, key by key.
#include "app/engine/io/run_record.h"

#include "app/engine/core/text.h"
#include "app/engine/io/json.h"

namespace fathom {
namespace {

/// Numbers and booleans as JSON has them, also where numbers are the words of a choice ("4", "8");
/// floats in the decimal form that the settings show.
OrderedJson settingJson(const FieldValue& value) {
  if (value.kind == FieldValue::Kind::Bool) return value.text == "on";
  if (const auto whole = numberIn<std::int64_t>(value.text)) return *whole;
  if (value.kind != FieldValue::Kind::Number) return value.text;
  return numberIn<double>(value.text).value_or(0);
}

OrderedJson settingsObject(const std::vector<FieldValue>& settings) {
  OrderedJson object = OrderedJson::object();
  for (const FieldValue& value : settings) object[value.name] = settingJson(value);
  return object;
}

}  // namespace

std::string settingsJson(const std::vector<FieldValue>& settings) {
  return settingsObject(settings).dump();
}

std::string RunRecord::json() const {
  OrderedJson root;
  root["fathom"] = FATHOM_VERSION;
  root["command"] = command;
  root["device"] = nullptr;
  if (device)
    root["device"] = {{"vendor", device->vendor},
                      {"renderer", device->renderer},
                      {"version", device->version},
                      {"software", device->software}};
  root["size"] = nullptr;
  if (size) root["size"] = {size->first, size->second};
  root["settings"] = settingsObject(settings);
  root["passes"] = OrderedJson::array();
  for (const Pass& pass : passes)
    root["passes"].push_back({{"name", pass.name},
                              {"gpu_ms", pass.gpuMs},
                              {"cpu_ms", pass.cpuMs},
                              {"count", pass.count}});
  root["wall_ms"] = wallMs;
  if (device) root["compile_ms"] = compileMs;
  root["phases_ms"] = OrderedJson::object();
  for (const auto& [name, ms] : phasesMs) root["phases_ms"][name] = ms;
  root["result"] = OrderedJson::object();
  for (const auto& [key, value] : result)
    std::visit([&, &name = key](const auto& v) { root["result"][name] = v; }, value);
  for (const auto& [name, rows] : lists) {
    OrderedJson& list = root["result"][name] = OrderedJson::array();
    for (const Row& row : rows) {
      OrderedJson& object = list.emplace_back(OrderedJson::object());
      for (const auto& [key, value] : row)
        std::visit([&, &field = key](const auto& v) { object[field] = v; }, value);
    }
  }
  return documentText(root);
}

}  // namespace fathom
