// SPDX-License-Identifier: BSD-3-Clause
// The table of steps, recipes as text and back, and the operations: rows by themselves, rows cut
// off, rows elsewhere (which wait for those that lie under them).
#include "app/engine/deep/operations/chain.h"

#include "app/engine/core/error.h"
#include "app/engine/core/fields.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/operations/resample.h"
#include "app/engine/io/exr/id_filter.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/picture.h"
#include "app/engine/scene/load_scene.h"

namespace fathom::deep {

constexpr double kUsualThinning = 1.0 / 2048, kUsualDepth = 1.0 / 1024;

const std::vector<StepKind>& stepKinds() {
  using Of = StepKind::Of;
  static const StepArgument only{"only", "IDS",
                                 "Change only fragments with these IDs: numbers or names, with * "
                                 "and ?, separated by |.",
                                 ""};
  static const std::vector<StepArgument> resampling{
      {"filter", "box|tent|gaussian|mitchell",
       "Resampling filter; of Mitchell's only the positive part.", "tent"},
      {"keep-all", "",
       "Keep every fragment; off: thin by --thin-error (default 1/2048) and --thin-depth (default "
       "1/1024).",
       "off"}};
  const auto with = [](std::vector<StepArgument> more) {
    more.insert(more.begin(), resampling.begin(), resampling.end());
    return more;
  };
  const auto channels = [](const char* name, const char* form, const char* about) {
    return StepKind{name, "channels", Of::Either, {{"channels", form, about, "", true}}};
  };
  static const std::vector<StepKind> kinds{
      {"grade",
       "",
       Of::Either,
       {{"black", "V", "Input black point: one number, or three with commas.", "0"},
        {"white", "V", "Input white point.", "1"},
        {"lift", "V", "Output value of the black point.", "0"},
        {"gain", "V", "Output value of the white point.", "1"},
        {"multiply", "V", "Multiply by.", "1"},
        {"offset", "V", "Add.", "0"},
        {"gamma", "V", "Gamma, for values above 0.", "1"},
        {"channels", "LIST", "Channels to grade, with * and ?.", "R,G,B"},
        only}},
      {"expression",
       "*",
       Of::Either,
       {{"expression", "TEXT",
         "CHANNEL = expression, with ; between several: names of channels, x, y, n, count, frame, "
         "+ - * / ^, comparisons, && || ?:, min, max, sqrt, exp, ln, sin, abs and others.",
         "", true},
        only}},
      {"recolor",
       "picture",
       Of::Merged,
       {{"picture", "FILE", "The flat image.", "", true},
        {"target-alpha", "", "Scale the alphas of fragments to match the image's alpha.", "off"}}},
      channels("shuffle", "TO=FROM,...", "Channels and their sources, assigned all at once."),
      channels("copy", "TO=FROM,...", "As shuffle."),
      channels("rename", "FROM=TO,...", "Channels and their new names."),
      channels("retype", "NAME=TYPE,...", "Channels as half, float or uint."),
      channels("drop", "LIST", "Channels to drop, with * and ?."),
      channels("keep", "LIST", "Channels that stay, with * and ?; depths do."),
      {"crop",
       "window",
       Of::Merged,
       {{"window", "X,Y,W,H", "Crop area, in the coordinates of the file's windows.", "", true},
        {"reformat", "", "Make the crop area the display window too.", "off"}}},
      {"resize", "size", Of::Merged,
       with({{"size", "WxH", "Size of the display window.", ""},
             {"scale", "S", "Factor of the display window, instead of --size.", ""}})},
      {"transform", "", Of::Merged,
       with({{"translate", "X,Y", "Pixels to the right and down.", "0,0"},
             {"rotate", "DEGREES", "Counter-clockwise.", "0"},
             {"scale", "S", "Scale factor: above 1 enlarges.", "1"},
             {"corner-pin", "X,Y,...",
              "New corners of the display window: upper left, upper right, lower right, lower "
              "left.",
              ""}})},
      {"tidy", "", Of::Merged, {}},
      {"drop-hidden",
       "alpha",
       Of::Merged,
       {{"alpha", "A", "Drop fragments behind this accumulated alpha.", "1"}}},
      {"thin",
       "error",
       Of::Merged,
       {{"error", "E", "How far alpha and light may move: 1/512.", ""},
        {"depth", "E", "How far points may move, in parts of their depth.", "0"},
        {"count", "N", "Maximum fragments per pixel, instead of an error.", ""}}},
      {"hold-out", "", Of::Input, {}},
      {"hold-in", "", Of::Input, {}},
      {"hide", "", Of::Input, {}},
      {"move-z",
       "",
       Of::Input,
       {{"scale", "S", "Multiply depths by.", "1"},
        {"offset", "Z", "Add to the scaled depths.", "0"}}},
      {"range", "z", Of::Input, {{"z", "NEAR:FAR", "Depth range to keep.", "", true}}},
      {"ids", "ids", Of::Input, {{"ids", "IDS", "IDs to keep.", "", true}}}};
  return kinds;
}

namespace {

bool hasArgument(const StepKind& kind, const std::string& name) {
  return std::ranges::find(kind.arguments, name, &StepArgument::name) != kind.arguments.end();
}

/// Words between blanks; what is in quotes is one.
std::vector<std::string> wordsOf(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      if (quoted && !open) words.emplace_back(), open = true;
    } else if (!quoted && std::isspace(static_cast<unsigned char>(c))) {
      open = false;
    } else {
      if (!open) words.emplace_back(), open = true;
      words.back() += c;
    }
  }
  return words;
}

}  // namespace

