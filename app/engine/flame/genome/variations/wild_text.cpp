// SPDX-License-Identifier: BSD-3-Clause
// text_wf of JWildfire: letters as strokes.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestText(double v) { return std::floor(v + 0.5); }

//
// A stroke: two bits of its kind (0: line; 1, 2: quarter of an ellipse that begins level, upright),
// then x, y + 8, x, y + 8 of its ends, five bits each. A letter, from the space on: sixteen bits of
// its first stroke, then its width in eighths of the grid. The strokes of one end where the next
// begins.

constexpr unsigned textStrokes[279] = {
    1324044u, 3290764u, 2774076u, 3181206u, 2800673u, 2255534u, 1710233u, 1205894u, 2024601u,
    3287560u, 3307278u, 423694u,  3282710u, 399126u,  2152452u, 2913564u, 1062156u, 664588u,
    1865476u, 1324044u, 3302400u, 2149405u, 1210418u, 2106525u, 3176458u, 3181068u, 1084448u,
    3176970u, 2673693u, 2136626u, 1185828u, 1229956u, 3172874u, 2669593u, 2255406u, 1755289u,
    1205938u, 1709209u, 3183652u, 1711140u, 1758852u, 3165228u, 2239504u, 2521098u, 1886621u,
    1206066u, 1709209u, 1755421u, 1210034u, 1713309u, 2389642u, 2238216u, 3176586u, 2673693u,
    3197956u, 3195926u, 2669597u, 2259502u, 2635933u, 3176974u, 1755293u, 1210034u, 1713309u,
    2258570u, 2542621u, 1997234u, 2500509u, 3176842u, 2148784u, 1210418u, 1713309u, 1324044u,
    2636044u, 3176970u, 2673693u, 1735218u, 1340444u, 3179524u, 1113120u, 1885968u, 3159180u,
    3185676u, 2677797u, 2267702u, 2267276u, 1763493u, 1218234u, 1193124u, 3189314u, 2108457u,
    1222666u, 1770665u, 3159180u, 3181580u, 2161697u, 1214526u, 1193120u, 1193148u, 3159180u,
    3206156u, 2283660u, 3159052u, 3206156u, 2279564u, 3189314u, 2108457u, 1222666u, 1639593u,
    2164288u, 2140224u, 3290124u, 3335224u, 2287756u, 3290124u, 1744036u, 1201830u, 1709205u,
    3290124u, 1850552u, 1112348u, 1195148u, 1229964u, 3159052u, 1223692u, 3216552u, 1121348u,
    3159052u, 1240076u, 3335352u, 2169893u, 1218630u, 2106533u, 3184650u, 3159052u, 3185676u,
    2681893u, 2005562u, 1980324u, 2169893u, 1218630u, 2106533u, 3184650u, 1119916u, 3159052u,
    3185676u, 2681893u, 2136634u, 2111524u, 1112100u, 3181114u, 2636833u, 2263566u, 1763489u,
    1214138u, 1713313u, 3206148u, 3175452u, 1850508u, 1214222u, 1893537u, 3335992u, 1215620u,
    3339424u, 1207428u, 3191960u, 1252396u, 3368132u, 1113220u, 1055932u, 2133124u, 3340320u,
    1083424u, 3202052u, 1186868u, 1238148u, 578048u,  2652298u, 2275869u, 1226924u, 1992620u,
    1578905u, 1201670u, 1619093u, 3286024u, 1886749u, 1210162u, 1844381u, 2651914u, 2652334u,
    1841693u, 1210118u, 1619101u, 3322924u, 1882649u, 1206062u, 1840281u, 2647814u, 2017156u,
    2652082u, 1841693u, 1210118u, 1623197u, 2765836u, 3177102u, 2517380u, 1882649u, 1206062u,
    1840281u, 2647814u, 1096236u, 549934u,  922137u,  3286024u, 2652170u, 2144797u, 1095724u,
    2634764u, 3292044u, 801292u,  525070u,  3292044u, 3286024u, 1583656u, 1095572u, 3290124u,
    2630664u, 2648074u, 2140697u, 1091624u, 2680874u, 2173497u, 1124424u, 2630664u, 2652170u,
    2144797u, 1095724u, 1886745u, 1206066u, 1840281u, 2647814u, 2630024u, 1886749u, 1210162u,
    1844381u, 2651914u, 2666924u, 1882649u, 1206062u, 1840281u, 2647814u, 2630664u, 2652170u,
    2648234u, 2239001u, 1992842u, 1619865u, 1205806u, 1578137u, 1457036u, 1205646u, 2517376u,
    1714696u, 1205898u, 1750169u, 1096236u, 1206788u, 2667672u, 1202692u, 2528404u, 1235364u,
    2692276u, 1096196u, 1055276u, 1206788u, 547372u,  533012u,  2533764u, 1186216u, 1225860u};
