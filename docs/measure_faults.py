#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Prints the tables of docs/results/depth-of-field.md from what `fathom bench dof.faults.SCENE --trials 1 --json FILE`
# measured (the operators, then lens cells beside coverage), and how many cases reach which bound.
#   docs/measure_faults.py planes.json hairball.json station.json
import json
import sys

PAPER, ONE_LAYER, ALL = METHODS = ("over, 1 layer", "coverage, 1 layer", "coverage, all fragments")
CELLS = "lens cells, all fragments"


def read(files):
    """PSNR by lens and place (scene, focus), in the order of measurement."""
    cases = {}
    for name in files:
        with open(name, encoding="utf-8") as file:
            trials = json.load(file)["trials"]
        for trial in trials:
            lens, method = trial["label"].split(": ")
            cases.setdefault(lens, {}).setdefault(trial["workload"], {})[method] = dict(trial["values"])["PSNR dB"]
    return cases


def cell(lens, values):
    """All methods for the lens without faults; for the others the paper's and that on all fragments."""
    shown = METHODS if lens == "none" else (PAPER, ALL)
    return " ".join(f"{values[method]:.1f}" if method in values else "–" for method in shown)


def print_table(cases, needed, text):
    """A row per lens, a column per place; a dash where `needed` was not measured."""
    places = list(dict.fromkeys(place for found in cases.values() for place in found))
    print("| lens | " + " | ".join(place.replace(" ", ", ") for place in places) + " |")
    print("|---" * (1 + len(places)) + "|")
    for lens, found in cases.items():
        cells = [text(lens, found[place]) if needed in found.get(place, {}) else "–" for place in places]
        print(f"| {lens} | " + " | ".join(cells) + " |")


def main():
    cases = read(sys.argv[1:])
    print_table(cases, ALL, cell)
    print()
    print_table(cases, CELLS, lambda _, values: f"{values[ALL]:.1f} {values[CELLS]:.1f}")
    rows = [values for found in cases.values() for values in found.values() if ALL in values]
    print(f"at least 36 dB: {sum(r[ALL] >= 36 for r in rows)} of {len(rows)}")
    both = [(r[CELLS], r[ALL]) for r in rows if CELLS in r]
    cells = [v for v, _ in both]
    for bound in (37, 40):
        print(f"lens cells, at least {bound} dB: {sum(v >= bound for v in cells)} of {len(cells)}")
    print(f"lens cells, the least: {min(cells, default=0):.1f}; below coverage: {sum(v < c for v, c in both)} of {len(both)}")
    for label, method in (("the paper's operator in one layer", PAPER), ("coverage in one layer", ONE_LAYER)):
        both = [r for r in rows if method in r]
        print(f"4 dB above {label}: {sum(r[ALL] >= r[method] + 4 for r in both)} of {len(both)}")


if __name__ == "__main__":
    main()
