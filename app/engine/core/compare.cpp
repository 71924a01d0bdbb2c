// SPDX-License-Identifier: BSD-3-Clause
// SSIM by a sliding 11 x 11 Gaussian window, summed in double. FLIP row by row: each kernel is a
// product of one down the columns and one along the row; names and numbers are the paper's.
// Fragments are compared bit for bit, and decoded to say by how much they differ.
#include "app/engine/core/compare.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/text.h"

namespace fathom {
namespace {

constexpr int kRadius = 5;  // of the SSIM window, 11x11
constexpr double kSigma = 1.5, kC1 = 0.01 * 0.01, kC2 = 0.03 * 0.03;

float clipped(float value) { return std::isnan(value) ? value : std::clamp(value, 0.0f, 1.0f); }

double difference(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0.0 : 1.0;
  return std::abs(double(a) - double(b));
}

std::array<double, 2 * kRadius + 1> gaussian() {
  std::array<double, 2 * kRadius + 1> weights{};
  double sum = 0;
  for (int i = -kRadius; i <= kRadius; ++i)
    sum += weights[std::size_t(i + kRadius)] = std::exp(-double(i * i) / (2 * kSigma * kSigma));
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// First and second moments of a pair of values, which the window averages.
struct Moments {
  double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  void add(double weight, const Moments& m) {
    a += weight * m.a, b += weight * m.b;
    aa += weight * m.aa, bb += weight * m.bb, ab += weight * m.ab;
  }
};

/// SSIM, and its part without luminance.
struct Similarity {
  double whole = 0, structure = 0;
  void operator+=(const Similarity& s) { whole += s.whole, structure += s.structure; }
};

Similarity similarityOf(const Moments& m) {
  const double structure =
      (2 * (m.ab - m.a * m.b) + kC2) / (m.aa - m.a * m.a + m.bb - m.b * m.b + kC2);
  return {structure * (2 * m.a * m.b + kC1) / (m.a * m.a + m.b * m.b + kC1), structure};
}

Moments momentsAt(const Image& a, const Image& b, int x, int y, int channel) {
  const auto value = [&](const Image& image) {
    const float v = clipped(image.at(x, y)[channel]);
    return std::isnan(v) ? 0.0 : double(v);
  };
  const double va = value(a), vb = value(b);
  return {va, vb, va * va, vb * vb, va * vb};
}

/// Means of one channel over the pixels whose window lies inside; a picture smaller than the
/// window is one window with equal weights.
Similarity similarityOf(const Image& a, const Image& b, int channel) {
  const int columns = a.width - 2 * kRadius, rows = a.height - 2 * kRadius;
  if (columns <= 0 || rows <= 0) {
    Moments all;
    for (int y = 0; y < a.height; ++y)
      for (int x = 0; x < a.width; ++x)
        all.add(1.0 / (double(a.width) * a.height), momentsAt(a, b, x, y, channel));
    return similarityOf(all);
  }
  const auto weights = gaussian();
  std::vector<Similarity> rowSums(std::size_t(rows), Similarity{});
  parallelFor(std::size_t(rows), 8, [&](std::size_t first, std::size_t last) {
    std::vector<Moments> column(std::size_t(a.width));
    for (std::size_t row = first; row < last; ++row) {
      std::fill(column.begin(), column.end(), Moments{});
      for (int dy = 0; dy <= 2 * kRadius; ++dy)
        for (int x = 0; x < a.width; ++x)
          column[std::size_t(x)].add(weights[std::size_t(dy)],
                                     momentsAt(a, b, x, int(row) + dy, channel));
      for (int x = 0; x < columns; ++x) {
        Moments window;
        for (int dx = 0; dx <= 2 * kRadius; ++dx)
          window.add(weights[std::size_t(dx)], column[std::size_t(x + dx)]);
        rowSums[row] += similarityOf(window);
      }
    }
  });
  Similarity sum;
  for (const Similarity& rowSum : rowSums) sum += rowSum;
  const double count = double(columns) * rows;
  return {sum.whole / count, sum.structure / count};
}

Image halved(const Image& image) {
  Image half(image.width / 2, image.height / 2);
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x)
      half.at(x, y) = (image.at(2 * x, 2 * y) + image.at(2 * x + 1, 2 * y) +
                       image.at(2 * x, 2 * y + 1) + image.at(2 * x + 1, 2 * y + 1)) /
                      4.0f;
  return half;
}

std::string channelList(const DeepImage& image) {
  return joined(image.channels, ", ", [](const DeepChannel& channel) {
    return fmt::format("{} ({})", channel.name, kChannelTypeNames[int(channel.type)]);
  });
}

/// What Fragment does not hold: layers, IDs. Of the fragments with these words.
void addOthers(const DeepImage& a, const std::uint32_t* wordsA, const DeepImage& b,
               const std::uint32_t* wordsB, DeepDifference& result) {
  if (a.format != FragmentFormat::Indexed) return;
  constexpr std::string_view kOfFragment[] = {"R", "G", "B", "A", "Z", "ZBack"};
  for (std::size_t c = 0; c < a.channels.size(); ++c) {
    const DeepChannel &own = a.channels[c], &other = b.channels[c];
    if (sameValue(own, wordsA[0], other, wordsB[0]) ||
        std::ranges::find(kOfFragment, own.name) != std::end(kOfFragment))
      continue;
    const double apart = own.type == ChannelType::Uint
                             ? std::numeric_limits<double>::infinity()
                             : difference(float(channelValue(own, wordsA[0])),
                                          float(channelValue(other, wordsB[0])));
    result.maxOther = std::max(result.maxOther, apart);
  }
}

void addDifference(const Fragment& a, const Fragment& b, DeepDifference& result) {
  for (const auto channel : {&Fragment::r, &Fragment::g, &Fragment::b, &Fragment::a})
    result.maxColor = std::max(result.maxColor, difference(a.*channel, b.*channel));
  for (const auto depth : {&Fragment::z, &Fragment::zBack})
    if (a.*depth != b.*depth)  // equal infinities have no difference
      result.maxDepth = std::max(result.maxDepth, difference(a.*depth, b.*depth));
}

}  // namespace

PictureDifference compare(const Image& a, const Image& b) {
  FATHOM_CHECK_OP(a.width, ==, b.width);
  FATHOM_CHECK_OP(a.height, ==, b.height);
  FATHOM_CHECK(!a.pixels.empty());
  PictureDifference result;
  double squares = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    for (int c = 0; c < 3; ++c) {
      const double d = difference(clipped(a.pixels[i][c]), clipped(b.pixels[i][c]));
      squares += d * d;
      result.mae += d;
      result.max = std::max(result.max, d);
    }
    const double d = difference(clipped(a.pixels[i].w), clipped(b.pixels[i].w));
    result.alphaMae += d;
    result.alphaMax = std::max(result.alphaMax, d);
  }
  const double count = double(a.pixels.size());
  result.mae /= 3 * count;
  result.alphaMae /= count;
  result.psnr =
      squares > 0 ? 10 * std::log10(3 * count / squares) : std::numeric_limits<double>::infinity();
  for (int channel = 0; channel < 3; ++channel)
    result.ssim += similarityOf(a, b, channel).whole / 3;
  return result;
}