constexpr unsigned textLetters[96] = {
    3473408u,  3473408u,  3473410u, 3473410u, 3473410u, 3473410u,  8388610u, 2424841u, 4194314u,
    4194316u,  3473422u,  7340046u, 3473424u, 4194322u, 3473427u,  3473428u, 7012373u, 7012377u,
    7012379u,  7012384u,  7012390u, 7012393u, 7012399u, 7012406u,  7012408u, 7012416u, 3473479u,
    3473481u,  3473481u,  3473481u, 3473481u, 7012425u, 3473485u,  8388685u, 8388688u, 9109592u,
    9109596u,  8388705u,  7667813u, 9764968u, 9109614u, 3473521u,  6291570u, 8388725u, 7012472u,
    10485882u, 9109630u,  9764993u, 8388741u, 9765002u, 9109647u,  8388757u, 7667867u, 9109661u,
    8388769u,  11862179u, 8388775u, 8388777u, 7667884u, 3473583u,  3473583u, 3473583u, 3473583u,
    7012527u,  3473584u,  7012528u, 7012535u, 6291644u, 7012544u,  7012549u, 3473610u, 7012557u,
    7012564u,  2818264u,  2818266u, 6291677u, 2818272u, 10485985u, 7012584u, 7012588u, 7012592u,
    7012597u,  4194554u,  6291708u, 3473666u, 7012613u, 6291721u,  9109771u, 6291727u, 6291729u,
    6291732u,  3473687u,  3473687u, 3473687u, 3473687u, 279u};

double strokeLength(unsigned stroke) {
  double a = double(stroke >> 12u & 31u) - double(stroke >> 2u & 31u);
  double b = double(stroke >> 17u & 31u) - double(stroke >> 7u & 31u);
  return std::sqrt(a * a + b * b) * ((stroke & 3u) == 0u ? 1.0 : 1.11072073);
}

/// At `along` of 0..1 of a stroke, `aside` from its middle.
Point strokePoint(unsigned stroke, double along, double aside) {
  Point from = Point(double(stroke >> 2u & 31u), double(stroke >> 7u & 31u) - 8.0);
  Point to = Point(double(stroke >> 12u & 31u), double(stroke >> 17u & 31u) - 8.0),
        span = to - from;
  Point t = direction(0.5 * kPi * along), at = from + along * span, way = span;
  if ((stroke & 3u) == 1u) {
    at = Point(from.x + span.x * t.y, to.y - span.y * t.x);
    way = Point(span.x * t.x, span.y * t.y);
  }
  if ((stroke & 3u) == 2u) {
    at = Point(to.x - span.x * t.x, from.y + span.y * t.y);
    way = Point(span.x * t.y, span.y * t.x);
  }
  double far = std::max(glm::length(way), 1e-6);
  return at + aside / far * Point(-way.y, way.x);
}

/// The letter's number from the space on; those without strokes are as the space.
int letterOf(double code) {
  double c = nearestText(code) - 32.0;
  return c >= 0.0 && c < 95.0 ? int(c) : 0;
}
double letterWidth(double code) {
  return nearestText(code) < 32.0 ? 0.0 : double(textLetters[letterOf(code)] >> 16u) / 8.0;
}

