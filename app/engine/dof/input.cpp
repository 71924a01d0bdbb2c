// SPDX-License-Identifier: BSD-3-Clause
// Which channels are meant follows from their names alone.
#include "app/engine/dof/input.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/dof/lens/optics.h"
#include "app/engine/dof/splats/point_lists.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/exr/flat_exr.h"
#include "app/engine/scene/load_scene.h"

namespace fathom::dof {
namespace {

/// "ViewLayer.Depth.Z": prefix "ViewLayer.Depth.", last "Z".
struct Name {
  explicit Name(const std::string& channel)
      : prefix(channel.substr(0, channel.rfind('.') + 1)), last(channel.substr(prefix.size())) {}
  std::string prefix, last;
};

}  // namespace

int depthRank(const ExrPartInfo& part, const std::string& channel) {
  const Name name(channel);
  const std::string last = lowered(name.last), prefix = lowered(name.prefix);
  if (channel == "Z") return 5;
  const bool isVector = part.has(name.prefix + "X") || part.has(name.prefix + "x");
  const bool saysDepth = prefix.find("depth") != std::string::npos || prefix == "z.";
  // Alone, too, when the name says position or normal.
  const bool saysVector = prefix.ends_with("p.") || prefix.ends_with("n.") ||
                          prefix.ends_with("position.") || prefix.ends_with("normal.");
  if (last == "z" && (isVector || saysVector)) return 0;
  if (last == "z")
    return saysDepth || lowered(part.name).find("depth") != std::string::npos ? 4 : 3;
  if (last == "depth" || last == "zdepth" || last == "deepz") return 2;
  return saysDepth && (last == "v" || last == "y" || last == "r") ? 1 : 0;
}

namespace {

void findColor(const ExrPartInfo& part, FlatLayers& layers) {
  std::vector<std::string> prefixes{""};
  for (const ExrPartInfo::Channel& channel : part.channels)
    if (const Name name(channel.name); name.last == "R") prefixes.push_back(name.prefix);
  // What is called the combined or final picture, before passes of it.
  std::stable_sort(prefixes.begin() + 1, prefixes.end(), [](const auto& a, const auto& b) {
    const auto isWhole = [](const std::string& prefix) {
      const std::string text = lowered(prefix);
      return text.find("combined") != std::string::npos || text.find("rgba") != std::string::npos ||
             text.find("beauty") != std::string::npos;
    };
    return isWhole(a) > isWhole(b);
  });
  for (const std::string& prefix : prefixes) {
    const bool gray = prefix.empty() && part.has("Y");
    if (!gray && !(part.has(prefix + "R") && part.has(prefix + "G") && part.has(prefix + "B")))
      continue;
    layers.colorPart = part.index, layers.prefix = prefix;
    layers.hasAlpha = part.has(prefix + "A");
    return;
  }
}

}  // namespace

FlatLayers findLayers(const ExrFileInfo& file, const std::string& part) {
  FlatLayers layers;
  bool any = false;
  for (const ExrPartInfo& candidate : file.parts) {
    if (candidate.deep || !(part.empty() || candidate.is(part))) continue;
    any = true;
    if (layers.colorPart < 0) findColor(candidate, layers);
  }
  if (!any)
    fail("{}: expected a flat part \"{}\", found {} parts without it", file.file.string(), part,
         file.parts.size());
  const ExrPartInfo& color = file.parts[std::size_t(std::max(0, layers.colorPart))];
  int best = 0;
  const auto offer = [&](const ExrPartInfo& from, const std::string& channel, int rank) {
    const std::string title =
        from.index == color.index ? channel : fmt::format("{}#{}", channel, from.index);
    if (rank <= best) {
      layers.others += (layers.others.empty() ? "" : ", ") + title;
      return;
    }
    if (best > 0) layers.others += (layers.others.empty() ? "" : ", ") + layers.depth;
    best = rank, layers.depth = channel, layers.depthPart = from.index;
  };
  // In the part of the color first: its ranks count double.
  for (const ExrPartInfo& from : file.parts) {
    if (from.deep || !(from.dataWindow == color.dataWindow)) continue;
    for (const ExrPartInfo::Channel& channel : from.channels)
      if (const int rank = depthRank(from, channel.name); rank > 0)
        offer(from, channel.name, from.index == color.index ? 10 * rank : rank);
  }
  return layers;
}

Picture readLayers(const ExrFileInfo& file, const FlatLayers& layers) {
  const ExrPartInfo& part = file.parts[std::size_t(layers.colorPart)];
  Picture picture;
  if (layers.prefix.empty()) {
    picture = *loadFlatExr(file.file, std::to_string(part.index));
  } else {
    picture.dataWindow = part.dataWindow, picture.displayWindow = part.displayWindow;
    picture.pixelAspect = part.pixelAspect;
    picture.image = Image(part.dataWindow.width, part.dataWindow.height, glm::vec4(0, 0, 0, 1));
    const char* const names[] = {"R", "G", "B", "A"};
    for (int c = 0; c < (layers.hasAlpha ? 4 : 3); ++c) {
      const auto values = loadExrChannel(file.file, part.index, layers.prefix + names[c]);
      for (std::size_t i = 0; i < values.size(); ++i) picture.image.pixels[i][c] = values[i];
    }
    picture.hasAlpha = layers.hasAlpha;
  }
  if (layers.depthPart >= 0)
    picture.depth = loadExrChannel(file.file, layers.depthPart, layers.depth);
  return picture;
}

namespace {

/// Whether the input is a deep part.
bool isDeep(const std::string& input) {
  const auto [file, part] = splitPart(input);
  if (!looksLikeExr(file)) return false;
  if (part.empty()) return kindOf(file) == FileKind::DeepExr;
  const ExrFileInfo info = describeExr(file);
  for (const ExrPartInfo& p : info.parts)
    if (p.is(part)) return p.deep;
  fail("{}: expected a part \"{}\", found {} parts without it", file, part, info.parts.size());
}

/// `read` gets the attributes of the part of an EXR that the color is in, and its AOVs.
Picture readColorAndDepth(const std::string& input, const AovChoice& choice, Input& read,
                          FlatPicture& flat) {
  const auto [file, part] = splitPart(input);
  if (!looksLikeExr(file)) return readPicture(file);
  const ExrFileInfo info = describeExr(file);
  const FlatLayers layers = findLayers(info, part);
  if (layers.colorPart < 0)
    fail("{}: expected channels R, G, B or Y, found {}", input,
         info.parts.empty() ? "none" : info.parts[0].channelNames());
  if (!layers.prefix.empty() || layers.depth != "Z" || layers.depthPart != layers.colorPart)
    log::info("{}: color from {}RGB, depth from {}{}", input, layers.prefix,
              layers.depth.empty() ? "nothing" : layers.depth,
              layers.others.empty() ? "" : fmt::format(" (also there: {})", layers.others));
  Picture picture = readLayers(info, layers);
  flat.attributes = info.parts[std::size_t(layers.colorPart)].attributes;
  read.aovs = aovsOf(info, part, layers, choice);
  return picture;
}

/// What a second input says about depth.
struct DepthValues {
  glm::ivec2 size{0};
  std::vector<float> depth;
  bool isPicture = false;  // values of a color channel, not depths
};

/// A channel of depth if there is one, else the first color channel as stored.
DepthValues depthOf(const std::string& input) {
  const auto [file, part] = splitPart(input);
  if (looksLikeExr(file)) {
    const ExrFileInfo info = describeExr(file);
    const FlatLayers layers = findLayers(info, part);
    if (layers.depthPart >= 0) {
      const Rect window = info.parts[std::size_t(layers.depthPart)].dataWindow;
      return {{window.width, window.height},
              loadExrChannel(file, layers.depthPart, layers.depth),
              false};
    }
  }
  const Picture picture = readPictureAsStored(file);
  DepthValues values{{picture.image.width, picture.image.height}, {}, true};
  values.depth.reserve(picture.image.pixels.size());
  for (const glm::vec4& p : picture.image.pixels) values.depth.push_back(p.r);
  return values;
}

std::string channelsOf(const std::string& input) {
  const auto [file, part] = splitPart(input);
  if (!looksLikeExr(file)) return "none";
  return joined(describeExr(file).parts, "; ", &ExrPartInfo::channelNames);
}

std::shared_ptr<FlatPicture> readFlat(const std::vector<std::string>& inputs,
                                      const AovChoice& choice, Input& read) {
  auto flat = std::make_shared<FlatPicture>();
  Picture picture = readColorAndDepth(inputs[0], choice, read, *flat);
  flat->name = inputs.back();
  flat->dataWindow = picture.dataWindow, flat->displayWindow = picture.displayWindow;
  flat->pixelAspect = picture.pixelAspect;
  flat->hasAlpha = picture.hasAlpha;
  if (inputs.size() == 2) {
    const DepthValues values = depthOf(inputs[1]);
    if (values.size != glm::ivec2(picture.image.width, picture.image.height))
      fail("{}: expected a depth image of {}x{} pixels as {}, found {}x{}", inputs[1],
           picture.image.width, picture.image.height, inputs[0], values.size.x, values.size.y);
    flat->depth = values.depth;
    flat->depthIsPicture = values.isPicture;
  } else {
    if (picture.depth.empty())
      fail("{}: expected a Z channel, or a depth image as second input, found {}", inputs[0],
           isPlainPicture(kindOf(inputs[0])) ? "one image without depth"
                                             : "channels " + channelsOf(inputs[0]));
    flat->depth = std::move(picture.depth);
  }
  flat->image = std::move(picture.image);
  return flat;
}

/// The fragments of all images, front to back; the frame is that of the first. Within the frame
/// what lies around the data windows is empty, and blur reaches there.
DeepImage mergedOf(std::vector<DeepImage> images, const std::vector<std::string>& names) {
  constexpr int kReach = 512;  // the largest --max-radius
  Rect window;
  std::size_t count = 0;
  for (const DeepImage& image : images) {
    const Rect& own = image.dataWindow;
    const Rect around{own.x - kReach, own.y - kReach, own.width + 2 * kReach,
                      own.height + 2 * kReach};
    window = unite(window, unite(own, intersect(around, images[0].displayWindow)));
    count += image.fragmentCount();
  }
  if (images.size() == 1 && window == images[0].dataWindow) return std::move(images[0]);
  unify(images, names);
  if (count > UINT32_MAX) fail("dof: expected at most 2^32 fragments, found {}", count);
  const SharedAttributes attributes = images[0].attributes;
  DeepImage merged = together(std::move(images), window);
  merged.attributes = attributes;
  sortLists(merged);
  return merged;
}

/// `matte`: of hold-outs, whose alpha will do.
std::vector<DeepImage> readDeep(const std::vector<std::string>& inputs, Progress& progress,
                                bool matte = false) {
  std::vector<DeepImage> images;
  for (const std::string& input : inputs) {
    DeepReadOptions options{.progress = &progress};
    const auto [file, part] = splitPart(input);
    options.part = part;
    images.push_back(readDeepExr(file, options));
    if (const std::string text = images.back().repairs.text(); !text.empty())
      log::warn("{}: {}", input, text);
    if (!(images.back().displayWindow == images[0].displayWindow))
      log::warn("{}: the display window differs from the one of {}, which is kept", input,
                inputs[0]);
    const std::vector<DeepChannel>& channels = images.back().channels;
    if (!hasColor(channels) && !(matte && channelNamed(channels, "A")))
      fail("{}: expected channels R, G, B or Y, found none", input);
  }
  return images;
}

/// Hides what it hides, and shows nothing.
DeepImage blackOf(DeepImage matte) {
  const std::set<std::string> kept{"A", "AR", "AG", "AB", "Z", "ZBack"};
  makeIndexed(matte);
  for (DeepChannel& channel : matte.channels)
    if (!kept.contains(channel.name)) std::ranges::fill(channel.values, std::byte(0));
  DeepChannel held{kHeldChannel, ChannelType::Half, {}};
  for (std::size_t i = 0; i < matte.fragmentCount(); ++i)
    held.values.insert(held.values.end(), {std::byte(0x00), std::byte(0x3C)});  // 1
  const auto at =
      std::ranges::upper_bound(matte.channels, held.name, std::less(), &DeepChannel::name);
  matte.channels.insert(at, std::move(held));
  return matte;
}

/// The inputs of each role.
std::map<std::string, std::vector<std::string>> byRole(const std::vector<std::string>& inputs,
                                                       const std::string& roles) {
  const std::vector<std::string> all = splitAt(roles, ',');
  std::map<std::string, std::vector<std::string>> found;
  for (std::size_t i = 0; i < std::max(inputs.size(), all.size()); ++i) {
    const std::string role = i < all.size() && !all[i].empty() ? all[i] : "add";
    const bool holds = role == "hold-out" || role == "blurred-hold-out";
    if (i >= inputs.size() || (role != "add" && (!holds || i == 0)))
      failUsage(
          "--roles {}: expected add for the first input, and add, hold-out or blurred-hold-out for "
          "further ones, {} in all, found \"{}\" as number {}",
          roles, inputs.size(), role, i + 1);
    found[role].push_back(inputs[i]);
  }
  return found;
}

/// A file's depth value as planar Z; 0 for the background.
class DepthReader {
 public:
  DepthReader(const FlatPicture& picture, const Settings& s)
      : form_(s.depthForm == DepthForm::Auto
                  ? (picture.depthIsPicture ? DepthForm::Linear : DepthForm::Planar)
                  : s.depthForm),
        near_(s.near),
        far_(s.far) {
    const bool asksRange =
        form_ == DepthForm::Linear || form_ == DepthForm::Gl || form_ == DepthForm::GlReversed;
    if (asksRange && !(near_ < far_))
      failUsage("--near: expected a depth below --far {}, found {}", s.far, s.near);
  }
  /// `stretch` is the length of the view ray through the pixel that is 1 long along the axis.
  double planar(double d, double stretch) const {
    switch (form_) {
      case DepthForm::Radial:
        return d / stretch;
      case DepthForm::Linear:
        return near_ + d * (far_ - near_);
      case DepthForm::Gl:
        return perspective(d);
      case DepthForm::GlReversed:
        return perspective(1 - d);
      case DepthForm::GlInfinite:
        return near_ / d;
      default:
        return d;
    }
  }

