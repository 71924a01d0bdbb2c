// SPDX-License-Identifier: BSD-3-Clause
// fathom deep cryptomatte, and captures with IDs: what the parts of a picture are called.
#include "app/engine/io/exr/cryptomatte.h"
#include "app/cli/deep/inputs_outputs.h"
#include "app/engine/core/bytes.h"
#include "app/engine/core/deep_image.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/deep/operations/flatten_channels.h"
#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/exr/flat_exr.h"

namespace fathom::deep {
namespace {

/// The uint channel that is asked for, else the first.
std::string idChannel(const CommandContext& context, const DeepImage& header) {
  const std::string& wanted = context.text("id");
  std::string found;
  for (const DeepChannel& channel : header.channels) {
    if (channel.type != ChannelType::Uint) continue;
    if (wanted.empty() || channel.name == wanted) return channel.name;
    found += (found.empty() ? "" : ", ") + channel.name;
  }
  fail("{}: expected {}, found {}", context.inputs[0],
       wanted.empty() ? "an integer ID channel" : fmt::format("an ID channel \"{}\"", wanted),
       found.empty() ? "none" : found);
}

/// The whole captured part, all its fragments with one ID.
DeepImage partWithId(CommandContext& context, DeepEngine& technique, std::size_t part,
                     std::size_t parts, std::uint32_t id) {
  std::string visible;
  for (std::size_t i = 0; i < parts; ++i)
    visible += fmt::format("{}{}", i ? "," : "", i == part ? "on" : "off");
  technique.settingsStruct().visible = visible;
  BandMerger merger = technique.bandMerger(context.gpu());
  DeepImage whole;
  merger.merge(context.progress, [&](DeepImage&& band) { appendRows(whole, std::move(band)); });
  makeIndexed(whole);
  DeepChannel ids{"id", ChannelType::Uint, std::vector<std::byte>(whole.fragmentCount() * 4)};
  for (std::size_t i = 0; i < whole.fragmentCount(); ++i) store(ids.values.data() + 4 * i, id);
  whole.channels.push_back(std::move(ids));
  std::ranges::sort(whole.channels, {}, &DeepChannel::name);
  return whole;
}

/// The IDs of a matte that patterns name: "tree*|rock".
std::set<std::uint32_t> idsOf(const Cryptomatte& mattes, const std::string& patterns) {
  std::set<std::uint32_t> ids;
  std::istringstream all(patterns);
  for (std::string pattern; std::getline(all, pattern, '|');) {
    ids.insert(cryptomatteId(pattern));  // without a manifest, too
    for (const auto& [name, id] : mattes.ids)
      if (matchesPattern(name, pattern)) ids.insert(id);
  }
  return ids;
}

/// How much of each pixel these IDs cover, in all channels; none where they are nowhere.
std::optional<Image> matteOf(const std::string& file, const ExrPartInfo& part,
                             const std::string& layer, const std::set<std::uint32_t>& ids) {
  Image matte(part.dataWindow.width, part.dataWindow.height);
  bool found = false;
  for (std::size_t rank = 0;; ++rank) {
    const std::string base = fmt::format("{}{:02}.", layer, rank / 2);
    const std::string id = base + (rank % 2 ? "B" : "R"), share = base + (rank % 2 ? "A" : "G");
    if (!part.has(id) || !part.has(share)) break;
    const std::vector<float> names = loadExrChannel(file, part.index, id),
                             shares = loadExrChannel(file, part.index, share);
    for (std::size_t p = 0; p < names.size(); ++p)
      if (ids.contains(std::bit_cast<std::uint32_t>(names[p])))
        matte.pixels[p] += glm::vec4(shares[p]), found = true;
  }
  return found ? std::optional(std::move(matte)) : std::nullopt;
}

/// From a flat Cryptomatte the matte of --ids: of --layer, else of the first layer that has them.
void keyFlat(CommandContext& context) {
  const auto [file, wish] = splitPart(context.inputs[0]);
  const std::string patterns = editsOf(context.as<DeepEngine>().settingsStruct(), 1)[0].ids;
  if (patterns.empty())
    throw UsageError("--ids: expected names to key a flat Cryptomatte by, found none");
  std::string layers;
  for (const ExrPartInfo& part : exrParts(file)) {
    if (part.deep || !part.attributes || !(wish.empty() || part.is(wish))) continue;
    for (const Cryptomatte& mattes :
         cryptomattesOf(*part.attributes, fs::path(file).parent_path())) {
      layers += (layers.empty() ? "" : ", ") + mattes.layer;
      if (context.given("layer") && mattes.layer != context.text("layer")) continue;
      const auto matte = matteOf(file, part, mattes.layer, idsOf(mattes, patterns));
      if (!matte) continue;
      const FlatExrOptions options{.asFloat = true,
                                   .dataWindow = part.dataWindow,
                                   .displayWindow = part.displayWindow,
                                   .pixelAspect = part.pixelAspect};
      context.record.size = {matte->width, matte->height};
      return writePicture(context.output, *matte, options);
    }
  }
  fail("{}: expected a Cryptomatte with IDs like \"{}\", found {}", context.inputs[0], patterns,
       layers.empty() ? "none" : "none in " + layers);
}

}  // namespace

void runCryptomatte(CommandContext& context) {
  if (kindOf(splitPart(context.inputs[0]).first) == FileKind::FlatExr) return keyFlat(context);
  takeOnePart(context);
  DeepEngine& technique = openForBands(context);
  BandMerger merger = technique.bandMerger(context.gpu());
  DeepImage header = headerSaid(context, merger.setup());
  const std::string channel = idChannel(context, header);
  const std::string& layer = context.text("layer");
  MergeEdit tidy;
  tidy.tidy = merger.setup().edits(Purpose::Picture).merged.tidy;

  // How many ranks there are is known at the end; what is kept until then are a few numbers each.
  std::vector<Coverage> pixels;
  merger.merge(context.progress, [&](DeepImage&& band) {
    std::ranges::move(idCoverage(band, tidy, channel), std::back_inserter(pixels));
  });
  MatteRanks ranks(layer, std::move(pixels));
  ranks.warnOfMore(context.output);
  Attributes attributes = header.attributes ? *header.attributes : Attributes();
  ranks.nameIds(channel, attributes);
  header.attributes = std::make_shared<const Attributes>(std::move(attributes));
  FlatChannelWriter writer(context.output, header, ranks.channels());
  const auto width = std::size_t(header.dataWindow.width);
  for (std::size_t y = 0; y < std::size_t(header.dataWindow.height); ++y)
    writer.writeRows(ranks.rows(y * width, width), 1);
  writer.finish();
  context.record.set("ids", std::uint64_t(ranks.idCount()));
  context.record.set("ranks", std::uint64_t(ranks.channels().size() / 2));
  context.print(fmt::format("{} IDs of channel {}, up to {} in a pixel", ranks.idCount(), channel,
                            ranks.most()));
  reportFragments(context, merger.facts().fragmentsIn, merger.facts().fragmentsIn);
}

void captureWithIds(CommandContext& context, const DeepWriteOptions& options) {
  DeepEngine& technique = openInputs(context);
  const std::shared_ptr<const Scene> scene = technique.opened().scene();
  if (!scene) throw UsageError("--with-ids: expected a scene, found files");
  const std::string visible = technique.settingsStruct().visible;
  IdNames names;
  names.channels = {"id"};
  names.hashScheme = "MurmurHash3_32";
  std::vector<DeepImage> parts;
  for (std::size_t i = 0; i < scene->parts.size(); ++i) {
    const std::uint32_t id = murmurHash3(scene->parts[i].name);
    names.names[id] = {scene->parts[i].name};
    parts.push_back(partWithId(context, technique, i, scene->parts.size(), id));
  }
  countThrough(parts, {});
  DeepImage merged = mergePlain(parts);
  technique.settingsStruct().visible = visible;
  const MergeSetup setup = technique.bandMerger(context.gpu()).setup();
  const DeepImage header = savedHeader(technique.opened(), setup);
  Attributes attributes = header.attributes ? *header.attributes : Attributes();
  setAttribute(attributes, idManifestAttribute(std::span(&names, 1)));
  merged.attributes = std::make_shared<const Attributes>(std::move(attributes));
  merged.displayWindow = header.displayWindow;
  writeDeepExr(context.output, merged, options);
  context.record.set("ids", std::uint64_t(names.names.size()));
  reportFragments(context, merged.fragmentCount(), merged.fragmentCount());
}

}  // namespace fathom::deep
