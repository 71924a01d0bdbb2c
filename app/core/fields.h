// SPDX-License-Identifier: BSD-3-Clause
// Settings are declared once. A technique keeps a plain struct and one function describe(settings,
// field); each use (parsing, flags, panel, session, sweep, docs table, what changed) is a
// FieldVisitor.
//
//   void describe(Settings& s, FieldVisitor& field) {
//     field(s.method, choice("method", {"stepwise", "rbm"}, "How lists are merged.").rebuilds());
//     field(s.radius, range("radius", 0.1f, 10.0f, "Blur radius.").in("px").log());
//   }
#pragma once

#include "app/core/error.h"

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fathom {

/// What a changed setting costs, in ascending order.
enum class Effect { None, Redraw, Rebuild };

/// The part that all kinds of fields share. Names are kebab-case and serve flags, files and panel
/// alike.
struct FieldInfo {
  std::string name, help, unit;
  char letter = 0;  // of a short flag: 'k' for -k
  Effect effect = Effect::Redraw;
  std::string disabledReason;  // not empty: this value has no influence now, and why
};

/// CRTP: the modifiers that may follow a field in describe().
template <class Self>
struct FieldOptions {
  FieldInfo info;
  Self& in(std::string unit) { return info.unit = std::move(unit), self(); }
  /// A letter that is the same flag on the command line.
  Self& shortFlag(char letter) { return info.letter = letter, self(); }
  Self& rebuilds() { return info.effect = Effect::Rebuild, self(); }
  /// Grayed out in the panel, with the reason, unless `condition` holds.
  Self& onlyIf(bool condition, std::string reason) {
    if (!condition) info.disabledReason = std::move(reason);
    return self();
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

struct FloatField : FieldOptions<FloatField> {
  float low = 0, high = 1;
  bool logarithmic = false;
  FloatField& log() { return logarithmic = true, *this; }
};
struct IntField : FieldOptions<IntField> {
  int low = 0, high = 1;
};
struct ToggleField : FieldOptions<ToggleField> {};
struct ChoiceField : FieldOptions<ChoiceField> {
  std::vector<std::string> values;  // in the order of the enum
  std::vector<std::string> about;   // one line per value, or empty
  /// One line of explanation per value.
  ChoiceField& explain(std::vector<std::string> lines) { return about = std::move(lines), *this; }
};
struct TextField : FieldOptions<TextField> {
  std::function<std::string(const std::string&)> complaint;  // may be empty: any text will do
  /// `whatIsExpected` gets a new text: empty when it will do, else what was expected in its place.
  TextField& checked(std::function<std::string(const std::string&)> whatIsExpected) {
    return complaint = std::move(whatIsExpected), *this;
  }
};

inline FloatField range(std::string name, float low, float high, std::string help) {
  FloatField f;
  f.info.name = std::move(name), f.info.help = std::move(help), f.low = low, f.high = high;
  return f;
}
inline IntField range(std::string name, int low, int high, std::string help) {
  IntField f;
  f.info.name = std::move(name), f.info.help = std::move(help), f.low = low, f.high = high;
  return f;
}
inline ToggleField toggle(std::string name, std::string help) {
  ToggleField f;
  f.info.name = std::move(name), f.info.help = std::move(help);
  return f;
}
inline ChoiceField choice(std::string name, std::vector<std::string> values, std::string help) {
  ChoiceField f;
  f.info.name = std::move(name), f.info.help = std::move(help), f.values = std::move(values);
  return f;
}
inline TextField text(std::string name, std::string help) {
  TextField f;
  f.info.name = std::move(name), f.info.help = std::move(help);
  return f;
}

class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;
  void operator()(float& value, const FloatField& field) { visit(value, field); }
  void operator()(int& value, const IntField& field) { visit(value, field); }
  void operator()(bool& value, const ToggleField& field) { visit(value, field); }
  void operator()(std::string& value, const TextField& field) { visit(value, field); }
  /// An enum whose values count 0, 1, 2, ... in the order of the field's names.
  template <class E>
  requires std::is_enum_v<E>
  void operator()(E& value, const ChoiceField& field) {
    int index = static_cast<int>(value);
    visit(index, field);
    value = static_cast<E>(index);
  }

 protected:
  virtual void visit(float& value, const FloatField& field) = 0;
  virtual void visit(int& value, const IntField& field) = 0;
  virtual void visit(bool& value, const ToggleField& field) = 0;
  virtual void visit(int& index, const ChoiceField& field) = 0;
  virtual void visit(std::string& value, const TextField& field) = 0;
};

/// Whatever can be described: a Technique, or a lambda over a plain struct.
using Describe = std::function<void(FieldVisitor&)>;

/// One setting as text, for sessions, reports and comparison.
struct FieldValue {
  std::string name;
  std::string text;  // floats in their shortest form that reads back equal
  enum class Kind { Number, Bool, Text } kind = Kind::Text;
  Effect effect = Effect::Redraw;
  bool operator==(const FieldValue& o) const { return name == o.name && text == o.text; }
};

/// One row per setting with everything the docs table, `--help` and sweeps need.
struct FieldRow {
  FieldInfo info;
  std::string domain;               // "0.7 .. 32", "stepwise | rbm", "on | off"
  std::string current;              // the value now, as text
  std::vector<std::string> values;  // of a choice or toggle
  std::vector<std::string> about;   // of a choice
};

std::vector<FieldValue> valuesOf(const Describe& describe);
std::vector<FieldRow> rowsOf(const Describe& describe);

/// Sets one field from text: the only parser of values. Throws UsageError when the name is unknown
/// (and offers the nearest one) or the value is not in the field's domain.
void assign(const Describe& describe, std::string_view name, std::string_view text);

/// The costliest effect among the settings that differ. Both lists come from valuesOf() of one
/// describe.
Effect effectOf(const std::vector<FieldValue>& before, const std::vector<FieldValue>& after);

/// The name out of `names` that is nearest to `name` by edit distance; empty when none is near.
std::string nearestName(std::string_view name, const std::vector<std::string>& names);

/// The settings as a Markdown table, as it stands in the docs (a test fails when it is stale).
std::string optionTable(const Describe& describe);

/// "focus-distance" becomes "Focus distance".
std::string labelOf(const FieldInfo& info);

/// The shortest decimal text that reads back as the same float.
std::string shortest(float value);

}  // namespace fathom
