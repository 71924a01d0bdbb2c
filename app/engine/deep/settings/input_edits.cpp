// SPDX-License-Identifier: BSD-3-Clause
// Properties of inputs as texts, "on,off": parsing, writing in the shortest form, and what they add
// up to.
#include "app/engine/deep/settings/input_edits.h"

#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"

namespace fathom::deep {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A property: how its values are read into an edit and written. `read` is false for a malformed
/// value.
struct Property {
  const char* name;
  std::string Settings::*text;
  const char* expected;
  bool (*read)(std::string_view, InputEdit&);
  std::string (*write)(const InputEdit&);  // empty: the default
};

std::optional<float> number(std::string_view text) {
  const auto value = numberIn<float>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool readVisible(std::string_view text, InputEdit& edit) {
  edit.visible = text == "on";
  return text == "on" || text == "off";
}
bool readRole(std::string_view text, InputEdit& edit) {
  edit.role = text == "hold-out" ? Role::HoldOut : text == "hold-in" ? Role::HoldIn : Role::Add;
  return text == "add" || edit.role != Role::Add;
}
bool readScale(std::string_view text, InputEdit& edit) {
  const std::optional<float> value = number(text);
  if (!value || *value <= 0) return false;
  edit.zScale = *value;
  return true;
}
bool readOffset(std::string_view text, InputEdit& edit) {
  const std::optional<float> value = number(text);
  if (value) edit.zOffset = *value;
  return value.has_value();
}
bool readRange(std::string_view text, InputEdit& edit) try {
  const ZRange range = parseZRange("", std::string(text));
  edit.nearest = range.nearest, edit.farthest = range.farthest;
  return true;
} catch (const UsageError&) {
  return false;
}

bool readIds(std::string_view text, InputEdit& edit) {
  edit.ids = text;
  return true;
}

std::string writeVisible(const InputEdit& edit) { return edit.visible ? "" : "off"; }
std::string writeRole(const InputEdit& edit) {
  return edit.role == Role::Add ? "" : edit.role == Role::HoldOut ? "hold-out" : "hold-in";
}
std::string writeIds(const InputEdit& edit) { return edit.ids; }
std::string writeScale(const InputEdit& edit) {
  return edit.zScale == 1 ? "" : shortest(edit.zScale);
}
std::string writeOffset(const InputEdit& edit) {
  return edit.zOffset == 0 ? "" : shortest(edit.zOffset);
}
std::string writeRange(const InputEdit& edit) {
  return textOf(ZRange{edit.nearest, edit.farthest});
}

const Property kProperties[] = {
    {"visible", &Settings::visible, "on or off per input, like on,off", readVisible, writeVisible},
    {"roles", &Settings::roles, "add, hold-out or hold-in per input, like add,hold-out", readRole,
     writeRole},
    {"z-scales", &Settings::zScales, "a number above 0 per input, like 1,0.5", readScale,
     writeScale},
    {"z-offsets", &Settings::zOffsets, "a number per input, like 0,2.5", readOffset, writeOffset},
    {"ids", &Settings::ids, "IDs or names per input, like tree*|17,", readIds, writeIds},
    {"z-ranges", &Settings::zRanges, "NEAR:FAR per input, like 1:20,:5", readRange, writeRange},
};

/// "a,,b" as a, nothing, b; an empty text as no values.
std::vector<std::string_view> valuesIn(std::string_view text) {
  std::vector<std::string_view> values;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    values.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return values;
}

/// "2,1" as 1, 0; none when it is no list of different numbers above 0.
std::optional<std::vector<std::size_t>> numbersIn(const std::string& text) {
  std::vector<std::size_t> numbers;
  for (const std::string_view value : valuesIn(text)) {
    const std::size_t number = numberIn<std::size_t>(value).value_or(0);
    if (number == 0 || std::ranges::count(numbers, number - 1) > 0) return std::nullopt;
    numbers.push_back(number - 1);
  }
  return numbers;
}

}  // namespace

std::string complaintOf(std::string_view name, const std::string& text) {
  InputEdit edit;
  for (const Property& property : kProperties)
    if (property.name == name)
      for (const std::string_view value : valuesIn(text))
        if (!value.empty() && !property.read(value, edit)) return property.expected;
  return {};
}

std::vector<InputEdit> editsOf(const Settings& settings, std::size_t inputs) {
  std::vector<InputEdit> edits(inputs);
  for (const Property& property : kProperties) {
    const std::vector<std::string_view> values = valuesIn(settings.*property.text);
    for (std::size_t i = 0; i < inputs && i < values.size(); ++i) {
      InputEdit edit = edits[i];
      if (!values[i].empty() && property.read(values[i], edit)) edits[i] = edit;
    }
  }
  return edits;
}

void setEdits(Settings& settings, std::span<const InputEdit> edits) {
  for (const Property& property : kProperties) {
    std::string text;
    for (const InputEdit& edit : edits) text += property.write(edit) + ",";
    text.resize(text.find_last_not_of(',') + 1);
    settings.*property.text = text;
  }
}

void carryEdits(Settings& settings, std::span<const std::string> before,
                std::span<const std::string> after) {
  const std::vector<InputEdit> old = editsOf(settings, before.size());
  const std::vector<std::size_t> oldOrder = orderOf(settings, before.size());
  std::vector<InputEdit> edits(after.size());
  std::vector<std::size_t> place(after.size(), before.size());  // in the order; new ones last
  std::vector<bool> taken(before.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    for (std::size_t j = 0; j < before.size(); ++j) {
      if (taken[j] || before[j] != after[i]) continue;
      taken[j] = true, edits[i] = old[j];
      place[i] = std::size_t(std::find(oldOrder.begin(), oldOrder.end(), j) - oldOrder.begin());
      break;
    }
  std::vector<std::size_t> order = orderOf({}, after.size());
  std::ranges::stable_sort(order, {}, [&](std::size_t input) { return place[input]; });
  setEdits(settings, edits);
  setOrder(settings, order);
}

std::string complaintOfOrder(const std::string& text) {
  return numbersIn(text) ? "" : "different numbers of inputs, like 2,1";
}

std::vector<std::size_t> orderOf(const Settings& settings, std::size_t inputs) {
  std::vector<std::size_t> order = numbersIn(settings.order).value_or(std::vector<std::size_t>());
  std::erase_if(order, [&](std::size_t input) { return input >= inputs; });
  for (std::size_t input = 0; input < inputs; ++input)
    if (std::count(order.begin(), order.end(), input) == 0) order.push_back(input);
  return order;
}

void setOrder(Settings& settings, std::span<const std::size_t> order) {
  // The end of it that ascends follows by itself.
  std::size_t named = order.empty() ? 0 : order.size() - 1;
  while (named > 0 && order[named - 1] < order[named]) --named;
  std::string text;
  for (const std::size_t input : order.first(named))
    text += fmt::format("{}{}", text.empty() ? "" : ",", input + 1);
  settings.order = text;
}

double thinErrorOf(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::optional<float> above = number(std::string_view(text).substr(0, slash));
  const std::optional<float> below =
      slash == std::string::npos ? 1.0f : number(std::string_view(text).substr(slash + 1));
  return above && below && *above > 0 && *below > 0 ? double(*above) / double(*below) : 0;
}

std::string complaintOfThinError(const std::string& text) {
  const double bound = thinErrorOf(text);
  return text.empty() || (bound > 0 && bound < 1) ? "" : "a number between 0 and 1, like 1/512";
}

bool Edits::holds() const {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const InputEdit& edit) { return edit.visible && edit.role != Role::Add; });
}

