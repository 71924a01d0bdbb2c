#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes palettes.xml: 64 palettes in flam3's library format, from color harmonies in Oklch.

Each row names a harmony, its hue in degrees, how far it strays, how often lightness swells along
the palette, and the lightness and chroma it lives in. Run in this folder: ./make_palettes.py
"""
import math

# Hues (in degrees from the row's own) that a harmony visits on its way along the palette.
HARMONIES = {
    "mono": [0, 0.15, 0, -0.15],
    "analogous": [0, 1, 0, -1],
    "complement": [0, 0, 180, 180],
    "split": [0, 150, 0, 210],
    "triad": [0, 120, 240],
    "square": [0, 90, 180, 270],
    "warm": [0, 35, 60, 20],
    "wheel": [0, 60, 120, 180, 240, 300],
}

#  name               harmony      hue  stray swells  dark  light chroma
ROWS = [
    ("ember",           "warm",       25, 0, 2, 0.10, 0.95, 0.20),
    ("first-frost",     "analogous", 235, 25, 3, 0.25, 0.98, 0.09),
    ("moss-garden",     "analogous", 135, 30, 3, 0.15, 0.90, 0.14),
    ("harbor-night",    "complement", 250, 0, 2, 0.08, 0.85, 0.13),
    ("apricot",         "analogous",  60, 25, 2, 0.45, 0.96, 0.14),
    ("violet-hour",     "analogous", 300, 35, 3, 0.12, 0.92, 0.18),
    ("copper-rain",     "complement", 50, 0, 4, 0.15, 0.90, 0.13),
    ("glacier",         "mono",      210, 40, 3, 0.20, 0.98, 0.10),
    ("peacock",         "analogous", 195, 50, 4, 0.18, 0.85, 0.16),
    ("rose-window",     "triad",      15, 0, 5, 0.20, 0.88, 0.18),
    ("old-gold",        "mono",       85, 60, 3, 0.15, 0.94, 0.14),
    ("deep-sea",        "analogous", 225, 40, 2, 0.05, 0.80, 0.15),
    ("sunset-strip",    "warm",        5, 0, 2, 0.18, 0.93, 0.22),
    ("jade",            "mono",      160, 50, 3, 0.18, 0.92, 0.13),
    ("lavender-field",  "split",     290, 0, 4, 0.30, 0.93, 0.12),
    ("carnival",        "wheel",       0, 0, 6, 0.35, 0.85, 0.20),
    ("ink-and-paper",   "mono",      255, 20, 2, 0.06, 0.99, 0.03),
    ("coral-reef",      "split",      25, 0, 3, 0.25, 0.92, 0.17),
    ("thunderhead",     "complement", 270, 0, 3, 0.12, 0.93, 0.07),
    ("lemon-grove",     "analogous", 110, 25, 2, 0.30, 0.98, 0.17),
    ("garnet",          "mono",       15, 50, 3, 0.10, 0.85, 0.20),
    ("northern-lights", "analogous", 165, 70, 3, 0.10, 0.92, 0.18),
    ("sandstone",       "analogous",  65, 20, 4, 0.35, 0.93, 0.07),
    ("electric",        "complement", 265, 0, 5, 0.25, 0.92, 0.22),
    ("plum-brandy",     "warm",      330, 0, 3, 0.12, 0.88, 0.15),
    ("tide-pool",       "split",     190, 0, 4, 0.20, 0.90, 0.13),
    ("pumpkin",         "mono",       55, 50, 2, 0.12, 0.92, 0.18),
    ("orchid",          "analogous", 325, 30, 3, 0.25, 0.95, 0.18),
    ("pine-and-snow",   "complement", 150, 0, 2, 0.15, 0.99, 0.08),
    ("sapphire",        "mono",      262, 40, 3, 0.10, 0.90, 0.20),
    ("tea-house",       "square",     75, 0, 4, 0.25, 0.90, 0.09),
    ("flamingo",        "analogous",   0, 25, 2, 0.40, 0.95, 0.16),
    ("verdigris",       "complement", 175, 0, 3, 0.20, 0.88, 0.11),
    ("midnight-neon",   "triad",     320, 0, 3, 0.08, 0.85, 0.24),
    ("wheat",           "mono",       90, 40, 3, 0.30, 0.96, 0.10),
    ("amethyst",        "mono",      305, 50, 4, 0.15, 0.93, 0.17),
    ("dragonfly",       "split",     170, 0, 5, 0.18, 0.88, 0.17),
    ("cinder",          "warm",       15, 0, 1, 0.04, 0.75, 0.15),
    ("robin-egg",       "analogous", 205, 20, 2, 0.45, 0.95, 0.10),
    ("autumn",          "warm",       35, 0, 5, 0.18, 0.88, 0.16),
    ("nebula",          "split",     285, 0, 3, 0.06, 0.90, 0.20),
    ("mint",            "mono",      165, 60, 2, 0.40, 0.98, 0.10),
    ("brass-band",      "complement", 88, 0, 4, 0.15, 0.93, 0.13),
    ("raspberry",       "analogous",   5, 30, 3, 0.18, 0.90, 0.21),
    ("fjord",           "complement", 230, 0, 3, 0.15, 0.90, 0.09),
    ("spring-meadow",   "analogous", 125, 45, 5, 0.35, 0.94, 0.17),
    ("opal",            "wheel",      30, 0, 4, 0.65, 0.95, 0.07),
    ("lava",            "warm",       18, 0, 4, 0.06, 0.93, 0.24),
    ("moonstone",       "analogous", 270, 60, 3, 0.35, 0.96, 0.06),
    ("parrot",          "square",     30, 0, 4, 0.30, 0.88, 0.20),
    ("walnut",          "mono",       60, 30, 4, 0.12, 0.82, 0.08),
    ("cyanotype",       "mono",      245, 20, 2, 0.12, 0.98, 0.12),
    ("cherry-blossom",  "split",     355, 0, 3, 0.40, 0.97, 0.09),
    ("toucan",          "complement", 40, 0, 6, 0.15, 0.90, 0.19),
    ("lagoon",          "analogous", 185, 35, 3, 0.20, 0.95, 0.14),
    ("heather",         "triad",     310, 0, 4, 0.25, 0.88, 0.09),
    ("saffron-silk",    "warm",       45, 0, 3, 0.30, 0.97, 0.17),
    ("emerald-city",    "mono",      150, 60, 4, 0.10, 0.92, 0.20),
    ("blue-hour",       "split",     255, 0, 2, 0.12, 0.88, 0.13),
    ("mother-of-pearl", "wheel",     200, 0, 5, 0.75, 0.97, 0.05),
    ("oxblood",         "complement", 25, 0, 2, 0.08, 0.85, 0.15),
    ("kingfisher",      "complement", 220, 0, 4, 0.20, 0.90, 0.17),
    ("rainbow",         "wheel",      20, 0, 2, 0.50, 0.85, 0.22),
    ("graphite",        "mono",      260, 30, 5, 0.08, 0.94, 0.02),
]


def linear_from_oklch(light, chroma, hue):
    """Ottosson's Oklab to linear sRGB."""
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)


