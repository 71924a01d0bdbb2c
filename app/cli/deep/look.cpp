// SPDX-License-Identifier: BSD-3-Clause
// fathom deep heatmap | inspect | check | points: what looks at images.
#include "app/cli/deep/inputs_outputs.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/operations/sample_list.h"
#include "app/engine/deep/read/camera_attributes.h"
#include "app/engine/deep/read/deep_check.h"
#include "app/engine/inspect.h"
#include "app/engine/io/atomic_file.h"

#include <random>

namespace fathom::deep {
namespace {

/// Renders result() and brings it back.
Image render(CommandContext& context, DeepEngine& technique) {
  const Stopwatch rendering;
  technique.step(context.gpu(), INFINITY);
  context.gpu().finish();
  context.record.addPhase("gpu", rendering.ms() - technique.uploadMs());
  context.record.addPhase("upload", technique.uploadMs());
  return context.download();
}

/// Legend below the picture: a swatch per class, wrapped to the width.
Image withLegend(const Image& picture, const std::vector<LegendEntry>& entries,
                 const std::string& title) {
  const int scale = std::clamp(picture.width / 480, 1, 4), unit = 12 * scale;
  const int width = std::max(picture.width, 24 * unit);
  std::vector<glm::ivec2> places;
  int x = unit, y = 2 * unit + unit / 2;
  for (const LegendEntry& entry : entries) {
    const int need = 2 * unit + labelWidth(scale, entry.label) + unit;
    if (x + need > width) x = unit, y += unit + unit / 2;
    places.emplace_back(x, y);
    x += need;
  }
  Image page(width, picture.height + y + 2 * unit, glm::vec4(0.012f, 0.012f, 0.014f, 1));
  for (int row = 0; row < picture.height; ++row)
    for (int column = 0; column < picture.width; ++column)
      page.at(column, row) = picture.at(column, row);
  const glm::vec3 ink(0.75f);
  drawLabel(page, unit, picture.height + unit - unit / 4, scale, title, ink);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const glm::ivec2 at = places[i] + glm::ivec2(0, picture.height);
    for (int dy = -1; dy <= unit; ++dy)
      for (int dx = -1; dx <= unit + unit / 2; ++dx) {
        const bool border = dy < 0 || dx < 0 || dy == unit || dx == unit + unit / 2;
        page.at(at.x + dx, at.y + dy) =
            border ? glm::vec4(ink * 0.4f, 1)
                   : glm::vec4(entries[i].r, entries[i].g, entries[i].b, 1);
      }
    drawLabel(page, at.x + 2 * unit, at.y + unit / 4, scale, entries[i].label, ink);
  }
  return page;
}

}  // namespace

void runHeatmap(CommandContext& context) {
  takeOnePart(context);
  DeepEngine& technique = openInputs(context);
  technique.settingsStruct().show = Show::HeatMap;
  const DeepImage header =
      savedHeader(technique.opened(), technique.bandMerger(context.gpu()).setup());
  const Image picture = inWindow(render(context, technique), header.dataWindow,
                                 header.displayWindow, context.inputs[0]);
  const std::vector<std::uint32_t> counts = technique.counts(context.gpu());
  std::uint64_t fragments = 0;
  std::uint32_t max = 0;
  std::size_t empty = 0;
  for (const std::uint32_t n : counts) fragments += n, max = std::max(max, n), empty += n == 0;
  const double mean = double(fragments) / double(std::max<std::size_t>(1, counts.size()));
  const std::string title = fmt::format("fragments per pixel   mean {:.2f}   most {}", mean, max);
  context.timed("write", [&] {
    writePicture(context.output, withLegend(picture, technique.legend(), title));
  });
  reportFragments(context, fragments, fragments);
  context.record.set("mean_per_pixel", mean);
  context.record.set("most_per_pixel", std::uint64_t(max));
  context.record.set("empty_pixels", std::uint64_t(empty));
  context.print(fmt::format("{} fragments, {:.2f} per pixel, most {}, {} pixels empty", fragments,
                            mean, max, empty));
}

