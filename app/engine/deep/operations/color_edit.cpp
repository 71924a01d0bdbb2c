// SPDX-License-Identifier: BSD-3-Clause
// Other colors for the same fragments: grades, expressions (muParser), and those of a flat picture.
#include "app/engine/deep/operations/color_edit.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/operations/sample_list.h"
#include "app/engine/io/exr/id_filter.h"

#include <muParser.h>

namespace fathom::deep {
namespace {

constexpr std::size_t kPixelsPerJob = 4096;

bool isChosen(const std::string& name, const std::string& patterns) {
  return std::ranges::any_of(splitAt(patterns, ','), [&](const std::string& pattern) {
    return matchesPattern(name, pattern);
  });
}

/// The place of a channel's last letter in RGB; 3 for others.
std::size_t colorOf(const std::string& name) {
  const std::size_t place = std::string("RGB").find(name.back());
  return place == std::string::npos || (name.size() > 1 && name[name.size() - 2] != '.') ? 3
                                                                                         : place;
}

double of(const ColorTriple& triple, std::size_t color) {
  return color < 3 ? triple[color] : (triple[0] + triple[1] + triple[2]) / 3;
}

/// The channel of a name; null when there is none.
DeepChannel* channelOf(DeepImage& image, const std::string& name) {
  return const_cast<DeepChannel*>(channelNamed(image.channels, name));
}

/// Colors that are missing become black half channels.
void addColors(DeepImage& image) {
  for (const char* name : {"R", "G", "B"})
    if (!channelOf(image, name))
      image.channels.push_back(
          {name, ChannelType::Half, std::vector<std::byte>(2 * image.fragmentCount())});
  std::ranges::sort(image.channels, {}, &DeepChannel::name);
}

/// Fragments whose light in front of everything is scaled: alphas such that what shows of each is
/// `scale` times what did.
void scaleShown(std::vector<double>& alphas, double scale) {
  double passing = 1, left = 1;
  for (double& a : alphas) {
    const double shown = passing * a * scale;
    passing *= 1 - a;
    a = left > 1e-12 ? std::clamp(shown / left, 0.0, 1.0) : 0;
    left = std::max(0.0, left - shown);
  }
}

class Recoloring {
 public:
  Recoloring(DeepImage& image, RecolorAlpha alpha)
      : image_(image), target_(alpha == RecolorAlpha::Target) {}

  void pixel(std::size_t p, const glm::dvec4& color, bool hasAlpha) {
    const std::size_t first = image_.fragmentOffsets[p],
                      count = image_.fragmentOffsets[p + 1] - first;
    alphas_.resize(count);
    double passing = 1;
    for (std::size_t i = 0; i < count; ++i) {
      const double a = alpha_ ? channelValue(*alpha_, placeOf(first + i)) : 1;
      alphas_[i] = a > 0 ? std::min(a, 1.0) : 0;
      passing *= 1 - alphas_[i];
    }
    const double covered = 1 - passing, wanted = hasAlpha ? color.a : covered;
    if (target_ && alpha_ && covered > 0) {
      scaleShown(alphas_, std::clamp(wanted, 0.0, 1.0) / covered);
      for (std::size_t i = 0; i < count; ++i)
        setChannelValue(*alpha_, placeOf(first + i), alphas_[i]);
    }
    for (std::size_t i = 0; i < count; ++i)
      for (int c = 0; c < 3; ++c)
        setChannelValue(*colors_[std::size_t(c)], placeOf(first + i),
                        wanted > 0 ? alphas_[i] * color[c] / wanted : 0);
  }

 private:
  std::size_t placeOf(std::size_t fragment) const { return image_.words[fragment * kWideWords]; }

