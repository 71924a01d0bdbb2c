// SPDX-License-Identifier: BSD-3-Clause
// fathom deep composite: the deep picture of a scene or of files by the ranks that mpirun started,
// and by this process alone without it; the same bytes either way. With --own-inputs each rank has
// files that the others need not see.
#include "app/cli/deep/inputs_outputs.h"
#include "app/engine/core/error.h"
#include "app/engine/core/launch.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/distribute/device_ranks.h"
#include "app/engine/deep/distribute/rank_composite.h"
#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/deflate.h"
#include "app/engine/ranks/job.h"
#include "app/engine/scene/load_scene.h"
#include "app/system/machine.h"

namespace fathom::deep {
namespace {

/// A quarter of this machine's memory, shared by the ranks on it.
std::uint64_t memoryOfRank(CommandContext& context) {
  if (context.given("rank-memory"))
    return std::uint64_t(context.number("rank-memory", 1, 1 << 30)) << 20;
  return system::memoryBytes() / 4 / std::uint64_t(launchLocalRanks());
}

struct Flags {
  Deal deal = Deal::Parts;
  double thinError = 0;
  RankOptions options;
};

Flags flagsOf(CommandContext& context) {
  Flags flags;
  // All of these mean the one route that is left.
  wordIndex("--exchange", context.text("exchange"),
            {"auto", "direct-send", "binary-swap", "radix-k"});
  flags.deal = Deal(wordIndex("--split", context.text("split"), {"parts", "triangles", "morton"}));
  if (context.given("thin-sent-error")) {
    const std::string& text = context.text("thin-sent-error");
    if (const std::string wanted = complaintOfThinError(text); text.empty() || !wanted.empty())
      failUsage("--thin-sent-error: expected {}, found \"{}\"",
                text.empty() ? "a number between 0 and 1, like 1/512" : wanted, text);
    flags.thinError = thinErrorOf(text);
  }
  RankOptions& options = flags.options;
  options.level = context.number("wire-level", 0, 12);
  options.bands = context.number("bands", 1, 4096);
  options.memoryBytes = memoryOfRank(context);
  return flags;
}

/// Bytes would round by more than most bounds allow.
void expectBoundHolds(double thinError, const MergeSetup& setup) {
  if (thinError > 0 && setup.shape.format == FragmentFormat::Rgba8)
    throw UsageError(
        "--thin-sent-error: expected --capture-format half, which can keep a bound, found rgba8");
}

bool writesDeep(CommandContext& context) {
  const bool deep = context.on("deep");
  if (deep && fs::path(context.output).extension() != ".exr")
    failUsage("--deep: expected an output that ends in .exr, found \"{}\"", context.output);
  return deep;
}

// ---- Inputs of each rank's own

/// A file of another rank, without fragments here.
class RowsElsewhere final : public DeepRows {
 public:
  explicit RowsElsewhere(DeepImage header) : header_(std::move(header)) {}
  DeepImage header() const override { return header_; }
  const std::vector<std::uint64_t>& rowCounts() override { return none_; }
  DeepImage read(int first, int) override {
    return emptyLike(header_, {header_.dataWindow.x, first, header_.dataWindow.width, 0});
  }

