// SPDX-License-Identifier: BSD-3-Clause
// Settings are declared once. A technique keeps a plain struct and one function describe(settings,
// field); each use (parsing, flags, panel, session, sweep, docs table) is a
// FieldVisitor.
//
//   void describe(Settings& s, FieldVisitor& field) {
//     field(s.method, choice("method", {"stepwise", "rbm"}, "How lists are merged."));
//     field(s.radius, range("radius", 0.1f, 10.0f, "Blur radius.").in("px").log());
//   }
#pragma once

#include "app/engine/core/error.h"

namespace fathom {

/// Where a setting stands on the page of settings.
enum class Section { Input, Picture, Algorithm, Limits };

/// The part that all kinds of fields share. Names are kebab-case and serve flags and files; the
/// window shows the label.
struct FieldInfo {
  std::string name, help, unit;
  std::string label;  // empty: made from the name
  Section section = Section::Algorithm;
  bool ofInputs = false;  // belongs to what is open, not to the user: kept with that set of files
  std::string editedOn;   // the technique's page that edits it; empty: the page of settings
  char letter = 0;        // of a short flag: 'k' for -k
  std::string disabledReason;  // not empty: this value has no influence now, and why
};

/// CRTP: the modifiers that may follow a field in describe().
template <class Self>
struct FieldOptions {
  FieldInfo info;
  Self& in(std::string unit) { return info.unit = std::move(unit), self(); }
  Self& under(Section section) { return info.section = section, self(); }
  /// What the window calls it, where the name does not say it well.
  Self& label(std::string text) { return info.label = std::move(text), self(); }
  /// Means something for these files only; other files start from the default.
  Self& ofInputs() { return info.ofInputs = true, self(); }
  /// A page of the technique edits it, so that the page of settings need not.
  Self& editedOn(std::string page) { return info.editedOn = std::move(page), self(); }
  /// A letter that is the same flag on the command line.
  Self& shortFlag(char letter) { return info.letter = letter, self(); }
  /// Grayed out in the panel, with the reason, unless `condition` holds.
  Self& onlyIf(bool condition, std::string reason) {
    if (!condition) info.disabledReason = std::move(reason);
    return self();
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

/// Modifiers of numbers where 0 is no amount but means something else: the window shows a switch
/// with these words, and a slider from `start` on when it is off.
template <class Self, class Number>
struct NumberOptions : FieldOptions<Self> {
  Number low = 0, high = 1;
  std::string zeroText;  // "Automatic", "No limit"; empty: 0 is an amount like others
  Number start = 1;
  Self& zeroMeans(std::string text, Number otherwise) {
    zeroText = std::move(text), start = otherwise;
    return static_cast<Self&>(*this);
  }
};
struct FloatField : NumberOptions<FloatField, float> {
  bool logarithmic = false;
  FloatField& log() { return logarithmic = true, *this; }
};
struct IntField : NumberOptions<IntField, int> {};
struct ToggleField : FieldOptions<ToggleField> {};
struct ChoiceField : FieldOptions<ChoiceField> {
  std::vector<std::string> values;  // in the order of the enum
  std::vector<std::string> about;   // one line per value, or empty
  std::vector<std::string> titles;  // what the window calls each value, or empty: the value itself
  /// Names of the values in full, in their order.
  ChoiceField& titled(std::vector<std::string> names) { return titles = std::move(names), *this; }
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

/// What a text that is the path of a file is checked by:
///   field(s.mask, text("mask", "Focus mask.").checked(FilePath{{".png", ".exr"}}));
/// Any text will do, since whether there is such a file is known when it is read; the window offers
/// its file dialog beside it.
struct FilePath {
  std::vector<std::string> endings;  // that the dialog lists: ".png"
  std::string operator()(const std::string&) const { return {}; }
};

/// Null: the text is no path.
inline const FilePath* filePathOf(const TextField& field) {
  return field.complaint.target<FilePath>();
}

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
  /// The same for an index, for visitors that hand fields on.
  void chosen(int& index, const ChoiceField& field) { visit(index, field); }

 protected:
  virtual void visit(float& value, const FloatField& field) = 0;
  virtual void visit(int& value, const IntField& field) = 0;
  virtual void visit(bool& value, const ToggleField& field) = 0;
  virtual void visit(int& index, const ChoiceField& field) = 0;
  virtual void visit(std::string& value, const TextField& field) = 0;
};

/// Declares the fields of one section:
///   const auto limits = under(Section::Limits, field);
///   limits(s.steps, range("steps", 0, 100, "Steps of a fit."));
inline auto under(Section section, FieldVisitor& field) {
  return [section, &field](auto& value, auto info) { field(value, info.under(section)); };
}

/// Whatever can be described: an Engine, or a lambda over a plain struct.
using Describe = std::function<void(FieldVisitor&)>;
/// The fields of a struct that has a describe(); it must outlive this.
template <class Settings>
Describe describing(Settings& settings) {
  return [&settings](FieldVisitor& field) { describe(settings, field); };
}

/// One setting as text, for sessions, reports and comparison.
struct FieldValue {
  std::string name;
  std::string text;  // floats in their shortest form that reads back equal
  enum class Kind { Number, Bool, Text } kind = Kind::Text;
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

/// The name out of `names` that is nearest to `name` by edit distance; empty when none is near.
std::string nearestName(std::string_view name, const std::vector<std::string>& names);

/// What the window calls it: its label, else "focus-distance" becomes "Focus distance".
std::string labelOf(const FieldInfo& info);

/// A value of a choice as the window shows it: "Linearized array (la)", or the value alone.
std::string titleOf(const ChoiceField& field, std::size_t index);

const char* titleOf(Section section);

/// The settings that are kept with the files that are open (`ofInputs`), or all others.
Describe onlyOfInputs(const Describe& describe, bool ofInputs);

/// "1920x1080" or "12,34", as people write sizes and places; none when it is not two whole numbers.
std::optional<glm::ivec2> parsePair(std::string_view text);

/// The shortest decimal text that reads back as the same float.
std::string shortest(float value);

}  // namespace fathom