/// A point of a text on the grid, and its width there.
Point3 textPoint(Draws& draws, const double (&letters)[16]) {
  double total = 0.0, width = 0.0, at = 0.0;
  for (int i = 0; i < 16; ++i) {
    int letter = letterOf(letters[i]);
    width += letterWidth(letters[i]);
    for (unsigned k = textLetters[letter] & 65535u; k < (textLetters[letter + 1] & 65535u); ++k)
      total += strokeLength(textStrokes[k]);
  }
  double left = draws.unit() * total, along = draws.unit(), aside = 2.2 * draws.unit() - 1.1;
  Point found = Point(0.0, 0.0);
  for (int i = 0; i < 16; ++i) {
    int letter = letterOf(letters[i]);
    for (unsigned k = textLetters[letter] & 65535u; k < (textLetters[letter + 1] & 65535u); ++k) {
      double far = strokeLength(textStrokes[k]);
      if (left >= 0.0 && left < far)
        found = strokePoint(textStrokes[k], along, aside) + Point(at, 0.0);
      left -= far;
    }
    at += letterWidth(letters[i]);
  }
  return Point3(found.x, found.y, width);
}

/// A text of up to 16 letters, drawn with strokes.
Point wildTextWf(const Input& in, Draws& draws) {
  const double font_size = in.parameters[0], antialias = in.parameters[1],
               scale_x = in.parameters[2], scale_y = in.parameters[3], offset_x = in.parameters[4],
               offset_y = in.parameters[5], baseline = in.parameters[6], c1 = in.parameters[7],
               c2 = in.parameters[8], c3 = in.parameters[9], c4 = in.parameters[10],
               c5 = in.parameters[11], c6 = in.parameters[12], c7 = in.parameters[13],
               c8 = in.parameters[14], c9 = in.parameters[15], c10 = in.parameters[16],
               c11 = in.parameters[17], c12 = in.parameters[18], c13 = in.parameters[19],
               c14 = in.parameters[20], c15 = in.parameters[21], c16 = in.parameters[22];
  double letters[16] = {c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16};
  Point3 of = textPoint(draws, letters) / 24.0;
  double above = baseline / std::max(std::abs(font_size), 1.0), high = 3.149 + above;
  Point at = Point((of.x - 0.5 * of.z) / (of.z + 2.0), (1.905 + above - of.y) / high - 0.5);
  if (antialias > 0.01) {
    double away =
        0.001 * (std::exp(antialias * std::sqrt(-std::log(std::max(draws.unit(), 1e-7)))) - 1.0);
    at += away * direction(kTwoPi * draws.unit());
  }
  return 3.0 * Point(at.x * scale_x + offset_x, at.y * scale_y + offset_y);
}

// Rows, in the order of their numbers.

WildFamily wildTextRows1() {
  return {
      {"text_wf",
       wildTextWf,
       {{"font_size", 320, 10, 500}, {"antialias", 0.5, 0, 1}, {"scale_x", 1, -2, 2},
        {"scale_y", 1, -2, 2},       {"offset_x", 0, -2, 2},   {"offset_y", 0, -2, 2},
        {"baseline", 0, -100, 100},  {"c1", 74, 0, 122},       {"c2", 87, 0, 122},
        {"c3", 105, 0, 122},         {"c4", 108, 0, 122},      {"c5", 100, 0, 122},
        {"c6", 102, 0, 122},         {"c7", 105, 0, 122},      {"c8", 114, 0, 122},
        {"c9", 101, 0, 122},         {"c10", 0, 0, 122},       {"c11", 0, 0, 122},
        {"c12", 0, 0, 122},          {"c13", 0, 0, 122},       {"c14", 0, 0, 122},
        {"c15", 0, 0, 122},          {"c16", 0, 0, 122}}},
  };
}

}  // namespace

WildFamily wildTextVariations() { return joined({wildTextRows1()}); }

}  // namespace fathom::flame