 private:
  DeepImage header_;
  std::vector<std::uint64_t> none_;
};

/// Adds those of the other ranks to this one's files, in order of rank; all have the same channels.
/// Returns which are this rank's. All ranks call it.
std::vector<bool> meet(ranks::Team& job, std::vector<std::unique_ptr<DeepRows>>& rows,
                       std::vector<std::string>& names) {
  std::string windows;
  for (const auto& image : rows) {
    const Rect w = image->header().dataWindow;
    windows += fmt::format("{} {} {} {} ", w.x, w.y, w.width, w.height);
  }
  const std::vector<std::string> all = job.gatherTexts(windows);
  const DeepImage like = rows.at(0)->header();
  std::vector<std::unique_ptr<DeepRows>> mine = std::exchange(rows, {});
  std::vector<bool> own;
  for (std::size_t r = 0; r < all.size(); ++r) {
    std::istringstream in(all[r]);
    std::size_t number = 0;
    for (Rect w; in >> w.x >> w.y >> w.width >> w.height; ++number) {
      names.push_back(fmt::format("input {} of rank {}", number + 1, r));
      own.push_back(int(r) == job.rank());
      if (own.back())
        rows.push_back(std::move(mine[number]));
      else
        rows.push_back(std::make_unique<RowsElsewhere>(emptyLike(like, w)));
    }
  }
  return own;
}

/// What all ranks have to agree on.
std::string factsOf(CommandContext& context, const Inputs& inputs, const MergeSetup& setup) {
  const bool own = context.on("own-inputs");
  const DeepImage header = inputs.header(setup.shape.format);
  std::string facts =
      fmt::format("deep composite, {} x {} at {}:{}, format {}, {} inputs of {} fragments",
                  inputs.size().x, inputs.size().y, inputs.origin().x, inputs.origin().y,
                  int(setup.shape.format), inputs.count(), own ? 0 : inputs.fragmentCount());
  for (const char* flag : {"exchange", "split", "wire-level", "thin-sent-error", "bands", "deep",
                           "eye", "target", "up", "fov"})
    facts += fmt::format(", --{} {}", flag, context.text(flag));
  for (const DeepChannel& channel : header.channels)
    facts += fmt::format(", {} {}", channel.name, int(channel.type));
  if (inputs.scene()) return facts + ", " + contentOf(*inputs.scene());
  if (own) return facts;
  for (const std::string& name : inputs.names()) {
    const auto [file, part] = splitPart(name);
    facts += fmt::format(", file{}{} of checksum {:08x}", part.empty() ? "" : "#", part,
                         checksumOfFile(file));
  }
  return facts;
}

void reportRanks(CommandContext& context, ranks::Team& job, const RankFigures& mine) {
  const std::vector<RankFigures> ranks = job.gather(std::span(&mine, 1));
  const auto sum = [&](auto figure) {
    double total = 0;
    for (const RankFigures& r : ranks) total += std::invoke(figure, r);
    return total;
  };
  const auto most = [&](double RankFigures::*figure) {
    return std::ranges::max(ranks, {}, figure).*figure;
  };
  RunRecord& record = context.record;
  record.set("ranks", job.ranks());
  record.set("fragments_in", std::uint64_t(sum(&RankFigures::fragments)));
  record.set("fragments_sent", std::uint64_t(sum(&RankFigures::sentFragments)));
  record.set("fragments_out", std::uint64_t(sum(&RankFigures::mergedFragments)));
  record.set("regions", std::uint64_t(mine.regions));
  record.set("bytes_sent", std::uint64_t(sum(&RankFigures::sentBytes)));
  record.set("bytes_gathered", std::uint64_t(sum(&RankFigures::gatheredBytes)));
  record.set("raw_bytes", std::uint64_t(sum(&RankFigures::rawBytes)));
  record.set("sent_of_raw",
             sum(&RankFigures::sentBytes) / std::max(1.0, sum(&RankFigures::rawBytes)));
  record.set("overlap", sum(&RankFigures::phases) / std::max(1.0, sum(&RankFigures::wall)));
  if (const double error = most(&RankFigures::mergedError); error > 0)
    record.set("largest_error", error),
        record.set("flat_error", most(&RankFigures::mergedFlatError));
  if (context.given("thin-sent-error")) {
    record.set("sent_error", most(&RankFigures::largestError));
    record.set("picture_error", sum(&RankFigures::errorSum));
  }
  std::string csv =
      "rank,capture_ms,pack_ms,encode_ms,exchange_ms,decode_ms,merge_ms,write_ms,wall_ms,raw_bytes,"
      "sent_bytes,gathered_bytes,messages,fragments,sent_fragments,merged_fragments\n";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const RankFigures& r = ranks[i];
    const double numbers[] = {r.capture,   r.pack,          r.encode,         r.exchange,
                              r.decode,    r.merge,         r.write,          r.wall,
                              r.rawBytes,  r.sentBytes,     r.gatheredBytes,  r.messages,
                              r.fragments, r.sentFragments, r.mergedFragments};
    csv += fmt::format("{},{:.0f}\n", i, fmt::join(numbers, ","));
  }
  if (job.rank() == 0 && context.given("figures")) writeFile(context.text("figures"), csv);
}

/// What is open on all ranks. `own`: with --own-inputs, which of the files are this rank's. All
/// ranks call it.
DeepEngine& openOnRanks(CommandContext& context, ranks::Job& job, std::vector<bool>& own) {
  const bool each = context.on("own-inputs");
  DeepEngine* technique = nullptr;
  std::vector<std::unique_ptr<DeepRows>> images;  // of each
  job.collective([&] {
    if (each && !context.on("stream"))
      throw UsageError("--own-inputs: expected files that stay on the disk, found --stream=off");
    if (each)
      images = openRows(context.inputs, readOptions(context));
    else
      technique = &openForBands(context);
  });
  job.expectSame(context.inputs[0], "--own-inputs " + context.text("own-inputs"),
                 [](FieldVisitor&) {});
  if (!each) return *technique;
  std::vector<std::string> names;
  own = meet(job, images, names);
  job.collective([&] {
    technique = &openRowsForBands(context, [&](const auto&, const auto&) {
      context.inputs = names;
      return std::move(images);
    });
  });
  return *technique;
}

/// Rank 0 writes; the file is there when all ranks have done their part.
void composite(CommandContext& context, ranks::Job& job, bool deep) {
  const Flags flags = flagsOf(context);
  std::vector<bool> own;
  DeepEngine& technique = openOnRanks(context, job, own);
  std::optional<MergeSetup> setup;
  std::string facts;
  job.collective([&] {
    setup = technique.bandMerger(context.gpu()).setup();
    expectBoundHolds(flags.thinError, *setup);
    facts = factsOf(context, technique.opened(), *setup);
  });
  job.expectSame(context.inputs[0], facts,
                 [&](FieldVisitor& field) { context.technique().describe(field); });
  const Inputs& inputs = technique.opened();
  std::optional<InputsShare> share;
  job.collective([&] {
    share.emplace(context.gpu(), inputs, *setup, flags.deal, job.rank(), job.ranks(),
                  flags.thinError, own);
    technique.dropTriangles();
  });
  DeviceMerge merge(context.gpu(), inputs, *setup);
  const RankPicture ranked{inputs.header(setup->shape.format), inputs.count()};
  RankComposite composite(job, ranked, *share, merge, flags.options);
  const DeepImage header = savedHeader(inputs, *setup);
  std::optional<BandWriter> bands;
  std::optional<PictureWriter> picture;
  std::optional<DeepExrPacker> packer;
  job.collective([&] {
    // Tiles reach over the rows of several ranks; how files are packed is known of those at hand.
    if (deep && own.empty() && !writeOptions(context).tiled)
      packer.emplace(context.output, header, writeOptions(context));
    if (job.rank() != 0) return;
    if (deep)
      bands.emplace(context.output, header, writeOptions(context));
    else
      picture.emplace(context.output, header, context.on("float"));
  });
  const RankComposite::RowFile file{
      [&](const Rect& rows) { return packer->fits(rows); },
      [&](const DeepImage& rows) { return packer->pack(rows); },
      [&](std::span<const std::byte> packed) { bands->store(packed); }};
  if (deep) {
    DeepImage merged = ranked.header;
    // What is thinned within a bound is no longer bytes.
    if (setup->edits(Purpose::File).merged.thinError > 0 && merged.format == FragmentFormat::Rgba8)
      makeIndexed(merged);
    composite.merge(
        context.progress, std::move(merged),
        [&](DeepImage&& rows) { bands->write(std::move(rows)); }, packer ? &file : nullptr);
  } else {
    composite.flatten(context.progress, [&](const Rect&, Image&& rows) { picture->write(rows); });
  }
  job.collective([&] {
    if (bands) bands->finish();
    if (picture) picture->finish();
  });
  technique.keepResolved();
  reportRanks(context, job, composite.figures());
}

void runComposite(CommandContext& context) {
  const bool deep = writesDeep(context);
  flagsOf(context);  // wrong flags are refused before any work
  if (!startedByMpirun()) {
    takeOnePart(context);
    return deep ? runMerge(context) : runFlattenColor(context);
  }
  bool first = true;
  ranks::Job::run([&](ranks::Job& job) {
    first = job.rank() == 0;
    composite(context, job, deep);
  });
  if (!first) throw PeerFailed(0);
}

}  // namespace

