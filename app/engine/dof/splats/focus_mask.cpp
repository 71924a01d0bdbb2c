// SPDX-License-Identifier: BSD-3-Clause
// Masks are data: values are taken as files store them, without a transfer curve.
#include "app/engine/dof/splats/focus_mask.h"

#include "app/engine/core/error.h"
#include "app/engine/dof/splats/source.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"

namespace fathom::dof {
namespace {

/// The channel's part and name; the first flat part that has one that will do.
std::pair<const ExrPartInfo*, std::string> findChannel(const ExrFileInfo& file,
                                                       const std::string& wanted) {
  for (const ExrPartInfo& part : file.parts) {
    if (part.deep) continue;
    if (!wanted.empty()) {
      if (part.has(wanted)) return {&part, wanted};
      continue;
    }
    for (const char* usual : {"Y", "R", "A"})
      if (part.has(usual)) return {&part, usual};
    if (part.channels.size() == 1) return {&part, part.channels[0].name};
  }
  std::string names;
  for (const ExrPartInfo& part : file.parts)
    if (!part.deep) names += (names.empty() ? "" : "; ") + part.channelNames();
  fail("{}: expected a focus mask in channel {}, found {}", file.file.string(),
       wanted.empty() ? "Y, R or A" : wanted, names.empty() ? "deep parts alone" : names);
}

FocusMask maskFromExr(const std::string& file, const std::string& channel) {
  const ExrFileInfo info = describeExr(file);
  const auto [part, name] = findChannel(info, channel);
  return {part->dataWindow.width, part->dataWindow.height, loadExrChannel(file, part->index, name)};
}

FocusMask maskFromPicture(const std::string& file, const std::string& channel) {
  static const std::string kNames = "RGBA";
  const std::size_t index = channel.empty() ? 0 : kNames.find(channel);
  if (channel.size() > 1 || index == std::string::npos)
    fail("{}: expected a focus mask in channel R, G, B or A, found \"{}\"", file, channel);
  const Picture picture = readPictureAsStored(file);
  FocusMask mask{picture.image.width, picture.image.height, {}};
  mask.values.reserve(picture.image.pixels.size());
  for (const glm::vec4& p : picture.image.pixels) mask.values.push_back(p[int(index)]);
  return mask;
}

/// One line of `from` values over `to` places; `read(i)` and `write(i, value)`.
void resample(int from, int to, const std::function<float(int)>& read,
              const std::function<void(int, float)>& write) {
  const double step = double(from) / to, reach = std::max(1.0, step);
  for (int i = 0; i < to; ++i) {
    const double middle = (i + 0.5) * step - 0.5;
    double sum = 0, weights = 0;
    for (int k = int(std::ceil(middle - reach)); k <= int(std::floor(middle + reach)); ++k) {
      const double weight = 1 - std::abs(k - middle) / reach;
      sum += weight * double(read(std::clamp(k, 0, from - 1))), weights += weight;
    }
    write(i, float(sum / weights));
  }
}

}  // namespace

FocusMask FocusMask::over(glm::ivec2 size) const {
  if (size == glm::ivec2(width, height)) return *this;
  const auto at = [](int x, int y, int stride) {
    return std::size_t(y) * std::size_t(stride) + std::size_t(x);
  };
  FocusMask rows{size.x, height, std::vector<float>(at(0, height, size.x))};
  for (int y = 0; y < height; ++y)
    resample(
        width, size.x, [&](int x) { return values[at(x, y, width)]; },
        [&](int x, float value) { rows.values[at(x, y, size.x)] = value; });
  FocusMask all{size.x, size.y, std::vector<float>(at(0, size.y, size.x))};
  for (int x = 0; x < size.x; ++x)
    resample(
        height, size.y, [&](int y) { return rows.values[at(x, y, size.x)]; },
        [&](int y, float value) { all.values[at(x, y, size.x)] = value; });
  return all;
}

FocusMask FocusMask::with(int margin, Edges edges) const {
  FocusMask wide{width + 2 * margin, height + 2 * margin, {}};
  wide.values.reserve(std::size_t(wide.width) * std::size_t(wide.height));
  for (int y = 0; y < wide.height; ++y)
    for (int x = 0; x < wide.width; ++x)
      wide.values.push_back(
          at(insideOf(x - margin, width, edges), insideOf(y - margin, height, edges)));
  return wide;
}

FocusMask readFocusMask(const std::string& fileAndChannel) {
  const auto [file, channel] = splitPart(fileAndChannel, ':');
  const FileKind kind = kindOf(file);
  if (kind == FileKind::DeepExr) fail("{}: expected a flat image, found a deep one", file);
  FocusMask mask =
      kind == FileKind::FlatExr ? maskFromExr(file, channel) : maskFromPicture(file, channel);
  for (float& value : mask.values) value = value > 0 ? std::min(value, 1.0f) : 0;  // NaN: 0
  return mask;
}

std::optional<FocusMask> downloadMask(const gpu::Texture* texture) {
  if (!texture) return std::nullopt;
  FocusMask mask{texture->width(), texture->height(), {}};
  mask.values.resize(std::size_t(mask.width) * std::size_t(mask.height));
  texture->read(mask.values.data(), std::int64_t(mask.values.size() * sizeof(float)));
  return mask;
}

}  // namespace fathom::dof