namespace {

/// The table of a pixel, its numbers as exact as they are known.
std::vector<RunRecord::Row> numbersOf(const PixelReport& report) {
  std::vector<RunRecord::Row> list;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const PixelReport::Mark& m = report.marks[i];
    const float a = m.alpha > 0 ? m.alpha : 1;
    RunRecord::Row& row = list.emplace_back();
    for (std::size_t c = 0; c < report.columns.size(); ++c) {
      const auto number = numberIn<double>(report.rows[i][c]);
      row.emplace_back(report.columns[c], report.rows[i][c]);
      if (number) row.back().second = *number;
    }
    for (const auto& [name, exact] : {std::pair("Z", m.z),
                                      {"ZBack", m.zBack},
                                      {"R", m.r * a},
                                      {"G", m.g * a},
                                      {"B", m.b * a},
                                      {"A", m.alpha}})
      entryOf(row, name) = double(exact);
  }
  return list;
}

}  // namespace

void runInspect(CommandContext& context) {
  const glm::ivec2 pixel = context.pair("pixel");
  takeOnePart(context);
  DeepEngine& technique = openForPixel(context, pixel);
  if (technique.camera()) technique.step(context.gpu(), INFINITY);
  const glm::ivec2 at = pixel - technique.frame().origin, size = technique.frame().size;
  const std::optional<PixelReport> report = technique.inspect(at.x, at.y);
  const glm::ivec2 origin = technique.frame().origin;
  if (!report) failOutside(context, {origin.x, origin.y, size.x, size.y}, pixel);
  std::string text = context.frame ? fmt::format("frame {}: ", *context.frame) : "";
  text += report->headline;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < report->columns.size(); ++c) {
    widths.push_back(report->columns[c].size());
    for (const auto& row : report->rows) widths[c] = std::max(widths[c], row[c].size());
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    text += "\n  ";
    for (std::size_t c = 0; c < cells.size(); ++c)
      text += fmt::format("{:>{}}{}", cells[c], widths[c], c + 1 < cells.size() ? "  " : "");
  };
  if (!report->rows.empty()) line(report->columns);
  for (const auto& row : report->rows) line(row);
  context.print(text);
  context.record.set("fragments", std::uint64_t(report->rows.size()));
  for (std::size_t i = 0; i < report->rows.size(); ++i)
    context.record.set(fmt::format("fragment_{}", i + 1),
                       fmt::format("{}", fmt::join(report->rows[i], " ")));
  context.record.lists.emplace_back("fragment_list", numbersOf(*report));
}

namespace {

void printChecked(CommandContext& context, const std::string& file, const CheckedPart& part,
                  bool several, std::uint64_t fileBytes) {
  const std::string name = several ? fmt::format("{}#{}", file, part.name) : file;
  for (const Finding& finding : part.findings)
    context.print(fmt::format(
        "{}: {}: {}: {}{}", name, nameOf(finding.severity), finding.code, finding.text,
        finding.count > 0 ? fmt::format(", first at {},{}", finding.x, finding.y) : ""));
  const auto fragments = double(std::max<std::uint64_t>(1, part.fragments));
  context.print(fmt::format(
      "{}: {} fragments, {:.2f} per pixel that has any, {:.2f} bytes each in the file; unpacked: "
      "{}",
      name, part.fragments,
      double(part.fragments) / double(std::max<std::uint64_t>(1, part.pixels - part.emptyPixels)),
      double(fileBytes) / fragments,
      joined(part.channels, ", ", [](const CheckedPart::Channel& channel) {
        return fmt::format("{} {}", channel.name, gpu::bytesText(std::int64_t(channel.bytes)));
      })));
  if (part.fragments > 0)
    context.print(fmt::format(
        "{}: --drop-hidden 1 would leave {:.1f} %, --thin-error 1/512 {:.1f} % (every 16th row "
        "sampled)",
        name, 100 * double(part.fragments - part.hidden) / fragments, 100 * part.thinned));
  const std::string pixels = joined(part.costliest, ", ", [](const CheckedPart::Pixel& pixel) {
    return fmt::format("{},{} ({})", pixel.x, pixel.y, pixel.count);
  });
  if (!pixels.empty()) context.print(fmt::format("{}: most fragments at {}", name, pixels));
}

void recordChecked(CommandContext& context, const std::string& prefix, const CheckedPart& part) {
  RunRecord& record = context.record;
  record.set(prefix + "fragments", part.fragments);
  record.set(prefix + "hidden_fragments", part.hidden);
  record.set(prefix + "left_by_thinning", part.thinned);
  for (const CheckedPart::Channel& channel : part.channels)
    record.set(prefix + "bytes_" + channel.name, channel.bytes);
  for (const Finding& finding : part.findings) {
    const std::string key = prefix + "finding_" + finding.code;
    record.set(key, std::string(nameOf(finding.severity)));
    record.set(key + "_count", finding.count);
    if (finding.count > 0) record.set(key + "_at", fmt::format("{},{}", finding.x, finding.y));
  }
}

}  // namespace

