#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Draws what `fathom bench smoe.rate FILES... --json rate.json` measured, one curve per codec and picture,
# and prints the tables of docs/results/smoe-files.md: PSNR / MS-SSIM of each codec at no more bytes.
#   docs/measure_rate.py rate.json [more.json...] [-o docs/pictures/smoe-rate.png]
import argparse
import json

COLORS = {"SMoE": "#e66100", "JPEG 4:2:0": "#5d3a9b", "WebP": "#1a85ff", "JPEG XL": "#b0a000", "AVIF": "#4b9b4b"}


def read(files):
    """Values by picture, codec and rate; and the differences over all pictures."""
    points, differences = {}, []
    for name in files:
        with open(name, encoding="utf-8") as file:
            rows = json.load(file)["trials"]
        for row in rows:
            values = row.get("values", {})
            if "BD-rate %" in values:
                differences.append((row["label"], row["checked"], values))
            elif "bits per pixel" in values:
                codec, rate = row["label"].split(" at ")
                points.setdefault(row["workload"], {}).setdefault(codec, {})[float(rate)] = values
    return points, differences


def cell(values):
    return f"{values['PSNR dB']:.2f} / {values['MS-SSIM']:.3f}" if values else "larger"


def mean(points, codec, rate):
    found = [codecs.get(codec, {}).get(rate) for codecs in points.values()]
    return {key: sum(values[key] for values in found) / len(found)
            for key in ("PSNR dB", "MS-SSIM")} if all(found) else None


def print_tables(points, differences):
    print("| Picture | Bits per pixel | Components | Fit | " + " | ".join(COLORS) + " |\n" + "|---" * 9 + "|")
    rates = set()
    for picture, codecs in sorted(points.items()):
        for rate, own in sorted(codecs["SMoE"].items()):
            rates.add(rate)
            print(f"| {picture} | {own['bits per pixel']:.3f} | {own['components']:.0f} | {own['fit s']:.0f} s | "
                  + " | ".join(cell(codecs.get(name, {}).get(rate)) for name in COLORS) + " |")
    for rate in sorted(rates):
        print(f"| mean | {rate:g} | | | " + " | ".join(cell(mean(points, name, rate)) for name in COLORS) + " |")
    for label, how, values in differences:
        print(f"{label}: BD-rate {values['BD-rate %']:+.1f} %, {values['BD dB']:+.2f} dB ({how})")


def draw(points, output):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, len(points), figsize=(3.2 * len(points), 3.2), squeeze=False)
    for axis, (picture, codecs) in zip(axes[0], sorted(points.items())):
        for codec, of in codecs.items():
            line = sorted((values["bits per pixel"], values["PSNR dB"]) for values in of.values())
            axis.plot(*zip(*line), marker="o", markersize=3, color=COLORS.get(codec), label=codec)
        axis.set(title=picture, xlabel="bits per pixel")
    axes[0][0].set_ylabel("PSNR, dB")
    axes[0][0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(output, dpi=110)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("-o", "--output")
    arguments = parser.parse_args()
    points, differences = read(arguments.files)
    print_tables(points, differences)
    if arguments.output:
        draw(points, arguments.output)


if __name__ == "__main__":
    main()