Step parseStep(const std::string& text, const std::string& place) {
  std::vector<std::string> words = wordsOf(text);
  if (words.empty()) throw UsageError(place + "expected a step, found none");
  Step step;
  step.place = place + words[0] + ": ";
  try {
    step.kind = &stepKind(words[0]);
  } catch (const UsageError& error) {
    throw UsageError(place + error.what());
  }
  const auto isArgument = [&](const std::string& name) { return hasArgument(*step.kind, name); };
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t sign = words[i].find('=');
    const std::string name = words[i].substr(0, sign);
    if (sign != std::string::npos && name == "input" && step.kind->of != StepKind::Of::Merged) {
      step.input = words[i].substr(sign + 1);
    } else if (isArgument(name) && step.kind->bare != "*" && name != step.kind->bare) {
      step.given[name] = sign == std::string::npos ? "on" : words[i].substr(sign + 1);
    } else if (name == "only" && sign != std::string::npos && isArgument(name)) {
      step.given[name] = words[i].substr(sign + 1);
    } else if (step.kind->bare == "*") {
      std::string& rest = step.given[step.kind->name];
      rest += (rest.empty() ? "" : " ") + words[i];
    } else if (step.kind->of == StepKind::Of::Input && step.input.empty()) {
      step.input = words[i];
    } else if (!step.kind->bare.empty() && !step.has(step.kind->bare)) {
      step.given[step.kind->bare] = name == step.kind->bare && sign != std::string::npos
                                        ? words[i].substr(sign + 1)
                                        : words[i];
    } else if (step.kind->of == StepKind::Of::Either && step.input.empty() &&
               sign == std::string::npos) {
      step.input = words[i];
    } else {
      std::string known;
      for (const StepArgument& argument : step.kind->arguments) known += " " + argument.name;
      throw UsageError(fmt::format("{}expected its arguments ({}), found \"{}\"", step.place,
                                   known.empty() ? "none" : known.substr(1), words[i]));
    }
  }
  if (step.kind->of == StepKind::Of::Input && step.input.empty())
    throw UsageError(step.place + "expected the number or name of an input, found none");
  for (const StepArgument& argument : step.kind->arguments)
    if (argument.required && !step.has(argument.name)) step.refuse(argument.name, "a value");
  return step;
}

