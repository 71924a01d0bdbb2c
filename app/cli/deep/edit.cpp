// SPDX-License-Identifier: BSD-3-Clause
// fathom deep run, and the commands that are chains of one step: resize | transform | crop |
// recolor | grade | expression. And pack | unpack: the same image in another file.
#include "app/cli/deep/inputs_outputs.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/deep/operations/chain.h"
#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/io/atomic_file.h"

namespace fathom::deep {
namespace {

/// Rows of an input with steps of its own.
class ChangedRows final : public DeepRows {
 public:
  ChangedRows(std::unique_ptr<DeepRows> rows, const Step& step, ChainContext& context)
      : rows_(std::move(rows)), operation_(makeOperation(step, rows_->header(), context)) {}
  DeepImage header() const override { return operation_->header; }
  const std::vector<std::uint64_t>& rowCounts() override { return rows_->rowCounts(); }
  int rowStep() const override { return rows_->rowStep(); }
  DeepImage read(int first, int last) override {
    DeepImage rows = rows_->read(first, last);
    dynamic_cast<RowOperation&>(*operation_).change(rows);
    return rows;
  }

 private:
  std::unique_ptr<DeepRows> rows_;
  AnyOperation operation_;
};

/// Steps over the inputs of a command, in one pass.
class ChainRun {
 public:
  ChainRun(CommandContext& context, const std::vector<Step>& steps)
      : context_(context),
        settings_(context.as<DeepEngine>().settingsStruct()),
        asked_(settings_),
        output_(writeOptions(context)) {
    takeOnePart(context);
    if (context.record.command == "deep run") settings_.steps.clear();  // they are these
    std::vector<InputEdit> edits = editsOf(settings_, context.inputs.size());
    SortedSteps sorted = sortSteps(steps, context.inputs, edits);
    merged_ = std::move(sorted.merged), onInputs_ = std::move(sorted.onInputs);
    setEdits(settings_, edits);
    settings_.thinError.clear();  // once, at the end
  }
  ~ChainRun() { settings_ = asked_; }  // for the next frame
  ChainRun(const ChainRun&) = delete;
  ChainRun& operator=(const ChainRun&) = delete;

  void run() {
    DeepEngine& technique = openRowsForBands(
        context_, [this](const auto& files, const auto& options) { return open(files, options); });
    if (!technique.opened().streamed() && !onInputs_.empty())
      fail("{}: expected deep EXR files and --stream for steps on one input, found others",
           context_.inputs[0]);
    setUp();
    BandMerger merger = technique.bandMerger(context_.gpu());
    Chain chain(merged_, headerSaid(context_, merger.setup()), chain_);
    output_.progress = nullptr;
    BandWriter writer(context_.output, chain.header(), output_);
    double chainMs = 0;
    const auto timed = [&](const auto& work) {
      const Stopwatch watch;
      const double before = writer.ms();
      work([&](DeepImage&& rows) { writer.write(std::move(rows)); });
      chainMs += watch.ms() - (writer.ms() - before);
    };
    const Stopwatch watch;
    merger.merge(context_.progress, [&](DeepImage&& band) {
      timed([&](const auto& out) { chain.take(std::move(band), out); });
    });
    timed([&](const auto& out) { chain.end(out); });
    writer.finish();
    reportStages(context_, merger, watch.ms() - chainMs, writer.ms());
    context_.record.addPhase(isResampled_ ? "resample" : "change", chainMs);
    const Rect& window = chain.header().dataWindow;
    context_.record.size = {window.width, window.height};
    report(merger.facts().fragmentsIn, writer.fragments());
    reportFragments(context_, merger.facts().fragmentsIn, writer.fragments());
  }