double msSsim(Image a, Image b) {
  FATHOM_CHECK(a.width == b.width && a.height == b.height);
  for (Image* image : {&a, &b})
    for (glm::vec4& p : image->pixels) p = {clipped(p.r), clipped(p.g), clipped(p.b), p.a};
  constexpr std::array<double, 5> kWeights{0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
  std::size_t scales = 1;
  for (int side = std::min(a.width, a.height) / 2; scales < kWeights.size() && side > 2 * kRadius;
       side /= 2)
    ++scales;
  const double weightSum = std::accumulate(kWeights.begin(), kWeights.begin() + scales, 0.0);
  std::array<double, 3> product{1, 1, 1};
  for (std::size_t i = 0; i < scales; ++i) {
    if (i > 0) a = halved(a), b = halved(b);
    for (int channel = 0; channel < 3; ++channel) {
      const Similarity found = similarityOf(a, b, channel);
      const double value = std::max(0.0, i + 1 == scales ? found.whole : found.structure);
      product[std::size_t(channel)] *= std::pow(value, kWeights[i] / weightSum);
    }
  }
  return (product[0] + product[1] + product[2]) / 3;
}

Image differencePicture(const Image& a, const Image& b, float gain) {
  FATHOM_CHECK_OP(a.width, ==, b.width);
  FATHOM_CHECK_OP(a.height, ==, b.height);
  Image picture(a.width, a.height, glm::vec4(0, 0, 0, 1));
  float largest = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (int c = 0; c < 3; ++c)
      largest = std::max(largest,
                         picture.pixels[i][c] = float(difference(a.pixels[i][c], b.pixels[i][c])));
  if (gain == 0) gain = largest > 0 ? 1 / largest : 1;
  for (glm::vec4& pixel : picture.pixels)
    for (int c = 0; c < 3; ++c) pixel[c] *= gain;
  return picture;
}

DeepDifference compareDeep(DeepImage a, DeepImage b, const std::vector<std::string>& names) {
  DeepDifference result;
  result.fragmentsA = a.fragmentCount(), result.fragmentsB = b.fragmentCount();
  if (channelList(a) != channelList(b))
    result.channels = fmt::format("{} / {}", channelList(a), channelList(b));
  if (a.format != b.format || !result.channels.empty()) {
    std::vector<DeepImage> both;
    both.push_back(std::move(a));
    both.push_back(std::move(b));
    unify(both, names);
    a = std::move(both[0]);
    b = std::move(both[1]);
  }
  const Rect window = unite(a.dataWindow, b.dataWindow);
  const std::size_t stride = std::size_t(a.stride());
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = window.x; x < window.right(); ++x) {
      const auto listA = a.list(x, y), listB = b.list(x, y);
      const auto [fewer, more] = std::minmax({listA.size() / stride, listB.size() / stride});
      std::uint64_t here = more - fewer;
      result.pixelsWithOtherCount += here > 0;
      for (std::size_t i = 0; i < fewer * stride; i += stride)
        if (!sameFragment(a, &listA[i], b, &listB[i])) {
          ++here;
          addDifference(decodeWords(a, &listA[i]), decodeWords(b, &listB[i]), result);
          addOthers(a, &listA[i], b, &listB[i], result);
        }
      if (here && !result.first) result.first = {x, y};
      result.fragmentsThatDiffer += here;
    }
  return result;
}