void runCheck(CommandContext& context) {
  CheckOptions options;
  options.nearest = context.real("near", -1e30, 1e30);
  options.progress = &context.progress;
  std::uint64_t counts[3] = {};
  for (const std::string& file : context.inputs) {
    const std::vector<CheckedPart> parts = checkDeepExr(file, options);
    const std::uint64_t bytes = fs::file_size(file);
    for (const CheckedPart& part : parts) {
      std::string prefix;
      if (context.inputs.size() > 1) prefix += file + " ";
      if (parts.size() > 1) prefix += "part " + part.name + " ";
      printChecked(context, file, part, parts.size() > 1, bytes);
      recordChecked(context, prefix, part);
      for (const Finding& finding : part.findings) ++counts[std::size_t(finding.severity)];
    }
  }
  const auto plural = [](std::uint64_t n) { return n == 1 ? "" : "s"; };
  context.record.set("errors", counts[0]);
  context.record.set("warnings", counts[1]);
  context.record.set("notes", counts[2]);
  context.print(fmt::format("{} error{}, {} warning{}, {} note{}", counts[0], plural(counts[0]),
                            counts[1], plural(counts[1]), counts[2], plural(counts[2])));
  if (counts[0] > 0) context.exitCode = 3;
}

// ---- Fragments as points: PLY (binary) for programs that show point clouds, CSV with every
// channel