Command compositeCommand() {
  return {"composite",
          "Merge or composite in parallel, every fragment (MPI under mpirun).",
          "fathom deep composite hairball --split morton -o hairball.png",
          {"IN", 1, -1, "Deep EXR files, or one scene (its parts are the images)."},
          {writtenEndings()},
          withCamera(withColor(
              {{"deep", "", "Write the merged deep image, not the flat image.", "off"},
               {"exchange", "NAME",
                "No effect, kept for scripts: auto, direct-send, binary-swap or radix-k.", "auto"},
               {"own-inputs", "",
                "Each rank names files of its own: those of all ranks are composited, in order of "
                "rank.",
                "off"},
               {"split", "NAME",
                "How to split a scene: parts in turn, triangles (consecutive ones) or morton "
                "(along a space-filling curve).",
                "parts"},
               {"wire-level", "N", "Compression of messages: 1 (fast) to 12 (small); 0: off.", "1"},
               {"thin-sent-error", "E",
                "Thin the sent fragments, keeping alpha and light at any depth within this, like "
                "1/512. --json has the bound for the image."},
               {"bands", "N", "Initial number of bands.", "4"},
               {"rank-memory", "MIB", "Memory per rank for bands; less memory makes more bands.",
                "a quarter of the machine's, shared"},
               {"figures", "FILE.csv", "Times and bytes of each rank."},
               kPart,
               kKeepBad,
               kStream,
               kCompression,
               kTiled,
               {"float", "", "Write float channels to the flat EXR instead of half.", "off"}})),
          runComposite};
}

}  // namespace fathom::deep
