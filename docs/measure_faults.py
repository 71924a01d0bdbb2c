#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Prints the table of docs/depth-of-field.md from what `fathom bench dof.faults.SCENE --trials 1 --json FILE`
# measured, and how many cases reach which bound.
#   docs/measure_faults.py planes.json hairball.json station.json
import json
import sys

METHODS = ("over, 1 layer", "coverage, 1 layer", "coverage, all fragments")
FLAT = "OpenDefocus's formulas, flat"


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


def main():
    cases = read(sys.argv[1:])
    places = list(dict.fromkeys(place for found in cases.values() for place in found))
    print("| lens | " + " | ".join(place.replace(" ", ", ") for place in places) + " |")
    print("|---" * (1 + len(places)) + "|")
    for lens, found in cases.items():
        cells = [" ".join(f"{found[place][method]:.1f}" for method in METHODS) if place in found else ""
                 for place in places]
        print(f"| {lens} | " + " | ".join(cells) + " |")
    flat = [f"{cases['none'][place][FLAT]:.1f}" if FLAT in cases.get("none", {}).get(place, {}) else ""
            for place in places]
    print(f"| {FLAT}, no faults | " + " | ".join(flat) + " |")
    rows = [[values[method] for method in METHODS] for found in cases.values() for values in found.values()]
    for label, count in (("at least 36 dB", sum(r[2] >= 36 for r in rows)),
                         ("4 dB above the paper's operator in one layer", sum(r[2] >= r[0] + 4 for r in rows)),
                         ("4 dB above coverage in one layer", sum(r[2] >= r[1] + 4 for r in rows))):
        print(f"{label}: {count} of {len(rows)}")


if __name__ == "__main__":
    main()
