#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of headline numbers in docs/results/README.md, from a bench file.

  docs/headline_numbers.py RESULT.json                    prints the table
  docs/headline_numbers.py RESULT.json --write PAGE            puts it between the two markers of the page
  docs/headline_numbers.py RESULT.json --check PAGE            exit code 1 when the page has another

RESULT.json comes from `fathom bench --json RESULT.json`, with --quick or --paper. Ratios stand beside
the papers' own; a dash marks a bench that the file lacks.
"""
import argparse
import json
import pathlib
import sys

BEGIN, END = "<!-- headline numbers -->\n", "<!-- end of them -->"
DASH = "–"


class Results:
    def __init__(self, path):
        self.path = path
        self.file = json.loads(path.read_text())
        self.trials = self.file["trials"]

    def rows(self, bench, workload=""):
        return [t for t in self.trials if t["bench"] == bench and t["workload"].startswith(workload)]

    def ms(self, bench, workload="", label=""):
        """Medians by label: GPU time, or wall clock where only the processor worked."""
        found = {}
        for row in self.rows(bench, workload):
            time = row["gpu_ms"] or row["wall_ms"]
            if time and row["label"].startswith(label):
                found.setdefault(row["label"], (time["median"], row["work"]))
        return found


def times(value):
    if value is None:
        return DASH
    return f"{value:.0f} x" if value >= 100 else f"{value:.3g} x"


def worst_to_best(results, bench):
    """Over the paper's eight columns: stepwise (-S) and register block (-RBM) merges."""
    layouts = ("LL", "LA", "IA", "BIA")
    found = results.ms(bench, "hairball")
    cells = [found[f"{l}-{m}"][0] for l in layouts for m in ("S", "RBM") if f"{l}-{m}" in found]
    return max(cells) / min(cells) if len(cells) == 8 else None


def pairwise_to_kway(results):
    found = results.ms("deep.kway", "hairball in 8", "BIA-S")
    return found["BIA-S pairwise"][0] / found["BIA-S k-way"][0] if len(found) == 2 else None


def slowest_to_fastest_variant(results):
    found = [ms for ms, _ in results.ms("dof.variants", "r8").values()]
    return max(found) / min(found) if found else None


def matrices_to_gpu(results):
    """Matrices on one core against the GPU with all components, of the same block."""
    found = results.ms("smoe.block", "Car-like")
    ours, matrices = found.get("GPU, all components"), found.get("Eigen fast")
    return matrices[0] / ours[0] if ours and matrices else None


def whole_to_active(results):
    """Reading back and compressing whole frames, against the best of the three modes."""
    found = results.ms("active-pixel.encode", "station, 2 ranks")
    sums = [sum(found[f"{mode} {step}"][0] for step in ("transfer", "compression"))
            for mode in ("generic", "roi", "gpu") if f"{mode} transfer" in found]
    return sums[0] / min(sums) if len(sums) == 3 else None


def per_second(results, bench, workload, label):
    """Rates of all rows; the best one counts for a device."""
    return [row["work"] / (row["gpu_ms"]["median"] * 1e-3) for row in results.rows(bench, workload)
            if row["gpu_ms"] and row["label"].startswith(label)]


def millions(rates):
    return f"{max(rates) / 1e6:.3g} M/s" if rates else DASH


def table(results):
    rows = (
        ("Deep images", "Saving two merged hairballs: slowest against fastest layout and kernel",
         times(worst_to_best(results, "deep.save")), times(60.0 / 15.8)),
        ("Deep images", "Compositing them while merging, likewise",
         times(worst_to_best(results, "deep.composite")), times(36.2 / 5.9)),
        ("Deep images", "Eight parts: pairwise merging against all in one pass",
         times(pairwise_to_kway(results)), DASH),
        ("Depth of field", "Slowest against fastest of 320 ways to accumulate",
         times(slowest_to_fastest_variant(results)), DASH),
        ("SMoE", "A block by matrices on one core against the GPU",
         times(matrices_to_gpu(results)), times(3.5 / 0.0013)),
        ("Active pixels", "Reading back and compressing: whole frames against the best of three modes",
         times(whole_to_active(results)), times((39.518 + 6.790) / (0.358 + 1.072))),
        ("Flames", "Iterations with hits added up, fastest of three genomes", millions(per_second(results, "flame.iterate", "genome", "")), DASH),
        ("Flames", "Sorting a log of hits by 8 bits, fastest of three genomes",
         millions(per_second(results, "flame.sort", "genome", "8 bits")), "943 M/s"),
    )
    file = results.file
    text = f"{file['device']['renderer']}, {file['date']}, `fathom bench"
    text += {"quick": " --quick", "paper": " --paper"}.get(file["scale"], "") + " --json FILE`"
    text += f" of commit {file['commit']}:\n\n" if file.get("commit") else ":\n\n"
    text += "| Technique | What | Here | In the paper |\n|---|---|---|---|\n"
    for row in rows:
        text += "| " + " | ".join(row) + " |\n"
    return text + "\n"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("result", type=pathlib.Path)
    p.add_argument("--write", type=pathlib.Path, metavar="PAGE")
    p.add_argument("--check", type=pathlib.Path, metavar="PAGE")
    args = p.parse_args()
    found = table(Results(args.result))
    page = args.write or args.check
    if not page:
        print(found, end="")
        return 0
    text = page.read_text()
    before, begin, rest = text.partition(BEGIN)
    old, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{page}: expected the markers {BEGIN.strip()} and {END}, found none")
    if args.write:
        page.write_text(before + begin + found + end + after)
        return 0
    if old != found:
        print(f"{page}: expected the table of {args.result}; --write brings it up to date")
        return 1
    return 0


sys.exit(main())