def byte(v):
    v = min(max(v, 0.0), 1.0)
    v = 12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055
    return int(v * 255 + 0.5)


def color(light, chroma, hue):
    """The color of this lightness and hue with as much of the chroma as sRGB has."""
    for step in range(41):
        rgb = linear_from_oklch(light, chroma * (1 - step / 40), math.radians(hue))
        if all(-1e-4 <= v <= 1.0001 for v in rgb):
            break
    return tuple(byte(v) for v in rgb)


def smooth_between(stops, at):
    """Cosine mix of the stops around a circle, `at` in 0..1; hues take the short way round."""
    place = at * len(stops)
    i, t = int(place) % len(stops), place - int(place)
    first, second = stops[i], stops[(i + 1) % len(stops)]
    way = (second - first + 180) % 360 - 180
    return first + way * (0.5 - 0.5 * math.cos(math.pi * t))


def palette(harmony, hue, stray, swells, dark, light, chroma):
    factor = stray if stray else 1
    stops = [hue + h * factor for h in HARMONIES[harmony]]
    colors = []
    for i in range(256):
        at = i / 256
        # Swells of uneven height keep the bands from looking alike.
        swell = 0.5 - 0.5 * math.cos(2 * math.pi * swells * at)
        tall = 0.72 + 0.28 * math.cos(2 * math.pi * (at * (swells - 1 or 1) + 0.13))
        floor = dark + 0.18 * (1 - dark)  # flames are drawn on black
        level = floor + (light - floor) * swell * tall
        rich = chroma * (0.55 + 0.45 * math.sin(math.pi * min(max(level, 0), 1)))
        colors.append(color(level, rich, smooth_between(stops, at)))
    return colors


def main():
    with open("palettes.xml", "w", encoding="ascii") as out:
        out.write("<palettes>\n")
        for number, (name, *row) in enumerate(ROWS):
            groups = ["00%02x%02x%02x" % c for c in palette(*row)]
            out.write('<palette number="%d" name="%s" data="' % (number, name))
            for i in range(0, 256, 8):
                out.write("".join(groups[i:i + 8]) + ("\n" if i < 248 else ""))
            out.write('"/>\n')
        out.write("</palettes>\n")


if __name__ == "__main__":
    main()