namespace {

constexpr std::size_t kPlyHeaderBytes = 512;

template <class T>
void appendRaw(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string valueText(const DeepChannel& channel, std::size_t i) {
  const double value = channelValue(channel, i);
  return channel.type == ChannelType::Uint ? fmt::format("{}", std::uint32_t(value))
                                           : fmt::format("{}", float(value));
}

/// The eight bits that a viewer of points shows: straight color as sRGB. The floats beside them are
/// the fragment's.
std::uint8_t pointByte(float value, float alpha, bool isColor) {
  float v = isColor && alpha > 0 ? value / alpha : value;
  if (isColor) v = srgbFromLinear(v);
  return std::uint8_t(std::lround(std::clamp(v, 0.0f, 1.0f) * 255));
}

/// Writes the fragments of an image that comes in bands of rows, as they come; a limit keeps a
/// reservoir of them (Vitter's algorithm R). The count stands in the header of PLY, which is padded
/// to its final size and written last.
class PointWriter {
 public:
  /// `header`: channels and windows. `camera`: points are places in the world; none: x and y count
  /// pixels (middles at .5), z is the depth. `limit` above 0: that many of all points, each with
  /// the same chance, by `seed`.
  PointWriter(const fs::path& file, const DeepImage& header, std::optional<Unprojection> camera,
              std::uint64_t limit, std::uint64_t seed)
      : file_(file),
        isPly_(file.extension() == ".ply"),
        like_(header),
        camera_(camera),
        limit_(limit),
        random_(seed) {
    if (like_.format == FragmentFormat::Rgba8) makeIndexed(like_);  // its channels
    const std::string first = this->header();
    file_.writeAt(0, std::as_bytes(std::span(first)));
    end_ = first.size();
  }

  /// The next rows, top first. Volumes become a point at their front; a point at infinite depth is
  /// left out.
  void write(const DeepImage& rows) {
    DeepImage band = rows;
    if (!isPly_) makeIndexed(band);
    const Rect& w = band.dataWindow;
    std::string block;
    for (int y = w.y; y < w.bottom(); ++y)
      for (int x = w.x; x < w.right(); ++x) {
        const std::size_t p = band.pixelIndex(x, y);
        for (std::size_t i = band.fragmentOffsets[p]; i < band.fragmentOffsets[p + 1]; ++i) {
          if (!std::isfinite(decodeFragment(band, i).z)) {
            ++infinite_;
            continue;
          }
          ++seen_;
          if (limit_ == 0) {
            block += pointOf(band, i, x, y), ++count_;
          } else if (kept_.size() < limit_) {
            kept_.push_back(pointOf(band, i, x, y));
          } else if (const std::uint64_t place = random_() % seen_; place < limit_) {
            kept_[place] = pointOf(band, i, x, y);
          }
        }
      }
    file_.writeAt(end_, std::as_bytes(std::span(block)));
    end_ += block.size();
  }

  /// Puts the file in place.
  void finish() {
    for (const std::string& point : kept_) {
      file_.writeAt(end_, std::as_bytes(std::span(point)));
      end_ += point.size(), ++count_;
    }
    const std::string first = header();
    file_.writeAt(0, std::as_bytes(std::span(first)));
    file_.commit();
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t infinite() const { return infinite_; }

 private:
  std::string header() const {
    if (!isPly_) {
      std::string line = "pixel_x,pixel_y,x,y,z";
      for (const DeepChannel& channel : like_.channels) line += "," + channel.name;
      return line + "\n";
    }
    std::string text = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment fragments of a deep image\n"
        "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n"
        "property float R\nproperty float G\nproperty float B\nproperty float A\n",
        count_);
    const std::string end = "end_header\n", comment = "comment ";
    text +=
        comment + std::string(kPlyHeaderBytes - text.size() - comment.size() - 1 - end.size(), '.');
    return text + "\n" + end;
  }

  std::string pointOf(const DeepImage& band, std::size_t index, int x, int y) const {
    const Fragment f = decodeFragment(band, index);
    glm::dvec3 at(x + 0.5, y + 0.5, f.z);
    if (camera_) at = camera_->world({at.x, at.y}, at.z);
    std::string out;
    if (isPly_) {
      for (int i = 0; i < 3; ++i) appendRaw(out, float(at[i]));
      for (const float c : {f.r, f.g, f.b}) appendRaw(out, pointByte(c, f.a, true));
      appendRaw(out, pointByte(f.a, 1, false));
      for (const float v : {f.r, f.g, f.b, f.a}) appendRaw(out, v);
      return out;
    }
    out = fmt::format("{},{},{},{},{}", x, y, float(at.x), float(at.y), float(at.z));
    for (const DeepChannel& channel : band.channels) (out += ',') += valueText(channel, index);
    return out + "\n";
  }

  AtomicFile file_;
  bool isPly_;
  DeepImage like_;
  std::optional<Unprojection> camera_;
  std::uint64_t limit_, seen_ = 0, count_ = 0, infinite_ = 0, end_ = 0;
  std::mt19937_64 random_;
  std::vector<std::string> kept_;  // with a limit: a sample of what was seen
};

}  // namespace

void runPoints(CommandContext& context) {
  const std::string& space = context.text("space");
  wordIndex("--space", space, {"auto", "world", "pixels"});
  const auto count = std::uint64_t(context.number("count", 0, INT32_MAX));
  takeOnePart(context);
  DeepEngine& technique = openForBands(context);
  BandMerger merger = technique.bandMerger(context.gpu());
  const DeepImage header = savedHeader(technique.opened(), merger.setup());
  std::optional<Unprojection> camera;
  if (space != "pixels") camera = Unprojection::from(header.attributes, header.displayWindow);
  if (space == "world" && !camera)
    fail("{}: expected worldToCamera and worldToNDC for --space world, found none",
         context.inputs[0]);
  PointWriter writer(context.output, header, camera, count, context.seed);
  merger.merge(context.progress, [&](DeepImage&& band) { writer.write(band); });
  writer.finish();
  context.record.set("points", writer.count());
  context.record.set("infinite_points", writer.infinite());
  context.record.set("space", std::string(camera ? "world" : "pixels"));
  context.print(fmt::format(
      "{} points in {}{}", writer.count(), camera ? "the world" : "pixels and depth",
      writer.infinite() > 0 ? fmt::format(", {} at infinite depth left out", writer.infinite())
                            : ""));
  reportFragments(context, merger.facts().fragmentsIn, writer.count());
}

}  // namespace fathom::deep