std::string textOf(const Step& step) {
  const StepKind& kind = *step.kind;
  const auto quoted = [](std::string text) {
    std::erase_if(text, [](char c) { return c == '"' || c == '\n'; });
    const bool plain = !text.empty() && text.find_first_of(" \t;#") == std::string::npos;
    return plain ? text : '"' + text + '"';
  };
  std::string line = kind.name, rest;
  if (!step.input.empty()) {
    const bool bare = (kind.of == StepKind::Of::Input || kind.bare.empty()) &&
                      !hasArgument(kind, step.input) && step.input.find('=') == std::string::npos;
    line += (bare ? " " : " input=") + quoted(step.input);
  }
  for (const StepArgument& argument : kind.arguments) {
    const std::string& text = step.text(argument.name);
    if (!argument.required && text == argument.fallback) continue;
    if (argument.valueName.empty())
      line += " " + argument.name;
    else if (kind.bare == "*" && argument.required)
      rest = " " + quoted(text);
    else if (argument.name == kind.bare && !text.empty())
      line += " " + quoted(text);
    else
      line += " " + argument.name + "=" + quoted(text);
  }
  return line + rest;
}

const StepKind& stepKind(const std::string& name) {
  std::vector<std::string> names;
  for (const StepKind& kind : stepKinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  const std::string nearest = nearestName(name, names);
  throw UsageError(
      fmt::format("expected a step, found \"{}\"{}", name,
                  nearest.empty() ? "" : fmt::format(", did you mean \"{}\"?", nearest)));
}

constexpr std::size_t kMaxSteps = 1000;  // each hands rows to the next by a call

std::vector<RecipeLine> recipeLines(const std::string& recipe, const std::string& file) {
  std::vector<RecipeLine> lines(1);
  int number = 1;
  bool quoted = false, comment = false;
  const auto expectClosed = [&] {
    if (quoted)
      throw UsageError(fmt::format("{}:{}: expected a second \", found none", file, number));
  };
  for (const char c : recipe) {
    if (c == '"' && !comment) quoted = !quoted;
    if (c == '#' && !quoted) comment = true;
    if (c == '\n') expectClosed();
    if (c == '\n' || (c == ';' && !quoted && !comment)) {
      if (c == '\n') ++number, comment = false;
      lines.emplace_back().number = number;
    } else {
      (comment ? lines.back().comment : lines.back().text) += c;
    }
  }
  expectClosed();
  for (RecipeLine& line : lines) {
    line.text = std::string(trimmed(line.text));
    if (!line.text.empty() || line.comment.empty()) continue;
    try {
      line.text = textOf(parseStep(line.comment.substr(1)));
      line.comment.clear(), line.on = false;
    } catch (const UsageError&) {  // words
    }
  }
  std::erase_if(lines, [](const auto& line) { return line.text.empty() && line.comment.empty(); });
  return lines;
}

std::string textOf(std::span<const RecipeLine> lines) {
  std::string recipe;
  for (const RecipeLine& line : lines) {
    const char* const between = line.text.empty() || line.comment.empty() ? "" : "  ";
    recipe += (line.on ? "" : "# ") + line.text + between + line.comment + "\n";
  }
  return recipe;
}

std::vector<Step> stepsIn(const std::string& recipe, const std::string& file) {
  std::vector<Step> steps;
  for (const RecipeLine& line : recipeLines(recipe, file)) {
    if (!line.on || line.text.empty()) continue;
    steps.push_back(parseStep(line.text, fmt::format("{}:{}: ", file, line.number)));
    if (steps.size() > kMaxSteps)
      throw UsageError(fmt::format("{}: expected at most {} steps, found more", file, kMaxSteps));
  }
  return steps;
}

std::vector<Step> parseSteps(const std::string& recipe, const std::string& file) {
  std::vector<Step> steps = stepsIn(recipe, file);
  if (steps.empty()) throw UsageError(fmt::format("{}: expected a step, found none", file));
  return steps;
}

// ---- Inputs

namespace {

std::string stemOf(const std::string& input) {
  const std::string file = fs::path(input).filename().string();
  return file.substr(0, file.find('.'));
}

void applyEdit(const Step& step, InputEdit& edit) {
  const std::string& name = step.kind->name;
  if (name == "hold-out") edit.role = Role::HoldOut;
  if (name == "hold-in") edit.role = Role::HoldIn;
  if (name == "hide") edit.visible = false;
  if (name == "ids") edit.ids = step.text("ids");
  if (name == "ids" && edit.ids.find(',') != std::string::npos)
    step.refuse("ids", "IDs with | between");
  if (name == "move-z") {
    edit.zScale = float(step.real("scale", 1e-30, 1e30));
    edit.zOffset = float(step.real("offset", -1e30, 1e30));
  }
  if (name == "range") {
    const ZRange range = parseZRange(step.place + "z", step.text("z"));
    edit.nearest = range.nearest, edit.farthest = range.farthest;
  }
}

}  // namespace

std::size_t inputOf(const Step& step, std::span<const std::string> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (step.input == inputs[i] || step.input == stemOf(inputs[i]) ||
        step.input == fs::path(inputs[i]).filename().string())
      return i;
  const std::size_t number = numberIn<std::size_t>(step.input).value_or(0);
  if (number >= 1 && (number <= inputs.size() || isSceneSpec(inputs[0]))) return number - 1;
  throw UsageError(fmt::format("{}expected the number or name of an input, found \"{}\"",
                               step.place, step.input));
}

std::string wordFor(std::size_t input, std::span<const std::string> inputs) {
  const std::string stem = stemOf(inputs[input]), pattern = patternOfNumbered(inputs[input]);
  const bool holds = pattern.empty() || stemOf(pattern) == stem;  // in the next frame, too
  const bool alone = holds && !stem.empty() && std::ranges::count(inputs, stem, stemOf) == 1;
  return alone ? stem : std::to_string(input + 1);
}

SortedSteps sortSteps(const std::vector<Step>& steps, std::span<const std::string> inputs,
                      std::vector<InputEdit>& edits) {
  SortedSteps sorted;
  for (const Step& step : steps) {
    if (step.input.empty()) {
      sorted.merged.push_back(step);
      continue;
    }
    const std::size_t input = inputOf(step, inputs);
    edits.resize(std::max(edits.size(), input + 1));
    if (step.kind->of == StepKind::Of::Either)
      sorted.onInputs.emplace_back(input, step);
    else
      applyEdit(step, edits[input]);
  }
  return sorted;
}

// ---- Arguments

const std::string& Step::text(const std::string& name) const {
  if (const auto at = given.find(name); at != given.end()) return at->second;
  const auto at = std::ranges::find(kind->arguments, name, &StepArgument::name);
  FATHOM_CHECK(at != kind->arguments.end());
  return at->fallback;
}

void Step::refuse(const std::string& name, const std::string& expected) const {
  throw UsageError(fmt::format("{}{}: expected {}, found \"{}\"", place.empty() ? "--" : place,
                               name, expected, text(name)));
}

std::vector<double> Step::numbers(const std::string& name, std::size_t count) const {
  const std::vector<std::string> parts = splitAt(text(name), ',');
  std::vector<double> numbers;
  for (const std::string& part : parts)
    if (const auto value = numberIn<double>(part); value && std::isfinite(*value))
      numbers.push_back(*value);
  if (parts.size() != count || numbers.size() != count)
    refuse(name, fmt::format("{} numbers with commas", count));
  return numbers;
}

double Step::real(const std::string& name, double low, double high) const {
  const double value = numberIn<double>(text(name)).value_or(NAN);
  if (!(value >= low && value <= high))
    refuse(name, fmt::format("a number from {:g} to {:g}", low, high));
  return value;
}

glm::ivec2 Step::size(const std::string& name) const {
  const std::vector<std::string> sides = splitAt(text(name), 'x');
  const glm::ivec2 found(numberIn<int>(sides.front()).value_or(0),
                         numberIn<int>(sides.back()).value_or(0));
  if (sides.size() != 2 || glm::any(glm::lessThan(found, glm::ivec2(1))) ||
      glm::any(glm::greaterThan(found, glm::ivec2(kMaxPictureSide))))
    refuse(name, fmt::format("WIDTHxHEIGHT, each side from 1 to {}", kMaxPictureSide));
  return found;
}

// ---- Rows by themselves

RowOperation::RowOperation(const DeepImage& in, std::function<void(DeepImage&)> work)
    : change(std::move(work)) {
  header = emptyLike(in, {});
  header.attributes = in.attributes;
  change(header);
  header.dataWindow = in.dataWindow;
}

namespace {

/// Of the argument `only`; null: all fragments.
std::shared_ptr<const IdFilter> filterOf(const Step& step, const DeepImage& header,
                                         const ChainContext& context) {
  const std::string& ids = step.text("only");
  if (ids.empty()) return nullptr;
  if (!hasIds(header.channels))
    fail("{}: expected an integer ID channel for --only, found none", context.file);
  auto filter = std::make_shared<const IdFilter>(header, ids);
  for (const std::string& pattern : filter->unmatched())
    log::warn("{}: no ID has a name like \"{}\"", context.file, pattern);
  return filter;
}

/// One number for all colors, or three.
ColorTriple tripleOf(const Step& step, const std::string& name) {
  const bool several = step.text(name).find(',') != std::string::npos;
  const std::vector<double> n = step.numbers(name, several ? 3 : 1);
  return several ? ColorTriple{n[0], n[1], n[2]} : ColorTriple{n[0], n[0], n[0]};
}

AnyOperation gradeOperation(const Step& step, const DeepImage& header, ChainContext& context) {
  Grade grade;
  grade.black = tripleOf(step, "black"), grade.white = tripleOf(step, "white");
  grade.lift = tripleOf(step, "lift"), grade.gain = tripleOf(step, "gain");
  grade.multiply = tripleOf(step, "multiply"), grade.offset = tripleOf(step, "offset");
  grade.gamma = tripleOf(step, "gamma");
  grade.channels = step.text("channels");
  for (std::size_t c = 0; c < 3; ++c) {
    if (grade.black[c] == grade.white[c]) step.refuse("white", "another value than --black");
    if (!(grade.gamma[c] > 0)) step.refuse("gamma", "numbers above 0");
  }
  return std::make_unique<RowOperation>(
      header, [grade, only = filterOf(step, header, context), &context](DeepImage& rows) mutable {
        grade.only = only.get();
        gradeFragments(rows, grade, context.repairs);
      });
}

AnyOperation expressionOperation(const Step& step, const DeepImage& header, ChainContext& context) {
  return std::make_unique<RowOperation>(header, [text = step.text("expression"),
                                                 only = filterOf(step, header, context),
                                                 &context](DeepImage& rows) {
    evaluateFragments(rows, {text, only.get(), double(context.frame.value_or(0))}, context.repairs);
  });
}

AnyOperation recolorOperation(const Step& step, const DeepImage& header, ChainContext& context) {
  const std::string& file = step.text("picture");
  auto picture = std::make_shared<const Picture>(readPicture(file));
  const bool target = step.on("target-alpha");
  if (!picture->hasAlpha && target)
    fail("{}: expected an alpha for --target-alpha, found none", file);
  return std::make_unique<RowOperation>(header, [picture, target, &context](DeepImage& rows) {
    recolor(rows, *picture, target ? RecolorAlpha::Target : RecolorAlpha::Keep, context.recolored);
  });
}

AnyOperation mergeEditOperation(const MergeEdit& edit, const DeepImage& header,
                                ChainContext& context) {
  return std::make_unique<RowOperation>(header, [edit, &context](DeepImage& rows) {
    if (rows.dataWindow.empty()) return;
    SharedAttributes attributes = rows.attributes;
    rows = mergeEdited(withEdits(std::span(&rows, 1)), edit, &context.thinned);
    rows.attributes = std::move(attributes);
  });
}

MergeEdit thinEdit(const Step& step, bool hasZBack) {
  const auto bound = [&](const std::string& name) {
    const std::string& text = step.text(name);
    const std::size_t slash = text.find('/');
    double over = 1, value = 0;
    char rest = 0;
    const bool right = slash == std::string::npos
                           ? std::sscanf(text.c_str(), "%lf%c", &value, &rest) == 1
                           : std::sscanf(text.c_str(), "%lf/%lf%c", &value, &over, &rest) == 2;
    if (!right || !(value >= 0) || !(over > 0)) step.refuse(name, "a number like 1/512");
    return value / over;
  };
  MergeEdit edit;
  if (step.has("count") == step.has("error")) step.refuse("error", "one of error and count");
  if (step.has("count"))
    edit.maxCount = int(step.real("count", 1, 1e6));
  else
    edit.thinError = bound("error"), edit.thinDepth = bound("depth");
  edit.tidy = hasZBack;
  return edit;
}

// ---- Rows cut off, and rows elsewhere

class Cropping : public Operation {
 public:
  Cropping(const Step& step, const DeepImage& in, const ChainContext& context) {
    constexpr double kFar = 1 << 28;  // sums of two are still numbers of pixels
    const std::vector<double> n = step.numbers("window", 4);
    if (std::ranges::any_of(n, [](double v) { return v != std::floor(v) || std::abs(v) > kFar; }))
      step.refuse("window", "whole numbers X,Y,WIDTH,HEIGHT");
    const Rect wanted{int(n[0]), int(n[1]), int(n[2]), int(n[3])};
    if (wanted.empty()) step.refuse("window", "X,Y,WIDTH,HEIGHT of at least one pixel");
    header = in;
    header.dataWindow = intersect(in.dataWindow, wanted);
    if (header.dataWindow.empty())
      fail("{}: expected a window that meets {},{} {}x{}, found {}", context.file, in.dataWindow.x,
           in.dataWindow.y, in.dataWindow.width, in.dataWindow.height, step.text("window"));
    if (step.on("reformat")) header.displayWindow = wanted;
  }
  void take(DeepImage&& rows, const Next& next) override {
    const Rect left = intersect(rows.dataWindow, header.dataWindow);
    if (left.empty()) return;
    next(left == rows.dataWindow ? std::move(rows)
                                 : mergeEdited(withEdits(std::span(&rows, 1)), {}, nullptr, left));
  }
};

/// What a picture that lies elsewhere no longer has: the place of the world in it.
void dropPlaces(DeepImage& header) {
  if (!header.attributes) return;
  Attributes all = *header.attributes;
  if (std::erase_if(all, [](const Attribute& a) { return a.name == "worldToNDC"; }) == 0) return;
  log::warn("worldToNDC is dropped: pixels have moved");
  header.attributes = std::make_shared<const Attributes>(std::move(all));
}

class Moving : public Operation {
 public:
  Moving(const DeepImage& in, glm::ivec2 by) : by_(by) {
    header = in;
    dropPlaces(header);
    header.dataWindow.x += by.x, header.dataWindow.y += by.y;
  }
  void take(DeepImage&& rows, const Next& next) override {
    rows.dataWindow.x += by_.x, rows.dataWindow.y += by_.y;
    next(std::move(rows));
  }

 private:
  glm::ivec2 by_;
};

/// Rows of the output are made when all that lies under them is there, and what lies above the next
/// ones goes.
class Resampled : public Operation {
 public:
  Resampled(const DeepImage& in, const Resampling& how, ChainContext& context)
      : how_(how), in_(in), context_(context), next_(how.dataWindow.y) {
    header = emptyOutput(in, how);
  }
  void take(DeepImage&& rows, const Next& next) override {
    below_ = rows.dataWindow.bottom();
    waiting_.push_back(std::move(rows));
    make(next, false);
  }
  void end(const Next& next) override { make(next, true); }

 private:
  /// The rows of the image under a row of the output: first <= y < second.
  std::pair<double, double> under(int y) const {
    if (!isSeparable(how_)) return {-INFINITY, INFINITY};
    const FilterAt at = filterAt(how_, how_.dataWindow.x, y);
    const double reach = reachOf(how_.filter) * at.stretch.y + 2;
    return {std::floor(at.middle.y - reach), std::ceil(at.middle.y + reach)};
  }
  void make(const Next& next, bool all) {
    constexpr int kFewRows = 32;
    int last = next_;
    while (last < how_.dataWindow.bottom() && (all || under(last).second <= double(below_))) ++last;
    if (last == next_ || (!all && last - next_ < kFewRows)) return;
    Resampling part = how_;
    part.dataWindow.y = next_, part.dataWindow.height = last - next_;
    next_ = last;
    const DeepImage source = joined();
    next(resampled(source, part, &context_.thinned));
    keep(source);
  }
  DeepImage joined() {
    DeepImage source = emptyLike(in_, {});
    for (DeepImage& rows : waiting_) appendRows(source, std::move(rows));
    waiting_.clear();
    return source;
  }
  /// Of what was there, that which the next row needs.
  void keep(const DeepImage& source) {
    if (next_ >= how_.dataWindow.bottom()) return;
    const double first = under(next_).first;
    Rect rows = source.dataWindow;
    const int y = int(std::clamp(first, double(rows.y), double(rows.bottom())));
    rows.height -= y - rows.y, rows.y = y;
    if (!rows.empty())
      waiting_.push_back(mergeEdited(withEdits(std::span(&source, 1)), {}, nullptr, rows));
  }

  Resampling how_;
  DeepImage in_;
  ChainContext& context_;
  std::vector<DeepImage> waiting_;
  int below_ = INT_MIN, next_;
};

PixelFilter pixelFilterOf(const Step& step) {
  const std::string& name = step.text("filter");
  const char* const names[] = {"box", "tent", "gaussian", "mitchell"};
  for (int i = 0; i < 4; ++i)
    if (name == names[i]) return PixelFilter(i);
  step.refuse("filter", "box, tent, gaussian or mitchell");
}

AnyOperation resampledBy(const Step& step, Resampling how, const DeepImage& header,
                         ChainContext& context) {
  if (!step.on("keep-all")) {
    how.thinError = context.thinError > 0 ? context.thinError : kUsualThinning;
    how.thinDepth = context.thinDepth > 0 ? context.thinDepth : kUsualDepth;
  }
  return std::make_unique<Resampled>(header, how, context);
}

AnyOperation resizeOperation(const Step& step, const DeepImage& header, ChainContext& context) {
  const PixelFilter filter = pixelFilterOf(step);
  if (step.has("size") == step.has("scale"))
    throw UsageError(step.place + "expected either --size or --scale, found " +
                     (step.has("size") ? "both" : "neither"));
  const glm::dvec2 frame(header.displayWindow.width, header.displayWindow.height);
  const glm::ivec2 size =
      step.has("size") ? step.size("size")
                       : glm::ivec2(glm::clamp(glm::round(frame * step.real("scale", 1e-4, 1e4)),
                                               1.0, double(kMaxPictureSide)));
  return resampledBy(step, resizing(header, size, filter), header, context);
}

AnyOperation transformOperation(const Step& step, const DeepImage& in, ChainContext& context) {
  const PixelFilter filter = pixelFilterOf(step);
  const std::vector<double> move = step.numbers("translate", 2);
  const double angle = step.real("rotate", -36000, 36000) * std::numbers::pi / 180;
  const double scale = step.real("scale", 1e-4, 1e4);
  const glm::ivec2 whole(glm::clamp(glm::dvec2(move[0], move[1]), -1e6, 1e6));
  if (!step.has("corner-pin") && angle == 0 && scale == 1 &&
      glm::dvec2(whole) == glm::dvec2(move[0], move[1]))
    return std::make_unique<Moving>(in, whole);
  const Rect& frame = in.displayWindow;
  // About the middle of the frame: scaled, turned (counter-clockwise; y runs down), moved.
  const glm::dvec2 middle(frame.x + frame.width * 0.5, frame.y + frame.height * 0.5);
  const double c = scale * std::cos(angle), s = scale * std::sin(angle);
  const glm::dvec2 to = middle + glm::dvec2(move[0], move[1]);
  glm::dmat3 map(c, -s, 0, s, c, 0, 0, 0, 1);
  map[2] = glm::dvec3(to.x - c * middle.x - s * middle.y, to.y + s * middle.x - c * middle.y, 1);
  if (step.has("corner-pin")) {
    const std::vector<double> n = step.numbers("corner-pin", 8);
    map = map * cornerPin(frame, {{{n[0], n[1]}, {n[2], n[3]}, {n[4], n[5]}, {n[6], n[7]}}});
  }
  DeepImage header = in;
  dropPlaces(header);
  return resampledBy(step, transforming(header, map, filter), header, context);
}

}  // namespace

AnyOperation makeOperation(const Step& step, const DeepImage& header, ChainContext& context) try {
  const std::string& name = step.kind->name;
  if (name == "grade") return gradeOperation(step, header, context);
  if (name == "expression") return expressionOperation(step, header, context);
  if (name == "recolor") return recolorOperation(step, header, context);
  if (name == "crop") return std::make_unique<Cropping>(step, header, context);
  if (name == "resize") return resizeOperation(step, header, context);
  if (name == "transform") return transformOperation(step, header, context);
  if (name == "tidy") return mergeEditOperation({.tidy = true}, header, context);
  if (name == "drop-hidden")
    return mergeEditOperation({.dropHidden = float(step.real("alpha", 0, 1))}, header, context);
  if (name == "thin") return mergeEditOperation(thinEdit(step, header.hasZBack), header, context);
  return std::make_unique<RowOperation>(
      header, [name = name, list = step.text("channels"), file = context.file](DeepImage& rows) {
        editChannels(rows, name, list, file);
      });
} catch (const UsageError& error) {  // what is wrong with a flag is wrong in a line of the recipe
  const std::string what = error.what();
  if (step.place.empty() || !what.starts_with("--")) throw;
  throw UsageError(step.place + what.substr(2));
} catch (const Error& error) {
  if (step.place.empty()) throw;
  throw Error(step.place + error.what());
}

Chain::Chain(std::span<const Step> steps, const DeepImage& header, ChainContext& context)
    : in_(header) {
  for (const Step& step : steps)
    operations_.push_back(makeOperation(step, this->header(), context));
}

void Chain::pass(std::size_t at, DeepImage&& rows, const Operation::Next& out) {
  if (at == operations_.size()) return out(std::move(rows));
  operations_[at]->take(std::move(rows),
                        [&](DeepImage&& more) { pass(at + 1, std::move(more), out); });
}

void Chain::end(const Operation::Next& out) {
  for (std::size_t at = 0; at < operations_.size(); ++at)
    operations_[at]->end([&](DeepImage&& more) { pass(at + 1, std::move(more), out); });
}

}  // namespace fathom::deep