 private:
  /// 1/z is affine in d (spec of the GL depth buffer).
  double perspective(double d) const {
    return d >= 1 ? 0 : 1 / (1 / near_ - d * (1 / near_ - 1 / far_));
  }
  DepthForm form_;
  double near_, far_;
};

/// Averaged depths become the nearer or the farther of the extremes among the 3 x 3 around them.
void snap(Image& image) {
  const Image before = image;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const float z = before.at(x, y).a;
      if (isBackground(z)) continue;
      float low = z, high = z;
      for (int ny = std::max(0, y - 1); ny <= std::min(image.height - 1, y + 1); ++ny)
        for (int nx = std::max(0, x - 1); nx <= std::min(image.width - 1, x + 1); ++nx) {
          const float n = before.at(nx, ny).a;
          low = std::min(low, isBackground(n) ? low : n);
          high = std::max(high, isBackground(n) ? kFarthest : n);
        }
      // In the measure of blur, 1/z.
      const bool nearer = 1 / low - 1 / z <= 1 / z - 1 / high;
      image.at(x, y).a = nearer ? low : high >= kFarthest ? 0 : high;
    }
}

bool acceptsOne(const std::string& input) {
  if (isSceneSpec(input)) return true;
  try {
    return kindOf(splitPart(input).first) != FileKind::Unknown;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

bool accepts(const std::vector<std::string>& all) {
  std::vector<std::string> inputs = all;
  std::erase_if(inputs, looksLikePull);
  if (inputs.empty() && !all.empty()) return false;
  return std::ranges::all_of(inputs, acceptsOne) && !(inputs.size() == 1 && lacksDepth(inputs[0]));
}

bool lacksDepth(const std::string& input) {
  if (isSceneSpec(input)) return false;
  return isPlainPicture(kindOf(splitPart(input).first));
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& all, Progress& progress,
                                   const std::string& roles, const AovChoice& aovs) {
  std::vector<std::string> inputs = all;
  std::erase_if(inputs, looksLikePull);
  if (inputs.empty())
    throw UsageError("dof: expected a scene, an EXR with depth or a deep EXR, found no input");
  auto input = std::make_unique<Input>();
  input->names = inputs;
  if (const auto last = std::find_if(all.rbegin(), all.rend(), looksLikePull); last != all.rend()) {
    input->pull = parsePull(*last);
    input->names.push_back(*last);
  }
  auto roleInputs = byRole(inputs, roles);
  inputs = roleInputs["add"];
  const std::vector<std::string>&held = roleInputs["hold-out"],
        &blocking = roleInputs["blurred-hold-out"];
  if (!held.empty())
    input->held = std::make_shared<DeepImage>(mergedOf(readDeep(held, progress, true), held));
  const bool deep = std::ranges::all_of(
      inputs, [](const std::string& name) { return !isSceneSpec(name) && isDeep(name); });
  if (!blocking.empty() && !deep)
    failUsage("{}: expected deep EXRs beside a blurred hold-out, found a scene or a flat image",
              inputs[0]);
  if (isSceneSpec(inputs[0])) {
    if (inputs.size() > 1) failUsage("{}: expected no second input with a scene", inputs[1]);
    input->scene = loadScene(inputs[0], progress);
  } else if (deep) {
    std::vector<DeepImage> images = readDeep(inputs, progress);
    for (DeepImage& matte : readDeep(blocking, progress, true))
      images.push_back(blackOf(std::move(matte)));
    inputs.insert(inputs.end(), blocking.begin(), blocking.end());
    for (const DeepImage& image : images)
      input->dataWindow = unite(input->dataWindow, image.dataWindow);
    input->deep = std::make_shared<DeepImage>(mergedOf(std::move(images), inputs));
    input->aovs = aovsOf(*input->deep, inputs[0], aovs);
  } else if (inputs.size() > 2) {
    failUsage("dof: expected deep files, or an image and its depth, found {} inputs",
              inputs.size());
  } else {
    input->flat = readFlat(inputs, aovs, *input);
  }
  if (!aovs.channels.empty() && !input->aovs)
    fail("{}: expected an EXR with --channels, found a scene or a plain image", inputs[0]);
  return input;
}

Image colorAndDepth(const FlatPicture& picture, const Settings& settings, double tangentPerPixel) {
  const DepthReader reader(picture, settings);
  Image out = picture.image;
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      const double tx = (x + 0.5 - out.width * 0.5) * tangentPerPixel;
      const double ty = (y + 0.5 - out.height * 0.5) * tangentPerPixel;
      const float d = picture.depth[std::size_t(y) * std::size_t(out.width) + std::size_t(x)];
      const auto z = float(reader.planar(d, std::sqrt(1 + tx * tx + ty * ty)));
      out.at(x, y).a = isBackground(z) ? 0 : z;
    }
  if (settings.snapDepth) snap(out);
  return out;
}

Image colorAndDepth(const DeepImage& image) {
  Image out(image.dataWindow.width, image.dataWindow.height);
  for (std::size_t p = 0; p < image.pixelCount(); ++p) {
    glm::vec4& pixel = out.pixels[p];
    double through = 1;
    for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i) {
      const Fragment f = decodeFragment(image, i);
      pixel.r += float(through * f.r), pixel.g += float(through * f.g),
          pixel.b += float(through * f.b);
      through *= 1 - f.a;
      if (pixel.a == 0 && through <= 0.5 && !isBackground(f.z)) pixel.a = f.z;
    }
  }
  return out;
}

double averagedShare(const Image& image) {
  constexpr double kGap = 0.02;  // of 1/z, on both sides
  std::size_t averaged = 0;
  const auto inverse = [&](int x, int y) {
    const float z = image.at(x, y).a;
    return isBackground(z) ? 0.0 : 1.0 / z;
  };
  const auto between = [&](double a, double b, double c) {
    return (a - b) * (b - c) > 0 && std::abs(a - b) > kGap * std::max(a, b) &&
           std::abs(b - c) > kGap * std::max(b, c);
  };
  // A slanted plane is affine in 1/z: between its neighbors too, but exactly in the middle.
  const auto bent = [&](double a, double b, double c) {
    return std::abs(a + c - 2 * b) > 0.2 * std::abs(a - c);
  };
  for (int y = 1; y + 1 < image.height; ++y)
    for (int x = 1; x + 1 < image.width; ++x) {
      const double b = inverse(x, y), l = inverse(x - 1, y), r = inverse(x + 1, y),
                   u = inverse(x, y - 1), d = inverse(x, y + 1);
      averaged += (between(l, b, r) && bent(l, b, r)) || (between(u, b, d) && bent(u, b, d));
    }
  return image.pixels.empty() ? 0 : double(averaged) / double(image.pixels.size());
}

}  // namespace fathom::dof
