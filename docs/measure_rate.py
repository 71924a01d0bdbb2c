#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Draws what `fathom bench smoe.rate FILES... --json rate.json` measured, one curve per codec and picture,
# and prints the tables of docs/results/smoe-files.md.
#   docs/measure_rate.py rate.json [more.json...] [-o docs/pictures/smoe-rate.png]
import argparse
import json
import re

COLORS = {"SMoE": "#e66100", "JPEG 4:2:0": "#5d3a9b", "WebP": "#1a85ff", "AVIF": "#4b9b4b"}


def codec_of(label):
    return re.split(r" K = | within ", label)[0]


def read(files):
    points, differences = {}, []
    for name in files:
        with open(name, encoding="utf-8") as file:
            rows = json.load(file)["trials"]
        for row in rows:
            values = row.get("values", {})
            if "BD-rate %" in values:
                differences.append((row["label"], row["checked"], values))
            elif "bits per pixel" in values:
                k, loss = re.search(r"K = (\d+)(?:, ([\d.e-]+) dB)?$", row["label"]).groups()
                points.setdefault(row["workload"], {}).setdefault(codec_of(row["label"]), {})[
                    (int(k), float(loss or 0))] = (values, row)
    return points, differences


def print_tables(points, differences):
    print("| Picture | K | Loss | Bits per pixel | PSNR | SSIM | MS-SSIM | Fit | "
          "JPEG 4:2:0 | WebP | AVIF |\n|---|---|---|---|---|---|---|---|---|---|---|")
    for picture, codecs in sorted(points.items()):
        for (k, loss), (own, _) in sorted(codecs["SMoE"].items()):
            others = []
            for name in ("JPEG 4:2:0", "WebP", "AVIF"):
                found = codecs.get(name, {}).get((k, loss))
                others.append(f"{found[0]['PSNR dB']:.2f}" if found else "larger")
            print(f"| {picture} | {k} | {loss:g} dB | {own['bits per pixel']:.3f} | {own['PSNR dB']:.2f} dB | "
                  f"{own['SSIM']:.3f} | {own['MS-SSIM']:.3f} | {own['fit s']:.0f} s | "
                  + " | ".join(others) + " |")
    for label, how, values in differences:
        print(f"{label}: BD-rate {values['BD-rate %']:+.1f} %, BD-PSNR {values['BD-PSNR dB']:+.2f} dB ({how})")


def draw(points, output):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, len(points), figsize=(3.2 * len(points), 3.2), squeeze=False)
    for axis, (picture, codecs) in zip(axes[0], sorted(points.items())):
        for codec, of in codecs.items():
            line = sorted((v["bits per pixel"], v["PSNR dB"]) for v, _ in of.values())
            axis.plot(*zip(*line), marker="o", markersize=3, color=COLORS.get(codec), label=codec)
        rates = [values["bits per pixel"] for of in codecs.values() for values, _ in of.values()]
        wide = max(rates) > 10 * min(rates)
        axis.set(title=picture, xlabel="bits per pixel", xscale="log" if wide else "linear")
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