 private:
  std::vector<std::unique_ptr<DeepRows>> open(const std::vector<std::string>& files,
                                              const DeepReadOptions& options) {
    Rect within;  // what a crop leaves is all that is read
    if (!merged_.empty() && merged_[0].kind->name == "crop") {
      const std::vector<double> n = merged_[0].numbers("window", 4);
      within = {int(n[0]), int(n[1]), std::max(1, int(n[2])), std::max(1, int(n[3]))};
    }
    std::vector<std::unique_ptr<DeepRows>> images = openRows(files, options, within);
    if (!within.empty() && std::ranges::all_of(images, [&](const auto& rows) {
          return intersect(rows->header().dataWindow, within).empty();
        }))
      images = openRows(files, options);
    for (const auto& [input, step] : onInputs_) {
      ChainContext& own = ofInputs_.emplace_back();
      own.file = files[input], own.frame = context_.frame;
      images[input] = std::make_unique<ChangedRows>(std::move(images[input]), step, own);
    }
    return images;
  }

  void setUp() {
    chain_.file = context_.inputs[0], chain_.frame = context_.frame;
    chain_.thinError = thinErrorOf(asked_.thinError);
    chain_.thinDepth = thinErrorOf(asked_.thinDepth);
    isResampled_ = std::ranges::any_of(merged_, [](const Step& step) {
      return step.kind->name == "resize" || step.kind->name == "transform";
    });
    if (isResampled_ || asked_.thinError.empty()) return;
    Step thin;
    thin.kind = &stepKind("thin");
    thin.given["error"] = asked_.thinError;
    if (!asked_.thinDepth.empty()) thin.given["depth"] = asked_.thinDepth;
    merged_.push_back(thin);
  }

  bool has(std::initializer_list<const char*> names) const {
    const auto isOne = [&](const Step& step) {
      return std::ranges::any_of(names, [&](const char* name) { return step.kind->name == name; });
    };
    return std::ranges::any_of(merged_, isOne) ||
           std::ranges::any_of(onInputs_, [&](const auto& one) { return isOne(one.second); });
  }

  void report(std::uint64_t in, std::uint64_t out) {
    RunRecord& record = context_.record;
    const ThinReport& thinned = chain_.thinned;
    if (has({"resize", "transform", "thin"})) {
      record.set("largest_error", thinned.error);
      record.set("flat_error", thinned.flatError);
      record.set("largest_depth_move", thinned.depth);
      context_.print(fmt::format(
          "{} fragments of {}; thinned within {:.6g}, depths within {:.6g} of themselves", out, in,
          thinned.error, thinned.depth));
    }
    if (has({"grade", "expression"})) reportRepaired();
    if (!has({"recolor"})) return;
    const RecolorReport& recolored = chain_.recolored;
    if (recolored.pixelsOutside > 0)
      log::warn("{}: {} pixels with fragments are outside of the image and became black",
                context_.output, recolored.pixelsOutside);
    if (recolored.pixelsLost > 0)
      log::warn("{}: {} pixels with color have no fragments, their color is left out",
                context_.output, recolored.pixelsLost);
    record.set("pixels_outside", std::uint64_t(recolored.pixelsOutside));
    record.set("pixels_lost", std::uint64_t(recolored.pixelsLost));
  }

  void reportRepaired() {
    ColorRepairs repairs = chain_.repairs;
    for (const ChainContext& one : ofInputs_)
      repairs.notFinite += one.repairs.notFinite, repairs.alphaOutside += one.repairs.alphaOutside;
    context_.record.set("values_not_finite", std::uint64_t(repairs.notFinite));
    context_.record.set("alphas_brought_in", std::uint64_t(repairs.alphaOutside));
    if (repairs.notFinite > 0)
      log::warn("{}: {} values were not finite: colors became 0, depths infinite", context_.output,
                repairs.notFinite);
    if (repairs.alphaOutside > 0)
      log::warn("{}: {} alphas were brought into 0..1", context_.output, repairs.alphaOutside);
  }

