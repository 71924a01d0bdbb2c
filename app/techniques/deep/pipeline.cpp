// SPDX-License-Identifier: BSD-3-Clause
// Capture, upload, merging and download. Sorting is in sort.cpp.
#include "app/techniques/deep/pipeline.h"

#include "app/gpu/memory_account.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>

namespace fathom::deep {
namespace {

constexpr std::uint64_t kWord = sizeof(std::uint32_t);

std::uint32_t groupCount(const FragmentLists& lists) { return lists.slotCount / DEEP_GROUP; }

/// Adds the wall time of a scope.
class Stopwatch {
 public:
  explicit Stopwatch(double& ms) : ms_(ms) {}
  ~Stopwatch() {
    ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
               .count();
  }

 private:
  double& ms_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool isLinked(const ListShape& shape) { return shape.layout == Layout::LinkedList; }
bool isLinear(const ListShape& shape) { return shape.layout == Layout::Linearized; }

}  // namespace

std::int64_t FragmentLists::usedBytes() const {
  const std::int64_t fragment = shape.words() * 4 + (isLinked(shape) ? 4 : 0);
  std::int64_t tables = 4 * std::int64_t(slotCount);
  if (shape.layout == Layout::Interleaved || shape.layout == Layout::BlockInterleaved)
    tables += 4 * std::int64_t(slotCount) + 4 * std::int64_t(slotCount / DEEP_GROUP);
  return std::int64_t(fragmentCount) * fragment + tables;
}

std::int64_t FragmentLists::allocatedBytes() const {
  if (!isLinked(shape)) return usedBytes();
  return std::int64_t(capacity) * (shape.words() * 4 + 4) + 8 * std::int64_t(slotCount);
}

DoesNotFit::DoesNotFit(const std::string& message, double need, double limit)
    : Error(message),
      pieces(int(std::clamp(std::ceil(1.15 * need / std::max(limit, 1.0)), 2.0, 65536.0))) {}

std::vector<Rect> cut(const Rect& region, const DoesNotFit& reason) {
  const bool rows = region.height > 8;
  const int step = rows ? 8 : 4, extent = rows ? region.height : region.width;
  const int blocks = (extent + step - 1) / step;
  if (blocks < 2) throw Error(reason.what());
  const int pieces = std::min(reason.pieces, blocks);
  std::vector<Rect> parts;
  for (int i = 0; i < pieces; ++i) {
    const auto edge = [&](int piece) {
      return std::min(extent, int((std::int64_t(blocks) * piece + pieces - 1) / pieces) * step);
    };
    const int first = edge(i), length = edge(i + 1) - first;
    parts.push_back(rows ? Rect{region.x, region.y + first, region.width, length}
                         : Rect{region.x + first, region.y, length, region.height});
  }
  return parts;
}

Pipeline::Pipeline(gpu::Context& gpu) : gpu_(gpu), scanner_(gpu) {
  summary_ = gpu::Buffer<shared::Summary>(gpu, "deep summary", 1);
}

void Pipeline::ensure(gpu::Buffer<std::uint32_t>& buffer, const std::string& name,
                      std::uint64_t words) {
  // Keep what is large enough, but not what was made for a picture four times this one.
  if (buffer && buffer.count() >= words &&
      buffer.count() / 4 <= std::max<std::uint64_t>(words, 1024))
    return;
  const gpu::MemoryAccount& memory = gpu_.memory();
  const auto bytes = std::int64_t(words * kWord);
  if (bytes > memory.blockLimit())
    throw DoesNotFit(fmt::format("{}: needs {} in one buffer, this GPU allows {}", name,
                                 gpu::bytesText(bytes), gpu::bytesText(memory.blockLimit())),
                     double(bytes), double(memory.blockLimit()));
  const std::int64_t others = memory.totalBytes() - (buffer ? buffer.bytes() : 0);
  if (others + bytes > memory.budget())
    throw DoesNotFit(
        fmt::format("{}: needs {} beside {} in use, the budget is {}", name, gpu::bytesText(bytes),
                    gpu::bytesText(others), gpu::bytesText(memory.budget())),
        double(bytes), double(memory.budget() - others));
  buffer = {};
  buffer = gpu::Buffer<std::uint32_t>(gpu_, name, std::size_t(words));
}

shared::Params Pipeline::params(const FragmentLists& lists) const {
  shared::Params p{};
  p.width = std::uint32_t(lists.region.width);
  p.height = std::uint32_t(lists.region.height);
  p.paddedWidth = paddedWidth(lists.region);
  p.slotCount = lists.slotCount;
  p.originX = std::uint32_t(lists.region.x);
  p.originY = std::uint32_t(lists.region.y);
  p.capacity = lists.capacity;
  return p;
}

gpu::Pass& Pipeline::pass(const std::string& name, const std::string& file, const ListShape& shape,
                          std::vector<gpu::Define> defines) {
  const bool readsBlocks =
      std::find(defines.begin(), defines.end(),
                gpu::Define("METHOD", int(Method::RegisterBlock))) != defines.end();
  // A define that a pass does not look at would only compile it again.
  if (shape.layout == Layout::BlockInterleaved || readsBlocks)
    defines.emplace_back("BLOCK", shape.block);
  defines.emplace_back("LAYOUT", int(shape.layout));
  defines.emplace_back("SLOTS", int(shape.slots));
  defines.emplace_back("WORDS", shape.words());
  return gpu_.pass({name, "shaders/deep/" + file, std::move(defines)});
}

gpu::Program& Pipeline::bind(gpu::Program& program, const FragmentLists& lists, unsigned index) {
  program.storage(DEEP_BIND_TABLE + index, lists.table);
  if (!isLinear(lists.shape)) {
    program.storage(DEEP_BIND_COUNTS + index, lists.counts);
    program.storage(DEEP_BIND_EXTRA + index, lists.extra);
  }
  program.storage(DEEP_BIND_DATA + index, lists.data);
  return program;
}

/// Tables for the region; contents undefined. Data follows with reserve() once the count is known.
void Pipeline::prepare(FragmentLists& out, const Rect& region, const ListShape& shape) {
  FATHOM_CHECK(!region.empty());
  const std::uint64_t slots = slotCountOf(region);
  if (slots > UINT32_MAX / 2)
    throw DoesNotFit("deep tables: more than 2^31 pixels in one region", double(slots), 0x1p31);
  out.shape = shape;
  out.region = region;
  out.slotCount = std::uint32_t(slots);
  out.fragmentCount = 0;
  out.descending = false;
  ensure(out.table, isLinked(shape) ? "list heads" : "list offsets", slots + 1);
  if (!isLinear(shape)) ensure(out.counts, "list counts", slots);
  if (!isLinked(shape) && !isLinear(shape)) ensure(out.extra, "group minimums", slots / DEEP_GROUP);
}

/// Room for so many fragments (LL: beside the unused node 0).
void Pipeline::reserve(FragmentLists& out, std::uint64_t fragments) {
  const std::uint64_t elements = fragments + (isLinked(out.shape) ? 1 : 0);
  if (elements > UINT32_MAX)
    throw DoesNotFit("fragments: more than 2^32 in one region", double(elements), 0x1p32);
  ensure(out.data, "fragments", elements * std::uint64_t(out.shape.words()));
  if (isLinked(out.shape)) ensure(out.extra, "list links", elements);
  out.capacity = std::uint32_t(elements);
}

shared::Summary Pipeline::readSummary() { return summary_.download().front(); }

/// Group minimums, length classes and totals; the scanned table comes after it (LA counts in its
/// table).
shared::Summary Pipeline::summarize(FragmentLists& lists) {
  const std::uint32_t groups = groupCount(lists);
  ensure(order_, "length classes", std::uint64_t(DEEP_CLASSES) * groups + 1);
  summary_.clear();
  gpu::Pass& p = pass("summarize groups", "summarize_groups.comp", anySlots(lists.shape));
  p.storage(isLinear(lists.shape) ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS,
            isLinear(lists.shape) ? lists.table : lists.counts);
  if (!isLinked(lists.shape) && !isLinear(lists.shape)) p.storage(DEEP_BIND_EXTRA, lists.extra);
  p.storage(DEEP_BIND_SUMMARY, summary_)
      .storage(DEEP_BIND_ORDER, order_)
      .params(DEEP_BIND_PARAMS, params(lists));
  p.dispatch(groups);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // scan, sort; the host
  const shared::Summary summary = readSummary();
  if (summary.fragmentsHigh != 0)
    throw DoesNotFit("fragments: more than 2^32 in one region", summary.fragmentsHigh + 1.0, 1);
  return summary;
}

// Capture
// -----------------------------------------------------------------------------------------------

void Pipeline::capture(SceneRenderer& renderer, std::size_t part, const Camera& camera,
                       glm::ivec2 picture, const Rect& region, const ListShape& shape,
                       FragmentLists& out) {
  FATHOM_CHECK(shape.format != FragmentFormat::Indexed);
  const std::uint32_t before = out.shape == shape && out.region == region ? out.fragmentCount : 0;
  prepare(out, region, shape);
  if (!target_.id() || targetSize_ != picture) {
    target_ = gpu::Target(gpu_, "deep capture", picture.x, picture.y);
    targetSize_ = picture;
  }
  const auto draw = [&](gpu::RasterPass& drawn) {
    renderer.drawPart(drawn, target_, part, camera, {0, 0, picture.x, picture.y}, region);
  };
  out.fragmentCount = before;
  if (isLinked(shape))
    captureLinked(out, draw);
  else
    captureArray(out, draw);
}

namespace {

gpu::RasterPassKey captureKey(const std::string& name, const std::string& file,
                              const ListShape& shape) {
  return {name,
          "shaders/scene/scene.vert",
          "shaders/deep/" + file,
          {{"LAYOUT", int(shape.layout)},
           {"BLOCK", shape.block},
           {"SLOTS", int(shape.slots)},
           {"WORDS", shape.words()}}};
}

}  // namespace

/// One pass into a pool of nodes. The counter keeps counting when the pool is full, so the second
/// try fits.
void Pipeline::captureLinked(FragmentLists& out,
                             const std::function<void(gpu::RasterPass&)>& draw) {
  gpu::RasterPass& captured =
      gpu_.rasterPass(captureKey("capture fragments", "capture_fragments.frag", out.shape));
  const std::uint64_t limit =
      std::uint64_t(gpu_.memory().blockLimit()) / kWord / std::uint64_t(out.shape.words()) - 1;
  const auto slack = [](std::uint64_t fragments) { return fragments + fragments / 5 + 64; };
  std::uint64_t pool =
      out.fragmentCount > 0 ? slack(out.fragmentCount) : std::uint64_t(out.region.area()) * 4;
  if (!nodes_) nodes_ = gpu::Buffer<std::uint32_t>(gpu_, "node counter", 1);
  for (int attempt = 0;; ++attempt) {
    reserve(out, std::min(pool, limit));
    out.table.clear(0);
    out.counts.clear(0);
    nodes_.clear(1);
    bind(captured, out)
        .storage(DEEP_BIND_SUMMARY, summary_)
        .counter(DEEP_BIND_NODES, nodes_)
        .params(DEEP_BIND_PARAMS, params(out));
    draw(captured);
    gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // summarize groups; the host
    const std::uint64_t needed = nodes_.download().front() - 1;
    out.fragmentCount = std::uint32_t(needed);
    if (needed < out.capacity) break;
    if (needed > limit)
      throw DoesNotFit(fmt::format("fragments: needs {} in one buffer, this GPU allows {}",
                                   gpu::bytesText(std::int64_t(needed) * out.shape.words() * 4),
                                   gpu::bytesText(gpu_.memory().blockLimit())),
                       double(needed), double(limit));
    FATHOM_CHECK_OP(attempt, <, 1);  // the same scene needs the same nodes
    pool = slack(needed);
  }
  const shared::Summary summary = summarize(out);
  FATHOM_CHECK_OP(summary.fragmentsLow, ==, out.fragmentCount);
  sort(out, summary);
}

/// Count, scan, capture: the three passes over arrays.
void Pipeline::captureArray(FragmentLists& out, const std::function<void(gpu::RasterPass&)>& draw) {
  const bool linear = isLinear(out.shape);
  gpu::Buffer<std::uint32_t>& counted = linear ? out.table : out.counts;
  counted.clear(0);
  gpu::RasterPass& count =
      gpu_.rasterPass(captureKey("count fragments", "count_fragments.frag", out.shape));
  count.storage(linear ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS, counted)
      .params(DEEP_BIND_PARAMS, params(out));
  draw(count);
  gpu::barrier(gpu::Reader::Storage);  // summarize groups
  const shared::Summary summary = summarize(out);
  out.fragmentCount = summary.fragmentsLow;
  reserve(out, out.fragmentCount);
  scanner_.exclusive(counted, out.table, out.slotCount);

  if (!linear) out.counts.clear(0);  // becomes the write cursor and ends equal to the count
  gpu::RasterPass& captured =
      gpu_.rasterPass(captureKey("capture fragments", "capture_fragments.frag", out.shape));
  bind(captured, out).storage(DEEP_BIND_SUMMARY, summary_).params(DEEP_BIND_PARAMS, params(out));
  draw(captured);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // sort lists; the host
  sort(out, summary);
  const std::uint32_t refused = readSummary().refused;
  if (refused > 0)
    fail("deep capture: {} fragments were drawn in one pass and not in the other", refused);
}

// Upload
// ------------------------------------------------------------------------------------------------

void Pipeline::upload(const DeepImage& image, glm::ivec2 origin, const Rect& region,
                      const ListShape& shape, FragmentLists& out) {
  FATHOM_CHECK(shape.format == image.format);
  prepare(out, region, shape);

  // Offsets of the region in raster order; pixels outside the image are empty.
  std::vector<std::uint32_t> offsets(std::size_t(region.area()) + 1);
  const Rect inImage{region.x + origin.x, region.y + origin.y, region.width, region.height};
  const Rect shared = intersect(inImage, image.dataWindow);
  std::uint64_t total = 0;
  std::size_t at = 0;
  for (int y = inImage.y; y < inImage.bottom(); ++y) {
    const bool row = !shared.empty() && y >= shared.y && y < shared.bottom();
    for (int x = inImage.x; x < inImage.right(); ++x, ++at) {
      offsets[at] = std::uint32_t(total);
      if (!row || x < shared.x || x >= shared.right()) continue;
      const std::size_t p = image.pixelIndex(x, y);
      total += image.fragmentOffsets[p + 1] - image.fragmentOffsets[p];
    }
  }
  if (total > UINT32_MAX)
    throw DoesNotFit("fragments: more than 2^32 in one region", double(total), 0x1p32);
  offsets[at] = std::uint32_t(total);
  reserve(out, total);
  out.fragmentCount = std::uint32_t(total);

  std::optional<Stopwatch> watch(uploadMs_);
  // The words of each row are in one piece; of the whole region too when it spans the image's
  // width.
  const auto words = std::uint64_t(shape.words());
  ensure(rasterOffsets_, "raster offsets", offsets.size());
  ensure(linear_, "fragments in raster order", std::max<std::uint64_t>(1, total * words));
  rasterOffsets_.upload(offsets);
  std::size_t written = 0;
  const auto copy = [&](std::size_t first, std::size_t last) {
    linear_.upload(std::span(image.words).subspan(first * words, (last - first) * words), written);
    written += (last - first) * words;
  };
  if (!shared.empty()) {
    const auto rowStart = [&](int y) {
      return image.fragmentOffsets[image.pixelIndex(shared.x, y)];
    };
    const auto rowEnd = [&](int y) {
      return image.fragmentOffsets[image.pixelIndex(shared.right() - 1, y) + 1];
    };
    if (shared.width == image.dataWindow.width)
      copy(rowStart(shared.y), rowEnd(shared.bottom() - 1));
    else
      for (int y = shared.y; y < shared.bottom(); ++y) copy(rowStart(y), rowEnd(y));
  }

  watch.reset();

  // Counts into the layout's order, tables from them, then the fragments.
  gpu::Pass& count = pass("count lists", "count_linear.comp", shape);
  gpu::Buffer<std::uint32_t>& counted = isLinear(shape) ? out.table : out.counts;
  count.storage(isLinear(shape) ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS, counted)
      .storage(DEEP_BIND_ORDER, rasterOffsets_)
      .params(DEEP_BIND_PARAMS, params(out));
  count.dispatch(out.slotCount);
  gpu::barrier(gpu::Reader::Storage);  // summarize groups, scan
  std::optional<shared::Summary> summary;
  if (!image.sorted || shape.layout == Layout::Interleaved ||
      shape.layout == Layout::BlockInterleaved)
    summary = summarize(out);
  if (isLinear(shape)) {
    // LA's finished table is inclusive: the exclusive one, moved by a word.
    ensure(raster_, "exclusive offsets", std::uint64_t(out.slotCount) + 1);
    scanner_.exclusive(out.table, raster_, out.slotCount);
    out.table.copyFrom(raster_, std::int64_t(out.slotCount) * 4, 4, 0);
    out.table.copyFrom(raster_, 4, std::int64_t(out.slotCount) * 4,
                       std::int64_t(out.slotCount) * 4);
  } else if (!isLinked(shape)) {
    scanner_.exclusive(out.counts, out.table, out.slotCount);
  }
  gpu::Pass& arrange = pass("arrange fragments", "arrange_fragments.comp", shape);
  bind(arrange, out)
      .storage(DEEP_BIND_ORDER, rasterOffsets_)
      .storage(DEEP_BIND_SCRATCH, linear_)
      .params(DEEP_BIND_PARAMS, params(out));
  arrange.dispatch(out.slotCount);
  gpu::barrier(gpu::Reader::Storage);  // sort lists, merge lists
  if (!image.sorted) sort(out, *summary);
}

// Merge
// -------------------------------------------------------------------------------------------------

void Pipeline::alignDirections(FragmentLists& a, FragmentLists& b) {
  if (a.descending == b.descending) return;
  FragmentLists& turned = a.descending ? a : b;
  gpu::Pass& p = pass("reverse links", "reverse_links.comp", anySlots(turned.shape));
  bind(p, turned).params(DEEP_BIND_PARAMS, params(turned));
  p.dispatch(turned.slotCount);
  gpu::barrier(gpu::Reader::Storage);  // merge lists
  turned.descending = !turned.descending;
}

void Pipeline::merge(FragmentLists& front, FragmentLists& back, const Settings& settings,
                     FragmentLists& out) {
  FATHOM_CHECK(front.shape == back.shape && front.region == back.region);
  FATHOM_CHECK(&out != &front && &out != &back);
  prepare(out, front.region, front.shape);
  reserve(out, std::uint64_t(front.fragmentCount) + back.fragmentCount);
  out.fragmentCount = front.fragmentCount + back.fragmentCount;
  alignDirections(front, back);

  gpu::Pass& combine = pass("combine tables", "combine_tables.comp", anySlots(front.shape));
  bind(combine, front, 0);
  bind(combine, back, 1);
  bind(combine, out, 2).params(DEEP_BIND_PARAMS, params(out));
  combine.dispatch(groupCount(out));
  gpu::barrier(gpu::Reader::Storage);  // merge lists

  if (isLinked(out.shape)) summary_.clear();
  gpu::Pass& p = pass("merge lists", "merge_lists.comp", anySlots(front.shape),
                      {{"METHOD", int(resolve(settings.method, gpu_.device().software))},
                       {"OUTPUT", 1},
                       {"DESCENDING", front.descending ? 1 : 0},
                       {"LINK", int(settings.links)}});
  bind(p, front, 0);
  bind(p, back, 1);
  bind(p, out, 2);
  if (isLinked(out.shape)) p.storage(DEEP_BIND_SUMMARY, summary_);
  p.params(DEEP_BIND_PARAMS, params(out));
  p.dispatch(out.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // the next merge, flatten, download
  // Pushing turns the lists around; writing forward keeps the direction of the inputs.
  out.descending = isLinked(out.shape) && (front.descending != (settings.links == Links::Push));
}

void Pipeline::mergeComposite(FragmentLists& front, FragmentLists& back, const Settings& settings,
                              const gpu::Texture& picture) {
  FATHOM_CHECK(front.shape == back.shape && front.region == back.region);
  alignDirections(front, back);
  gpu::Pass& p = pass("merge lists", "merge_lists.comp", front.shape,
                      {{"METHOD", int(resolve(settings.method, gpu_.device().software))},
                       {"OUTPUT", 0},
                       {"DESCENDING", front.descending ? 1 : 0},
                       {"EARLY_OUT", int(settings.earlyOut)}});
  bind(p, front, 0);
  bind(p, back, 1).image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, params(front));
  p.dispatch(front.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

void Pipeline::flatten(const FragmentLists& lists, EarlyOut earlyOut, const gpu::Texture& picture) {
  gpu::Pass& p = pass("flatten lists", "flatten_lists.comp", lists.shape,
                      {{"DESCENDING", lists.descending ? 1 : 0}, {"EARLY_OUT", int(earlyOut)}});
  bind(p, lists).image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, params(lists));
  p.dispatch(lists.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

// Depth complexity
// --------------------------------------------------------------------------------------

const std::array<HeatClass, 10>& heatClasses() {
  // Dark to light through blue, green, yellow and red, in steps that stay apart when printed gray.
  static const std::array<HeatClass, 10> classes{{{0, {0.0f, 0.0f, 0.0f}},
                                                  {1, {0.010f, 0.012f, 0.060f}},
                                                  {8, {0.012f, 0.045f, 0.300f}},
                                                  {16, {0.010f, 0.180f, 0.480f}},
                                                  {32, {0.015f, 0.360f, 0.330f}},
                                                  {64, {0.110f, 0.480f, 0.060f}},
                                                  {128, {0.700f, 0.640f, 0.030f}},
                                                  {256, {0.900f, 0.290f, 0.020f}},
                                                  {512, {0.800f, 0.050f, 0.030f}},
                                                  {UINT32_MAX, {1.0f, 0.75f, 0.90f}}}};
  return classes;
}

/// Sums the counts of all inputs in raster_, uint[height * width].
void Pipeline::countRaster(std::span<FragmentLists* const> inputs) {
  FATHOM_CHECK(!inputs.empty());
  ensure(raster_, "fragments per pixel", std::uint64_t(inputs[0]->region.area()) + 1);
  raster_.clear();
  for (FragmentLists* lists : inputs) {
    gpu::Pass& p = pass("count per pixel", "count_raster.comp", lists->shape);
    bind(p, *lists).storage(DEEP_BIND_ORDER, raster_).params(DEEP_BIND_PARAMS, params(*lists));
    p.dispatch(lists->slotCount);
    gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // the next input, scan, colors
  }
}

void Pipeline::heatMap(std::span<FragmentLists* const> inputs, const gpu::Texture& picture) {
  countRaster(inputs);
  if (!heat_) {
    std::vector<std::uint32_t> words;
    for (const HeatClass& c : heatClasses())
      for (const float v : {c.color.r, c.color.g, c.color.b, 1.0f}) {
        std::uint32_t bits;
        std::memcpy(&bits, &v, sizeof bits);
        words.push_back(bits);
      }
    heat_ =
        gpu::Buffer<std::uint32_t>(gpu_, "heat map colors", std::span<const std::uint32_t>(words));
  }
  const FragmentLists& first = *inputs[0];
  gpu::Pass& p = pass("color depth complexity", "color_depth_complexity.comp", first.shape);
  p.storage(DEEP_BIND_ORDER, raster_)
      .storage(DEEP_BIND_SCRATCH, heat_)
      .image(DEEP_IMAGE_RESULT, picture)
      .params(DEEP_BIND_PARAMS, params(first));
  p.dispatch(std::uint64_t(first.region.area()));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

std::vector<std::uint32_t> Pipeline::downloadCounts(std::span<FragmentLists* const> inputs) {
  countRaster(inputs);
  return raster_.download(0, std::size_t(inputs[0]->region.area()));
}

// Download
// ----------------------------------------------------------------------------------------------

DeepImage Pipeline::download(const FragmentLists& lists, glm::ivec2 origin, const DeepImage& like) {
  FATHOM_CHECK(like.format == lists.shape.format);
  const auto pixels = std::size_t(lists.region.area());
  FragmentLists* const one[] = {const_cast<FragmentLists*>(&lists)};
  countRaster(one);
  ensure(rasterOffsets_, "raster offsets", pixels + 1);
  scanner_.exclusive(raster_, rasterOffsets_, pixels);
  const std::uint64_t words =
      std::uint64_t(lists.fragmentCount) * std::uint64_t(lists.shape.words());
  ensure(linear_, "fragments in raster order", std::max<std::uint64_t>(1, words));
  gpu::Pass& p = pass("linearize lists", "linearize_lists.comp", lists.shape,
                      {{"DESCENDING", lists.descending ? 1 : 0}});
  bind(p, lists)
      .storage(DEEP_BIND_ORDER, rasterOffsets_)
      .storage(DEEP_BIND_SCRATCH, linear_)
      .params(DEEP_BIND_PARAMS, params(lists));
  p.dispatch(lists.slotCount);
  gpu::barrier(gpu::Reader::Transfer);  // the host
  gpu_.finish();                        // so that the copy alone is counted as download

  const Stopwatch watch(downloadMs_);
  DeepImage image;
  image.dataWindow = {lists.region.x + origin.x, lists.region.y + origin.y, lists.region.width,
                      lists.region.height};
  image.displayWindow = like.displayWindow;
  image.pixelAspect = like.pixelAspect;
  image.format = like.format;
  image.hasZBack = like.hasZBack;
  image.sorted = true;
  for (const DeepChannel& channel : like.channels)
    image.channels.push_back({channel.name, channel.type, {}});
  const std::vector<std::uint32_t> offsets = rasterOffsets_.download(0, pixels + 1);
  FATHOM_CHECK_OP(offsets.back(), ==, lists.fragmentCount);
  image.fragmentOffsets.assign(offsets.begin(), offsets.end());
  image.words = linear_.download(0, std::size_t(words));
  return image;
}

std::vector<std::uint32_t> Pipeline::readList(const FragmentLists& lists, int x, int y) {
  FATHOM_CHECK(lists.region.contains(x, y));
  const auto px = std::uint32_t(x - lists.region.x), py = std::uint32_t(y - lists.region.y);
  shared::Params p = params(lists);
  // The same order as slots.glsl.
  p.first = lists.shape.slots == Slots::Raster
                ? py * p.paddedWidth + px
                : ((py >> 3) * (p.paddedWidth >> 1) + (px >> 1)) * 16 + (py & 7) * 2 + (px & 1);
  constexpr std::uint32_t kMost = 4096;  // the inspector's table ends there
  p.count = kMost;
  const auto words = std::uint32_t(lists.shape.words());
  ensure(longLists_, "long lists", 2);
  ensure(longScratch_, "list of one pixel", std::uint64_t(kMost) * words);
  gpu::Pass& read = pass("read list", "read_list.comp", anySlots(lists.shape));
  bind(read, lists)
      .storage(DEEP_BIND_ORDER, longLists_)
      .storage(DEEP_BIND_SCRATCH, longScratch_)
      .params(DEEP_BIND_PARAMS, p);
  read.dispatch(1);
  gpu::barrier(gpu::Reader::Transfer);  // the host
  const std::uint32_t n = std::min(longLists_.download(0, 1).front(), kMost);
  std::vector<std::uint32_t> list = longScratch_.download(0, std::size_t(n) * words);
  if (lists.descending) {
    std::vector<std::uint32_t> turned;
    for (std::uint32_t i = n; i-- > 0;)
      turned.insert(turned.end(), list.begin() + i * words, list.begin() + (i + 1) * words);
    list = std::move(turned);
  }
  return list;
}

}  // namespace fathom::deep
