// SPDX-License-Identifier: BSD-3-Clause
// The visitors that need nothing but text: reading out, assigning, tables.
#include "app/engine/core/fields.h"

#include "app/engine/core/text.h"

namespace fathom {
namespace {

/// Reads every setting out as text.
class Collect : public FieldVisitor {
 public:
  std::vector<FieldRow> rows;
  std::vector<FieldValue> values;

 protected:
  void visit(float& value, const FloatField& f) override {
    add(f.info, fmt::format("{} .. {}", shortest(f.low), shortest(f.high)), shortest(value),
        FieldValue::Kind::Number);
  }
  void visit(int& value, const IntField& f) override {
    add(f.info, fmt::format("{} .. {}", f.low, f.high), std::to_string(value),
        FieldValue::Kind::Number);
  }
  void visit(bool& value, const ToggleField& f) override {
    add(f.info, "on | off", value ? "on" : "off", FieldValue::Kind::Bool, {"off", "on"});
  }
  void visit(int& index, const ChoiceField& f) override {
    FATHOM_CHECK_OP(std::size_t(index), <, f.values.size());
    add(f.info, fmt::format("{}", fmt::join(f.values, " | ")), f.values[std::size_t(index)],
        FieldValue::Kind::Text, f.values, f.about);
  }
  void visit(std::string& value, const TextField& f) override {
    add(f.info, "text", value, FieldValue::Kind::Text);
  }

 private:
  void add(const FieldInfo& info, std::string domain, std::string current, FieldValue::Kind kind,
           std::vector<std::string> choices = {}, std::vector<std::string> about = {}) {
    values.push_back({info.name, current, kind});
    rows.push_back(
        {info, std::move(domain), std::move(current), std::move(choices), std::move(about)});
  }
};

/// Sets the one field of this name.
class Assign : public FieldVisitor {
 public:
  Assign(std::string_view name, std::string_view value) : name_(name), value_(value) {}
  bool found() const { return found_; }

 protected:
  void visit(float& value, const FloatField& f) override {
    if (!mine(f.info)) return;
    const std::optional<float> number = numberIn<float>(value_);
    if (!number || !(*number >= f.low && *number <= f.high))
      refuse(fmt::format("a number from {} to {}", shortest(f.low), shortest(f.high)));
    value = *number;
  }
  void visit(int& value, const IntField& f) override {
    if (!mine(f.info)) return;
    const std::optional<int> number = numberIn<int>(value_);
    if (!number || *number < f.low || *number > f.high)
      refuse(fmt::format("a whole number from {} to {}", f.low, f.high));
    value = *number;
  }
  void visit(bool& value, const ToggleField& f) override {
    if (!mine(f.info)) return;
    if (value_ == "on" || value_ == "true" || value_ == "1" || value_ == "yes")
      value = true;
    else if (value_ == "off" || value_ == "false" || value_ == "0" || value_ == "no")
      value = false;
    else
      refuse("on or off");
  }
  void visit(int& index, const ChoiceField& f) override {
    if (!mine(f.info)) return;
    const auto at = std::find(f.values.begin(), f.values.end(), value_);
    if (at == f.values.end()) refuse(fmt::format("one of {}", fmt::join(f.values, ", ")));
    index = int(at - f.values.begin());
  }
  void visit(std::string& value, const TextField& f) override {
    if (!mine(f.info)) return;
    if (f.complaint)
      if (const std::string expected = f.complaint(std::string(value_)); !expected.empty())
        refuse(expected);
    value = value_;
  }

 private:
  bool mine(const FieldInfo& info) {
    const bool match = info.name == name_;
    found_ |= match;
    return match;
  }
  [[noreturn]] void refuse(const std::string& expected) const {
    failUsage("--{}: expected {}, found \"{:.200}{}\"", name_, expected, value_,
              value_.size() > 200 ? "..." : "");
  }
  std::string_view name_, value_;
  bool found_ = false;
};

/// Passes on the fields that belong to what is open, or those that do not.
class OnlySome : public FieldVisitor {
 public:
  OnlySome(FieldVisitor& next, bool ofInputs) : next_(next), ofInputs_(ofInputs) {}

 protected:
  void visit(float& value, const FloatField& f) override { pass(value, f); }
  void visit(int& value, const IntField& f) override { pass(value, f); }
  void visit(bool& value, const ToggleField& f) override { pass(value, f); }
  void visit(int& index, const ChoiceField& f) override {
    if (f.info.ofInputs == ofInputs_) next_.chosen(index, f);
  }
  void visit(std::string& value, const TextField& f) override { pass(value, f); }

 private:
  template <class Value, class Field>
  void pass(Value& value, const Field& f) {
    if (f.info.ofInputs == ofInputs_) next_(value, f);
  }
  FieldVisitor& next_;
  const bool ofInputs_;
};

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<glm::ivec2> parsePair(std::string_view text) {
  const std::size_t cut = text.find_first_of(",x");
  if (cut == std::string_view::npos) return std::nullopt;
  const auto x = numberIn<int>(text.substr(0, cut)), y = numberIn<int>(text.substr(cut + 1));
  if (!x || !y) return std::nullopt;
  return glm::ivec2(*x, *y);
}

std::string shortest(float value) { return fmt::format("{}", value); }

std::vector<FieldValue> valuesOf(const Describe& describe) {
  Collect collect;
  describe(collect);
  return std::move(collect.values);
}

std::vector<FieldRow> rowsOf(const Describe& describe) {
  Collect collect;
  describe(collect);
  return std::move(collect.rows);
}

void assign(const Describe& describe, std::string_view name, std::string_view text) {
  Assign visitor(name, text);
  describe(visitor);
  if (visitor.found()) return;
  std::vector<std::string> names;
  for (const FieldValue& value : valuesOf(describe)) names.push_back(value.name);
  const std::string nearest = nearestName(name, names);
  failUsage("no setting \"{}\"{}", name,
            nearest.empty() ? "" : fmt::format(", did you mean \"{}\"?", nearest));
}

std::string nearestName(std::string_view name, const std::vector<std::string>& names) {
  std::string best;
  std::size_t bestDistance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : names) {
    const std::size_t distance = editDistance(name, candidate);
    if (distance < bestDistance) best = candidate, bestDistance = distance;
  }
  return best;
}

std::string labelOf(const FieldInfo& info) {
  if (!info.label.empty()) return info.label;
  std::string label = info.name;
  std::replace(label.begin(), label.end(), '-', ' ');
  if (!label.empty()) label[0] = char(std::toupper(static_cast<unsigned char>(label[0])));
  return label;
}

std::string titleOf(const ChoiceField& field, std::size_t index) {
  const std::string& value = field.values.at(index);
  if (index >= field.titles.size() || field.titles[index].empty()) return value;
  // A code that says the same is not repeated.
  const std::string& title = field.titles[index];
  const bool same = std::ranges::equal(title, value, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == b || (a == ' ' && b == '-');
  });
  return same ? title : fmt::format("{} ({})", title, value);
}

const char* titleOf(Section section) {
  constexpr const char* titles[] = {"Input", "Image", "Algorithm", "Limits"};
  return titles[int(section)];
}

Describe onlyOfInputs(const Describe& describe, bool ofInputs) {
  return [describe, ofInputs](FieldVisitor& field) {
    OnlySome some(field, ofInputs);
    describe(some);
  };
}

}  // namespace fathom