bool Edits::isNothing() const {
  return merged.isNothing() && std::is_sorted(order.begin(), order.end()) &&
         std::ranges::all_of(inputs, [](const InputEdit& edit) { return edit.isNothing(); });
}

Edits editsOf(const Settings& settings, std::size_t inputs, bool volumes, Purpose purpose) {
  const bool saved = purpose == Purpose::File;
  MergeEdit merged;
  merged.dropHidden = settings.dropHidden;
  merged.maxCount = saved ? settings.thin : 0;
  merged.thinError = saved ? thinErrorOf(settings.thinError) : 0;
  merged.thinRelative = settings.thinRelative;
  merged.thinDepth = saved ? thinErrorOf(settings.thinDepth) : 0;
  merged.holdRule = settings.holdRule;
  // What becomes a picture, or fewer fragments with the same picture.
  const bool counts = !saved || merged.maxCount > 0 || merged.thinError > 0;
  merged.tidy = settings.tidy == Tidy::On || (settings.tidy == Tidy::Auto && volumes && counts);
  return {editsOf(settings, inputs), orderOf(settings, inputs), merged};
}

void checkInputCount(const Settings& settings, std::size_t inputs) {
  for (const Property& property : kProperties) {
    const std::string& text = settings.*property.text;
    if (const std::size_t values = valuesIn(text).size(); values > inputs)
      failUsage("--{}: expected at most {} value{}, one per input, found {}", property.name, inputs,
                inputs == 1 ? "" : "s", values);
    else if (values == 1 && inputs > 1 && text.find(',') == text.npos)
      log::warn("--{}: one value for {} inputs, so it is for the first alone", property.name,
                inputs);
  }
  for (const std::size_t input : numbersIn(settings.order).value_or(std::vector<std::size_t>()))
    if (input >= inputs)
      failUsage("--order: expected numbers from 1 to {}, found {}", inputs, input + 1);
}

}  // namespace fathom::deep
