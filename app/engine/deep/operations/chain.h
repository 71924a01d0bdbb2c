// SPDX-License-Identifier: BSD-3-Clause
// Operations one after the other over what is merged, in one pass: each takes rows as they come and
// hands rows on, so that no image needs to be in memory. What can stand in a chain is declared here
// once, for recipes (docs/reference/deep.md) and for the commands that are a chain of one step.
#pragma once

#include "app/engine/deep/operations/color_edit.h"
#include "app/engine/deep/operations/operations.h"

namespace fathom::deep {

struct StepArgument {
  std::string name, valueName;  // no value: a switch
  std::string help, fallback;
  bool required = false;
};

/// A word that a step begins with.
struct StepKind {
  std::string name;
  std::string bare;  // the argument that may stand without its name; "*": it is the rest
  /// Merged: of what is merged. Either: of one input, when it names one. Input: of one input, and
  /// not a step of a chain but an edit of the settings.
  enum class Of { Merged, Either, Input } of = Of::Merged;
  std::vector<StepArgument> arguments;
};
/// All that there are.
const std::vector<StepKind>& stepKinds();
/// Throws UsageError that names the nearest one.
const StepKind& stepKind(const std::string& name);

struct Step {
  const StepKind* kind = nullptr;
  std::string place;  // "shot.recipe:3: ", empty on the command line
  std::string input;  // number or name; empty: what is merged
  std::map<std::string, std::string> given;

  const std::string& text(const std::string& name) const;
  bool has(const std::string& name) const { return given.contains(name); }
  bool on(const std::string& name) const { return text(name) == "on"; }
  /// "1,2.5,...".
  std::vector<double> numbers(const std::string& name, std::size_t count) const;
  double real(const std::string& name, double low, double high) const;
  glm::ivec2 size(const std::string& name) const;
  /// Throws UsageError: the argument, what was expected, its text.
  [[noreturn]] void refuse(const std::string& name, const std::string& expected) const;
};

/// "grade trees gain=2"; `place` stands before messages. Throws UsageError.
Step parseStep(const std::string& text, const std::string& place = {});
/// As parseStep() reads it, without what is the default.
std::string textOf(const Step& step);

/// A line of a recipe: a step, a step that is switched off because it stands behind "#", or a
/// comment alone.
struct RecipeLine {
  std::string text;     // of the step
  std::string comment;  // from its "#" on
  int number = 1;       // in the file
  bool on = true;
};
/// Lines that are not empty; ";" begins another one, too. Throws UsageError that names `file` where
/// a quote does not end.
std::vector<RecipeLine> recipeLines(const std::string& recipe, const std::string& file);
std::string textOf(std::span<const RecipeLine> lines);

constexpr std::uint64_t kMaxRecipeBytes = 1 << 20;
/// The steps of a recipe that are on; `file` is named in messages. Throws UsageError.
std::vector<Step> stepsIn(const std::string& recipe, const std::string& file);
/// The same; throws UsageError where there are none.
std::vector<Step> parseSteps(const std::string& recipe, const std::string& file);

/// The input that a step names by its number from 1, its file, or the beginning of its name.
/// Throws UsageError.
std::size_t inputOf(const Step& step, std::span<const std::string> inputs);
/// What inputOf() finds it by: the beginning of its name, else its number.
std::string wordFor(std::size_t input, std::span<const std::string> inputs);
/// Steps by what they work on.
struct SortedSteps {
  std::vector<std::pair<std::size_t, Step>> onInputs;  // before they are merged
  std::vector<Step> merged;
};
/// Steps that are edits of inputs go into `edits`, one per input. Throws UsageError.
SortedSteps sortSteps(const std::vector<Step>& steps, std::span<const std::string> inputs,
                      std::vector<InputEdit>& edits);
/// What all steps see, and what they report.
struct ChainContext {
  std::string file;                     // named in messages: the first input
  std::optional<int> frame;             // of a sequence
  double thinError = 0, thinDepth = 0;  // of resampled lists; 0: as they are thinned usually
  ThinReport thinned;
  ColorRepairs repairs;
  RecolorReport recolored;
};

/// One operation on rows that come from the top.
class Operation {
 public:
  using Next = std::function<void(DeepImage&&)>;
  virtual ~Operation() = default;
  /// Of what it hands on: windows, channels, format, attributes.
  DeepImage header;
  virtual void take(DeepImage&& rows, const Next& next) = 0;
  /// There are no more rows.
  virtual void end(const Next&) {}
};
using AnyOperation = std::unique_ptr<Operation>;

/// An operation that keeps windows and counts, and does rows by themselves; on an input before it
/// is merged, too. Its header is what the function makes of an image without any.
class RowOperation : public Operation {
 public:
  RowOperation(const DeepImage& in, std::function<void(DeepImage&)> change);
  const std::function<void(DeepImage&)> change;
  void take(DeepImage&& rows, const Next& next) override {
    change(rows);
    next(std::move(rows));
  }
};

/// `header`: of what it will take. Throws Error or UsageError where they do not fit.
AnyOperation makeOperation(const Step& step, const DeepImage& header, ChainContext& context);

class Chain {
 public:
  Chain(std::span<const Step> steps, const DeepImage& header, ChainContext& context);
  /// Of what comes out.
  const DeepImage& header() const { return operations_.empty() ? in_ : operations_.back()->header; }
  void take(DeepImage&& rows, const Operation::Next& out) { pass(0, std::move(rows), out); }
  void end(const Operation::Next& out);

 private:
  void pass(std::size_t at, DeepImage&& rows, const Operation::Next& out);
  DeepImage in_;
  std::vector<AnyOperation> operations_;
};

}  // namespace fathom::deep
