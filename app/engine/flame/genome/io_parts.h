// SPDX-License-Identifier: BSD-3-Clause
// What reading genomes shares with writing them and with documents of cuburn: places for messages,
// warnings, attributes as typed values, the meaning of dialects, and the checks once all is read.
#pragma once

#include "app/engine/flame/genome/fields.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/text.h"

#include <pugixml.hpp>

namespace fathom::flame::reading {

/// Collects warnings; what comes after the first fifty is counted.
class Warnings {
 public:
  void add(const Place& place, const std::string& text) { add(place.line(text)); }
  void add(std::string line) {
    if (++count_ <= kShown) lines_.push_back(std::move(line));
  }
  void append(Warnings other) {
    for (std::string& line : other.lines_) add(std::move(line));
    count_ += std::max(0, other.count_ - kShown);
  }
  std::vector<std::string> take() {
    if (count_ > kShown) lines_.push_back(fmt::format("... and {} warnings more", count_ - kShown));
    return std::move(lines_);
  }

 private:
  static constexpr int kShown = 50;
  int count_ = 0;
  std::vector<std::string> lines_;
};

/// One attribute, offered to each entry of the lists in fields.h; `matched` tells whether one
/// took it. Numbers are read strictly; an unknown word is a warning and changes nothing.
class AttributeReader : public EachField<AttributeReader> {
 public:
  AttributeReader(const Place& place, Warnings& warnings, std::string_view name, std::string value)
      : place_(place), warnings_(warnings), name_(name), value_(std::move(value)) {}
  bool matched = false;

  void real(FieldName name, double& target, unsigned) {
    if (!is(name)) return;
    target = number();
  }
  void integer(FieldName name, int& target, unsigned) {
    if (!is(name)) return;
    target = wholeNumber();
  }
  void reals(FieldName name, double* target, int count, unsigned) {
    if (!is(name)) return;
    const std::vector<double> values = numbers(count);
    for (int i = 0; i < count; ++i) target[i] = values[std::size_t(i)];
  }
  void pixels(FieldName name, glm::ivec2& target, unsigned);
  void text(FieldName name, std::string& target) {
    if (is(name)) target = value_;
  }
  template <class E>
  void word(FieldName name, E& target, std::span<const std::string_view> words, unsigned) {
    if (!is(name)) return;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i] == value_) {
        target = E(i);
        return;
      }
    warnings_.add(place_,
                  fmt::format("expected {} to be one of {}, found {}; {} is used", name_,
                              fmt::join(words, " "), quote(value_), words[std::size_t(target)]));
  }

  double number() const;
  /// "2", and "2.0" as Java's programs write it.
  int wholeNumber() const;
  /// Exactly `count` numbers; any number of them when `count` is negative.
  std::vector<double> numbers(int count) const;
  const std::string& value() const { return value_; }

 private:
  bool is(FieldName name) {
    if (name.file != name_) return false;
    return matched = true;
  }
  const Place& place_;
  Warnings& warnings_;
  std::string name_, value_;
};

/// What the genome's program means by what it wrote, and what is lost of it (io_dialect.cpp).
class UnsupportedParts {
 public:
  /// An attribute of an xform that nobody took; `read` tells whether another attribute of that
  /// name was read, so that this may be a parameter of it.
  void attribute(const std::string& name, const std::string& value) {
    unread_.emplace_back(name, value);
  }
  /// After the last attribute of an xform with these variations: those that change the picture are
  /// noted.
  void endXform(const std::vector<VariationUse>& used);
  void feature(const std::string& name);
  /// Most xforms first.
  std::vector<UnsupportedFeature> take();

 private:
  void note(const std::string& name, int xforms);
  std::vector<std::pair<std::string, std::string>> unread_;
  std::vector<UnsupportedFeature> list_;
  std::map<std::string, std::size_t> places_;  // there, by name
};

/// From the attribute `version` and the name of the element.
Dialect dialectOf(const pugi::xml_node& flame);
/// The slot of a variation, or of one of its parameters, by any of the names that programs give
/// it; -1, -1 when there is none.
struct VariationTarget {
  int variation = -1, parameter = -1;
};
VariationTarget variationTarget(const std::string& name);
/// Parameters as they are called here, and as JWildfire writes them.
constexpr std::pair<const char*, const char*> kNamesOfJWildfire[] = {
    {"post_crop_x_w", "post_crop_x_width"},
    {"post_crop_trapezoid_Base_Sup.", "post_crop_trapezoid_LMay"},
    {"post_crop_trapezoid_Base_Inf.", "post_crop_trapezoid_LMin"}};
/// The settings of the whole flame that its dialect has in other units or under other names. Call
/// once all attributes are read.
void finishDialect(Genome& genome, UnsupportedParts& lost);
/// Attributes of curves of tone; whether those of the genome say what its curves are.
constexpr const char* kSplineNames[] = {"overall_curve", "red_curve", "green_curve", "blue_curve"};
bool isCurves(const std::string& name);
bool curvesAreAsRead(const Genome& genome);
/// What an attribute is that the file leaves out, where it differs between dialects.
void setDefaults(Genome& genome);
/// Text that is nearly XML, as some programs write it, made well-formed: names of attributes, and
/// those that come twice. `repairs` counts what was changed.
std::string repairedXml(std::string_view text, int& repairs);

struct MotionCurves {
  bool any = false;
  std::vector<std::string> unknown;  // numbers that move in JWildfire and stand still here
};
/// Gives each number of a flame of JWildfire the value of its curve at a frame, and disables the
/// curve: what is written later holds this moment.
MotionCurves applyMotionCurves(pugi::xml_node flame, double frame);

/// Values that make no picture throw; those that make an empty one warn.
void check(Genome& genome, const Place& place, Warnings& warnings);

}  // namespace fathom::flame::reading