  DeepImage& image_;
  bool target_;
  DeepChannel* alpha_ = channelOf(image_, "A");
  std::array<DeepChannel*, 3> colors_{channelOf(image_, "R"), channelOf(image_, "G"),
                                      channelOf(image_, "B")};
  std::vector<double> alphas_;
};

double slopeOf(const Grade& grade, std::size_t color) {
  return of(grade.multiply, color) * (of(grade.gain, color) - of(grade.lift, color)) /
         (of(grade.white, color) - of(grade.black, color));
}

}  // namespace

double graded(const Grade& grade, std::size_t color, double value) {
  const double out = slopeOf(grade, color) * (value - of(grade.black, color)) +
                     of(grade.lift, color) + of(grade.offset, color);
  const double gamma = of(grade.gamma, color);
  return gamma == 1 || out <= 0 ? out : std::pow(out, 1 / gamma);
}

void gradeFragments(DeepImage& image, const Grade& grade, ColorRepairs& repairs) {
  makeIndexed(image);
  const ColorPlan plan = colorPlanOf(image);
  std::vector<std::size_t> chosen;
  for (std::size_t v = 0; v < plan.count(); ++v)
    if (!plan.values[v].isAlpha &&
        isChosen(image.channels[std::size_t(plan.values[v].channel)].name, grade.channels))
      chosen.push_back(v);
  if (chosen.empty()) fail("expected a color channel \"{}\", found none", grade.channels);
  std::atomic<std::size_t> bad = 0;
  parallelFor(image.fragmentCount(), 1 << 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (grade.only && !grade.only->has(image, i, 0)) continue;
      const std::size_t at = image.words[i * kWideWords];
      for (const std::size_t v : chosen) {
        DeepChannel& channel = image.channels[std::size_t(plan.values[v].channel)];
        const int alpha = plan.values[v].alpha;
        const double a =
            alpha < 0
                ? 1
                : channelValue(image.channels[std::size_t(plan.values[std::size_t(alpha)].channel)],
                               at);
        const double before = channelValue(channel, at);
        const std::size_t color = colorOf(channel.name);
        // Light without alpha is multiplied; what is added is as much as the alpha lets show.
        double value =
            a > 0 ? a * graded(grade, color, before / a) : before * slopeOf(grade, color);
        if (!std::isfinite(value)) ++bad, value = 0;
        if (a > 0 || before != 0) setChannelValue(channel, at, value);
      }
    }
  });
  repairs.notFinite += bad;
}

void recolor(DeepImage& image, const Picture& picture, RecolorAlpha alpha, RecolorReport& report) {
  makeIndexed(image);
  addColors(image);
  const Rect window = image.dataWindow, from = picture.dataWindow;
  std::atomic<std::size_t> outside = 0, lost = 0;
  parallelFor(image.pixelCount(), kPixelsPerJob, [&](std::size_t first, std::size_t last) {
    Recoloring recoloring(image, alpha);
    for (std::size_t p = first; p < last; ++p) {
      const auto width = std::size_t(window.width);
      const int x = window.x + int(p % width), y = window.y + int(p / width);
      const bool inside = from.contains(x, y);
      const glm::dvec4 color(inside ? picture.image.at(x - from.x, y - from.y) : glm::vec4(0));
      const bool any = image.fragmentOffsets[p + 1] > image.fragmentOffsets[p];
      if (any && !inside) ++outside;
      if (!any && color != glm::dvec4(0)) ++lost;
      recoloring.pixel(p, color, inside && picture.hasAlpha);
    }
  });
  report.pixelsOutside += outside, report.pixelsLost += lost;
}

namespace {

constexpr std::size_t kMaxText = 4096;  // also bounds what the parser nests
constexpr const char* kNameSigns =
    "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.";

[[noreturn]] void refuse(const std::string& expected, const std::string& found) {
  failUsage("--expression: expected {}, found \"{}\"", expected, found);
}

struct Assignment {
  std::size_t channel;
  std::string text;
};

/// An "=" that is no comparison.
std::size_t assignsAt(const std::string& text, std::size_t from = 0) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=')
      ++i;
    else if (i == 0 || !std::strchr("<>!=", text[i - 1]))
      return i;
  }
  return std::string::npos;
}

std::vector<Assignment> assignmentsOf(const std::string& text, const DeepImage& image) {
  if (text.size() > kMaxText)
    refuse(fmt::format("at most {} characters", kMaxText), text.substr(0, 40) + "...");
  std::vector<Assignment> list;
  for (const std::string& part : splitAt(text, ';')) {
    const std::string one(trimmed(part));
    if (one.empty()) continue;
    const std::size_t sign = assignsAt(one);
    if (sign == std::string::npos || assignsAt(one, sign + 1) != std::string::npos)
      refuse("CHANNEL = expression, with ; between several", one);
    const std::string name(trimmed(one.substr(0, sign)));
    const DeepChannel* channel = channelNamed(image.channels, name);
    if (!channel) {
      std::string names;
      for (const DeepChannel& c : image.channels) names += (names.empty() ? "" : ", ") + c.name;
      refuse("a channel (" + names + ")", name);
    }
    list.push_back({std::size_t(channel - image.channels.data()), one.substr(sign + 1)});
  }
  if (list.empty()) refuse("CHANNEL = expression", text);
  return list;
}