namespace {

constexpr float kPpd = 67.0206f;  // pixels per degree of visual angle
constexpr float kQc = 0.7f, kPc = 0.4f, kPt = 0.95f, kQf = 0.5f, kW = 0.082f;
constexpr int kFlipRadius = 10;  // three deviations of the widest kernel

using Kernel = std::array<float, 2 * kFlipRadius + 1>;

/// Positive weights sum to 1, negative ones to -1.
Kernel kernelOf(const std::function<double(double)>& weight) {
  Kernel kernel{};
  double positive = 0, negative = 0;
  for (int i = -kFlipRadius; i <= kFlipRadius; ++i)
    (weight(i) > 0 ? positive : negative) += weight(i);
  for (int i = -kFlipRadius; i <= kFlipRadius; ++i)
    kernel[std::size_t(i + kFlipRadius)] = float(weight(i) > 0   ? weight(i) / positive
                                                 : weight(i) < 0 ? -weight(i) / negative
                                                                 : 0);
  return kernel;
}

double gaussian(double x, double b) {
  return std::exp(-std::numbers::pi * std::numbers::pi * x * x / (b * kPpd * kPpd));
}

/// Contrast sensitivity of the three opponent channels, where the third is a sum of two; and the
/// kernels that find edges and points.
struct Kernels {
  Kernel achromatic = kernelOf([](double x) { return gaussian(x, 0.0047); });
  Kernel redGreen = kernelOf([](double x) { return gaussian(x, 0.0053); });
  Kernel wide = kernelOf([](double x) { return gaussian(x, 0.04); });
  Kernel narrow = kernelOf([](double x) { return gaussian(x, 0.025); });
  float wideShare = 0;
  Kernel smooth, edge, point;