  CommandContext& context_;
  Settings& settings_;
  Settings asked_;
  DeepWriteOptions output_;
  std::vector<Step> merged_;
  std::vector<std::pair<std::size_t, Step>> onInputs_;
  std::deque<ChainContext> ofInputs_;  // read beside the chain, on another thread
  ChainContext chain_;
  bool isResampled_ = false;
};

/// The step of a command, from its flags.
Step stepOf(const CommandContext& context, const std::string& name) {
  Step step;
  step.kind = &stepKind(name);
  for (const StepArgument& argument : step.kind->arguments)
    if (argument.name == "size" || argument.name == "picture")
      continue;
    else if (context.given(argument.name))
      step.given[argument.name] = context.text(argument.name);
  return step;
}

}  // namespace

void runStep(CommandContext& context) {
  Step step = stepOf(context, context.record.command.substr(std::strlen("deep ")));
  static const std::set<std::string> notAlone{"channels", "only", "filter", "keep-all"};
  const bool changes = std::ranges::any_of(
      step.given, [](const auto& one) { return !notAlone.contains(one.first); });
  if (!changes && (step.kind->name == "grade" || step.kind->name == "transform"))
    failUsage("expected what to {}, like --{}; found nothing", step.kind->name,
              step.kind->name == "grade" ? "gain 2" : "rotate 5");
  if (step.kind->name == "resize" && context.size)
    step.given["size"] = fmt::format("{}x{}", context.size->x, context.size->y);
  ChainRun(context, {step}).run();
}

void runRecolor(CommandContext& context) {
  const std::vector<std::string> inputs = context.inputs;
  Step step = stepOf(context, "recolor");
  step.given["picture"] = inputs.back();
  context.inputs.pop_back();
  ChainRun(context, {step}).run();
  context.inputs = inputs;
}

void runChain(CommandContext& context) {
  const std::string steps = context.as<DeepEngine>().settingsStruct().steps;
  if (!steps.empty()) return ChainRun(context, parseSteps(steps, "--do")).run();
  const std::vector<std::string> inputs = context.inputs;
  if (inputs.size() < 2)
    throw UsageError("expected a recipe (or --do) and deep EXR files, found one input");
  context.inputs.erase(context.inputs.begin());
  try {
    ChainRun(context, parseSteps(readFile(inputs[0], kMaxRecipeBytes), inputs[0])).run();
  } catch (const UsageError& error) {
    throw Error(error.what());  // the file's mistake
  }
  context.inputs = inputs;
}

void runPack(CommandContext& context) {
  if (context.size)
    throw UsageError("--size: pack and unpack keep the size of the image; see deep resize");
  const std::string& file = context.inputs[0];
  std::vector<DeepExrReader> readers;
  std::vector<DeepImage> headers;
  for (const ExrPartInfo& part : exrParts(file)) {
    if (!part.deep) fail("{}: expected deep parts alone, found a flat one", file);
    if (part.levelCount > 1) fail("{}: expected one level, found {}", file, part.levelCount);
    const DeepReadOptions options{.part = std::to_string(part.index), .asStored = true};
    headers.push_back(readers.emplace_back(file, options).emptyImage());
  }
  const DeepWriteOptions options{.asStored = true};
  DeepExrWriter writer(context.output, headers, options);
  std::uint64_t fragments = 0;
  constexpr std::uint64_t kAtOnce = 1 << 21;  // fragments
  context.progress.begin("packing", double(readers.size()));
  for (std::size_t part = 0; part < readers.size(); ++part) {
    const Rect window = headers[part].dataWindow;
    const int step = std::max(writer.rowStep(), readers[part].rowStep());
    const std::vector<std::uint64_t>& counts = readers[part].rowCounts();
    for (int first = 0, last = 0; first < window.height; first = last) {
      context.progress.throwIfCancelled();
      std::uint64_t sum = 0;
      while (last < window.height && (last == first || sum < kAtOnce))
        for (const int end = std::min(window.height, last + step); last < end; ++last)
          sum += counts[std::size_t(last)];
      const DeepImage rows = readers[part].readRows(window.y + first, window.y + last);
      writer.writeRows(rows, int(part));
      fragments += sum;
    }
    context.progress.advance(1);
  }
  writer.finish();
  const auto before = fs::file_size(file), after = fs::file_size(context.output);
  context.record.set("fragments", fragments);
  context.record.set("bytes", std::uint64_t(after));
  context.record.set("ratio", double(after) / double(before));
  context.print(
      fmt::format("{} bytes of {}: {:.3f}", after, before, double(after) / double(before)));
}

}  // namespace fathom::deep