/// The assignments with values of their own; one per thread.
class Evaluator {
 public:
  Evaluator(const DeepImage& image, const std::vector<Assignment>& assignments)
      : values_(image.channels.size()) {
    for (const Assignment& one : assignments) {
      mu::Parser& parser = parsers_.emplace_back();
      parser.DefineNameChars(kNameSigns);
      for (std::size_t c = 0; c < values_.size(); ++c)
        define(parser, image.channels[c].name, values_[c]);
      define(parser, "x", x), define(parser, "y", y);
      define(parser, "n", n), define(parser, "count", count), define(parser, "frame", frame);
      try {
        parser.SetExpr(one.text);
        int results = 0;
        parser.Eval(results);
        if (results != 1) refuse("one value", std::string(trimmed(one.text)));
      } catch (const mu::Parser::exception_type& error) {
        refuse("an expression (" + error.GetMsg() + ")", std::string(trimmed(one.text)));
      }
    }
    results_.resize(parsers_.size());
  }
  std::vector<double>& values() { return values_; }
  /// Of every assignment, with what values(), x, y, n and count hold.
  const std::vector<double>& results() {
    for (std::size_t i = 0; i < parsers_.size(); ++i) results_[i] = parsers_[i].Eval();
    return results_;
  }
  double x = 0, y = 0, n = 0, count = 0, frame = 0;

 private:
  /// Names that the parser does not take, or has by itself, cannot be used.
  static void define(mu::Parser& parser, const std::string& name, double& value) {
    try {
      if (parser.GetVar().count(name) == 0) parser.DefineVar(name, &value);
    } catch (const mu::Parser::exception_type&) {
    }
  }

  std::vector<double> values_, results_;
  std::deque<mu::Parser> parsers_;  // stay where they are
};

class ExpressionPass {
 public:
  ExpressionPass(DeepImage& image, const std::vector<Assignment>& assignments,
                 const ExpressionEdit& edit)
      : image_(image), assignments_(assignments), only_(edit.only), evaluator_(image, assignments) {
    evaluator_.frame = edit.frame;
  }
  ColorRepairs repairs;

  void pixel(std::size_t p) {
    const std::size_t first = image_.fragmentOffsets[p], end = image_.fragmentOffsets[p + 1];
    const auto width = std::size_t(image_.dataWindow.width);
    evaluator_.x = double(image_.dataWindow.x + int(p % width));
    evaluator_.y = double(image_.dataWindow.y + int(p / width));
    evaluator_.count = double(end - first);
    for (std::size_t i = first; i < end; ++i) {
      if (only_ && !only_->has(image_, i, 0)) continue;
      evaluator_.n = double(i - first);
      fragment(i);
    }
  }

 private:
  void fragment(std::size_t i) {
    const std::size_t at = image_.words[i * kWideWords];
    for (std::size_t c = 0; c < image_.channels.size(); ++c)
      evaluator_.values()[c] = channelValue(image_.channels[c], at);
    const std::vector<double>& results = evaluator_.results();
    for (std::size_t a = 0; a < results.size(); ++a) {
      DeepChannel& channel = image_.channels[assignments_[a].channel];
      double value = results[a];
      const bool isDepth = channel.name == "Z" || channel.name == "ZBack";
      if (std::isnan(value) || (std::isinf(value) && !isDepth))
        ++repairs.notFinite, value = isDepth ? INFINITY : 0;
      const bool isAlpha =
          isAlphaName(channel.name) || (channel.name.size() > 2 && channel.name.ends_with(".A"));
      if (isAlpha && !(value >= 0 && value <= 1))
        ++repairs.alphaOutside, value = std::clamp(value, 0.0, 1.0);
      setChannelValue(channel, at, value);
    }
  }

  DeepImage& image_;
  const std::vector<Assignment>& assignments_;
  const IdFilter* only_;
  Evaluator evaluator_;
};

/// After depths have changed: words as the planes say, lists sorted, planes in their order.
void takeDepths(DeepImage& image) {
  const DeepChannel *z = channelOf(image, "Z"), *zBack = channelOf(image, "ZBack");
  for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
    std::uint32_t* words = image.words.data() + i * kWideWords;
    const float near = z ? float(channelValue(*z, words[0])) : std::bit_cast<float>(words[2]);
    const float far = zBack ? std::max(near, float(channelValue(*zBack, words[0]))) : near;
    words[2] = std::bit_cast<std::uint32_t>(near), words[3] = std::bit_cast<std::uint32_t>(far);
  }
  image.tidy = false;
  sortLists(image);
  DeepImage from = image;
  gather(std::span(&from, 1), image);
  if (DeepChannel* backs = channelOf(image, "ZBack"))  // none ends in front of where it begins
    for (std::size_t i = 0; i < image.fragmentCount(); ++i)
      setChannelValue(*backs, i, std::bit_cast<float>(image.words[i * kWideWords + 3]));
}