  Kernels() {
    const auto volume = [](double a, double b) {
      double sum = 0;
      for (int i = -kFlipRadius; i <= kFlipRadius; ++i) sum += gaussian(i, b);
      return a * std::sqrt(std::numbers::pi / b) * sum * sum;
    };
    wideShare = float(volume(34.1, 0.04) / (volume(34.1, 0.04) + volume(13.5, 0.025)));
    const double sd = 0.5 * kW * kPpd;
    const auto bell = [=](double x) {
      return std::abs(x) > std::ceil(3 * sd) ? 0 : std::exp(-x * x / (2 * sd * sd));
    };
    smooth = kernelOf(bell);
    edge = kernelOf([=](double x) { return -x * bell(x); });
    point = kernelOf([=](double x) { return (x * x / (sd * sd) - 1) * bell(x); });
  }
};

/// Linear RGB to XYZ, each relative to its white.
glm::mat3 relativeXyz() {
  return glm::transpose(glm::mat3(glm::vec3(10135552, 8788810, 4435075) / 23359437.0f,
                                  glm::vec3(2613072, 8788810, 887015) / 12288897.0f,
                                  glm::vec3(1425312, 8788810, 70074185) / 80288307.0f));
}

/// Y, Cx and Cz; `f` of Lab is left out, since they are linear.
glm::vec3 opponent(glm::vec3 xyz) {
  return {116 * xyz.y - 16, 500 * (xyz.x - xyz.y), 200 * (xyz.y - xyz.z)};
}

glm::vec3 xyzOf(glm::vec3 ycc) {
  const float y = (ycc.x + 16) / 116;
  return {ycc.y / 500 + y, y, y - ycc.z / 200};
}

/// L*a*b* with the adjustment of Hunt: colors count less where it is dark.
glm::vec3 huntLab(glm::vec3 xyz) {
  constexpr float kDelta = 6.0f / 29;
  for (int i = 0; i < 3; ++i)
    xyz[i] = xyz[i] > kDelta * kDelta * kDelta ? std::cbrt(xyz[i])
                                               : xyz[i] / (3 * kDelta * kDelta) + 4.0f / 29;
  const glm::vec3 lab = opponent(xyz);
  return {lab.x, 0.01f * lab.x * lab.y, 0.01f * lab.x * lab.z};
}

float colorDistance(glm::vec3 a, glm::vec3 b) {
  return std::pow(std::abs(a.x - b.x) + glm::length(glm::vec2(a.y - b.y, a.z - b.z)), kQc);
}

struct Pixel {
  glm::vec3 lab{0};           // as it is seen
  float edge = 0, point = 0;  // how much of either is there
};

class Seen {
 public:
  explicit Seen(const Image& image) : width_(image.width), height_(image.height) {
    ycc_.reserve(image.pixels.size());
    for (const glm::vec4& pixel : image.pixels) {
      glm::vec3 rgb(0);
      for (int c = 0; c < 3; ++c) rgb[c] = pixel[c] > 0 ? std::min(pixel[c], 1.0f) : 0;
      ycc_.push_back(opponent(toXyz_ * rgb));
    }
  }