/// "A=B,C=D" as pairs.
std::vector<std::pair<std::string, std::string>> pairsOf(const std::string& list,
                                                         const std::string& file) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& one : splitAt(list, ',')) {
    const std::size_t sign = one.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == one.size())
      fail("{}: expected channels like A=B,C=D, found \"{}\"", file, list);
    pairs.emplace_back(one.substr(0, sign), one.substr(sign + 1));
  }
  return pairs;
}

ChannelType typeNamed(const std::string& name, const std::string& file) {
  const auto at = std::ranges::find(kChannelTypeNames, name);
  if (at == std::end(kChannelTypeNames))
    fail("{}: expected half, float or uint, found \"{}\"", file, name);
  return ChannelType(at - kChannelTypeNames);
}

/// Channels by names that are there.
void renameAndCopy(DeepImage& image, const std::string& word, const std::string& list,
                   const std::string& file) {
  const std::vector<DeepChannel> before = image.channels;
  for (const auto& [first, second] : pairsOf(list, file)) {
    const std::string& wanted = word == "shuffle" || word == "copy" ? second : first;
    const DeepChannel* from = channelNamed(before, wanted);
    if (!from) fail("{}: expected a channel \"{}\", found none", file, wanted);
    if (word == "rename") {
      channelOf(image, first)->name = second;
    } else if (word == "retype") {
      DeepChannel& channel = *channelOf(image, first);
      channel.type = typeNamed(second, file);
      channel.values.resize(image.fragmentCount() * bytesPerValue(channel.type));
      for (std::size_t i = 0; i < image.fragmentCount(); ++i)
        setChannelValue(channel, i, channelValue(*from, i));
    } else {
      if (!channelOf(image, first)) image.channels.push_back({first, from->type, {}});
      DeepChannel& to = *channelOf(image, first);
      to.type = from->type, to.values = from->values;
    }
  }
}

}  // namespace

void evaluateFragments(DeepImage& image, const ExpressionEdit& edit, ColorRepairs& repairs) {
  makeIndexed(image);
  const std::vector<Assignment> assignments = assignmentsOf(edit.text, image);
  Evaluator(image, assignments);  // what is wrong with it, before threads begin
  std::mutex adding;
  parallelFor(image.pixelCount(), 4096, [&](std::size_t first, std::size_t last) {
    ExpressionPass pass(image, assignments, edit);
    for (std::size_t p = first; p < last; ++p) pass.pixel(p);
    const std::lock_guard lock(adding);
    repairs.notFinite += pass.repairs.notFinite, repairs.alphaOutside += pass.repairs.alphaOutside;
  });
  const bool depths = std::any_of(assignments.begin(), assignments.end(), [&](const Assignment& a) {
    const std::string& name = image.channels[a.channel].name;
    return name == "Z" || name == "ZBack";
  });
  if (depths) takeDepths(image);
}

void editChannels(DeepImage& image, const std::string& word, const std::string& list,
                  const std::string& file) {
  makeIndexed(image);
  const bool dropsZ = word == "drop" && std::ranges::count(splitAt(list, ','), "Z") > 0;
  if (word == "drop" || word == "keep")
    std::erase_if(image.channels, [&](const DeepChannel& c) {
      const bool isDepth = (c.name == "Z" && !dropsZ) || (word == "keep" && c.name == "ZBack");
      return !isDepth && isChosen(c.name, list) == (word == "drop");
    });
  else
    renameAndCopy(image, word, list, file);
  std::ranges::sort(image.channels, {}, &DeepChannel::name);
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    const DeepChannel& channel = image.channels[c];
    if (c > 0 && channel.name == image.channels[c - 1].name)
      fail("{}: expected one channel \"{}\", found two", file, channel.name);
    if ((channel.name == "Z" || channel.name == "ZBack") && channel.type == ChannelType::Uint)
      fail("{}: expected {} as half or float, found uint", file, channel.name);
  }
  if (!channelOf(image, "Z")) fail("{}: expected a channel \"Z\" to stay, found none", file);
  image.hasZBack = channelOf(image, "ZBack") != nullptr;
  takeDepths(image);
}

}  // namespace fathom::deep