  std::vector<Pixel> row(int y, const Kernels& k) const {
    struct Column {
      glm::vec4 color{0};     // Y, Cx, and Cz twice
      glm::vec3 features{0};  // of Y: smooth, edge, point
    };
    // Beyond the borders their pixels go on.
    std::vector<Column> columns(std::size_t(width_ + 2 * kFlipRadius));
    for (int i = 0; i <= 2 * kFlipRadius; ++i) {
      const std::size_t s = std::size_t(i);
      const glm::vec4 color(k.achromatic[s], k.redGreen[s], k.wide[s], k.narrow[s]);
      const glm::vec3 features(k.smooth[s], k.edge[s], k.point[s]);
      const glm::vec3* const line =
          ycc_.data() + std::ptrdiff_t(std::clamp(y + i - kFlipRadius, 0, height_ - 1)) * width_;
      for (int x = 0; x < width_; ++x) {
        Column& column = columns[std::size_t(x + kFlipRadius)];
        column.color += color * glm::vec4(line[x], line[x].z);
        column.features += features * ((line[x].x + 16) / 116);
      }
    }
    std::fill_n(columns.begin(), kFlipRadius, columns[kFlipRadius]);
    std::fill_n(columns.end() - kFlipRadius, kFlipRadius,
                columns[std::size_t(width_ + kFlipRadius - 1)]);
    std::vector<Pixel> pixels(std::size_t(width_), Pixel{});
    for (std::size_t x = 0; x < pixels.size(); ++x) {
      glm::vec4 color(0);
      glm::vec2 edge(0), point(0);
      for (std::size_t i = 0; i < std::tuple_size_v<Kernel>; ++i) {
        const Column& column = columns[x + i];
        color += column.color * glm::vec4(k.achromatic[i], k.redGreen[i], k.wide[i], k.narrow[i]);
        edge += glm::vec2(k.edge[i] * column.features.x, k.smooth[i] * column.features.y);
        point += glm::vec2(k.point[i] * column.features.x, k.smooth[i] * column.features.z);
      }
      const glm::vec3 ycc(color.x, color.y, glm::mix(color.w, color.z, k.wideShare));
      const glm::vec3 rgb = glm::clamp(fromXyz_ * xyzOf(ycc), 0.0f, 1.0f);
      pixels[x] = {huntLab(toXyz_ * rgb), glm::length(edge), glm::length(point)};
    }
    return pixels;
  }

 private:
  const glm::mat3 toXyz_ = relativeXyz(), fromXyz_ = glm::inverse(toXyz_);
  int width_, height_;
  std::vector<glm::vec3> ycc_;
};

}  // namespace

double flipError(const Image& a, const Image& b) {
  FATHOM_CHECK_OP(a.width, ==, b.width);
  FATHOM_CHECK_OP(a.height, ==, b.height);
  const Kernels kernels;
  const Seen first(a), second(b);
  const glm::mat3 xyz = relativeXyz();
  const float most = colorDistance(huntLab(xyz[1]), huntLab(xyz[2]));  // of green and blue
  const float knee = kPc * most;  // most of the range is of smaller distances
  std::vector<double> rowSums(std::size_t(a.height), 0.0);
  parallelForEach(rowSums.size(), 8, [&](std::size_t y) {
    const std::vector<Pixel> rowA = first.row(int(y), kernels), rowB = second.row(int(y), kernels);
    for (std::size_t x = 0; x < rowA.size(); ++x) {
      const Pixel &p = rowA[x], &q = rowB[x];
      const float distance = colorDistance(p.lab, q.lab);
      const float color = distance < knee ? distance * kPt / knee
                                          : kPt + (distance - knee) / (most - knee) * (1 - kPt);
      const float feature = std::pow(
          std::max(std::abs(p.edge - q.edge), std::abs(p.point - q.point)) / std::sqrt(2.0f), kQf);
      rowSums[y] += double(std::pow(color, 1 - feature));
    }
  });
  return std::accumulate(rowSums.begin(), rowSums.end(), 0.0) / (double(a.width) * a.height);
}

}  // namespace fathom
