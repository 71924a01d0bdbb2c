#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Scaling of `fathom deep composite`: starts mpirun for each number of ranks and route, sets what was
measured beside a model of the phases, and says what that expects at up to 1,024 ranks.

  docs/measure_compositing.py build/fathom hairball --split morton --size 960x540 --write docs/results/compositing.md

Phases run in turn and are given in processor time (FATHOM_RANKS_IN_TURN), with the software renderer on
the thread that asks for it, so that ranks may share a machine and its cores with each other. The model:

  capture, pack    a x fragments + b x pixels x ranks     every rank sweeps the whole picture
  encode, decode, merge
                   a x fragments + b x fragments that leave their rank, (N - 1) / N of all
  write            a x pixels
  bytes sent       a x fragments that leave, of routes in rounds times what they pass on
  time on a link   20 us per round + 2 us per message + 1 ns per byte (LogP)

a and b come from the runs of at most --fit ranks; all other runs check them. Each rank then has a device
and cores of its own, and capture and merge, encode and exchange, and writing run beside each other."""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys

ROUTES = ["direct-send", "binary-swap", "radix-k"]
PHASES = ["capture", "pack", "encode", "decode", "merge", "write"]
ROUND_MS, MESSAGE_MS, BYTE_MS = 0.02, 0.002, 1e-6
BEGIN, END = "<!-- model -->", "<!-- model end -->"


def run(options, ranks, route):
    """Sums over the ranks of one run, its fragments, and the picture's size in pixels."""
    figures = options.out / f"{options.scene.split(':')[0]}-{options.size}-{ranks}-{route}.csv"
    command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-q", "-n", str(ranks)]
    if os.geteuid() == 0:
        command.insert(1, "--allow-run-as-root")
    command += [options.program, "deep", "composite", options.scene, "--split", options.split, "--exchange",
                route, "--size", options.size, "--quiet", "--figures", str(figures), "-o",
                str(options.out / "picture.png")]
    environment = dict(os.environ, FATHOM_RANKS_IN_TURN="1", LP_NUM_THREADS="0")
    if subprocess.run(command, env=environment).returncode != 0:
        sys.exit(f"measure_compositing.py: failed: {' '.join(command)}")
    with open(figures, newline="") as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    return {k: sum(row[k] for row in rows) for k in rows[0]}


def basis(phase, n, fragments, pixels):
    """What a and b of a phase are multiplied with, for the sum over all ranks."""
    leaving = fragments * (n - 1) / n
    if phase in ("capture", "pack"):
        return fragments, pixels * n
    return {"write": (pixels, 0), "bytes": (leaving, 0)}.get(phase, (fragments, leaving))


def fit(samples):
    """a and b, neither negative, of least squared error relative to what was measured."""
    rows = [(x / v, y / v) for (x, y), v in samples if v > 0 and (x > 0 or y > 0)]
    xx, xy, yy = (sum(r[i] * r[j] for r in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    sx, sy = sum(r[0] for r in rows), sum(r[1] for r in rows)
    det = xx * yy - xy * xy
    if det > 1e-12 * xx * yy:
        a, b = (sx * yy - sy * xy) / det, (sy * xx - sx * xy) / det
        if a >= 0 and b >= 0:
            return a, b
    only_a = (sx / xx if xx else 0, 0)
    only_b = (0, sy / yy if yy else 0)
    error = lambda c: sum((c[0] * x + c[1] * y - 1) ** 2 for x, y in rows)
    return min((only_a, only_b), key=error)


def factors(n):
    out = []
    while n > 1:
        f = next((k for k in range(min(n, 8), 1, -1) if n % k == 0), None) or next(
            k for k in range(9, n + 1) if n % k == 0)
        out.append(f)
        n //= f
    return out


def rounds(route, n):
    """Messages that a rank sends in each round."""
    if route == "direct-send":
        return [n - 1] if n > 1 else []
    if route == "radix-k":
        return [k - 1 for k in factors(n)]
    pairs = n.bit_length() - 1
    return ([1] if n != 1 << pairs else []) + [1] * pairs + ([1] if n != 1 << pairs else [])


def passed_on(route, n):
    """How often a byte that leaves its rank is sent, on average: every round moves it with probability k / (k + 1)."""
    folded = 1 << (n.bit_length() - 1)
    if n == 1:
        return 0
    if route != "binary-swap" or folded == n:
        return sum(k / (k + 1) for k in rounds(route, n)) * n / (n - 1)
    home = lambda rank: rank if rank < folded else rank - folded  # the partner, which passes on and hands over
    sends = [bin(home(a) ^ home(b)).count("1") + (a >= folded) + (b >= folded)
             for a in range(n) for b in range(n) if a != b]
    return sum(sends) / len(sends)


class Model:
    def __init__(self, samples, pixels):
        self.pixels = pixels
        self.c = {phase: fit([(basis(phase, n, s["fragments"], pixels), s["sent_bytes" if phase == "bytes" else phase + "_ms"])
                              for n, s in samples if n > 1 or phase != "bytes"]) for phase in PHASES + ["bytes"]}
        self.gathered = max(s["gathered_bytes"] * n / (n - 1) for n, s in samples if n > 1)

    def of_all(self, phase, n, fragments):
        x, y = basis(phase, n, fragments, self.pixels)
        return self.c[phase][0] * x + self.c[phase][1] * y

    def wall(self, route, n, fragments):
        """Milliseconds of the slowest rank."""
        own = {phase: self.of_all(phase, n, fragments) / n for phase in PHASES}
        sent = self.of_all("bytes", n, fragments) / n * passed_on(route, n)
        link = sum(ROUND_MS + k * MESSAGE_MS for k in rounds(route, n)) + sent * BYTE_MS
        gather = self.gathered * (n - 1) / n * BYTE_MS + n * MESSAGE_MS
        return max(own["capture"] + own["pack"] + own["merge"], own["encode"] + link + own["decode"] + gather,
                   self.of_all("write", n, fragments))


def report(options, measured, pixels):
    direct = [(n, measured[n, "direct-send"]) for n in options.ranks]
    model = Model([(n, s) for n, s in direct if n <= options.fit], pixels)
    fragments = direct[0][1]["fragments"]
    out = [f"`docs/measure_compositing.py build/fathom {options.scene} --split {options.split} --size {options.size} --ranks "
           f"{' '.join(map(str, options.ranks))} --fit {options.fit}`: {fragments:,.0f} fragments, processor time of all ranks; "
           f"the model is fitted to the runs of at most {options.fit} ranks.", "",
           "| Ranks | " + " | ".join(f"{p}, s | model" for p in PHASES) + " | sum | model | off |",
           "|---|" + "---|" * (2 * len(PHASES) + 3)]
    for n, s in direct:
        took = [s[p + "_ms"] / 1e3 for p in PHASES]
        expected = [model.of_all(p, n, fragments) / 1e3 for p in PHASES]
        out.append(f"| {n} | " + " | ".join(f"{t:.2f} | {e:.2f}" for t, e in zip(took, expected)) +
                   f" | {sum(took):.2f} | {sum(expected):.2f} | {100 * (sum(expected) / sum(took) - 1):+.0f} % |")
    out += ["", "| Ranks | " + " | ".join(f"{r}, MB | model" for r in ROUTES) + " | direct send of raw |",
            "|---|" + "---|" * (2 * len(ROUTES) + 1)]
    for n in options.ranks:
        if n == 1:
            continue
        cells = []
        for route in ROUTES:
            expected = model.of_all("bytes", n, fragments) * passed_on(route, n) / 1e6
            cells.append(f"{measured[n, route]['sent_bytes'] / 1e6:.2f} | {expected:.2f}")
        raw = measured[n, "direct-send"]["sent_bytes"] / measured[n, "direct-send"]["raw_bytes"]
        out.append(f"| {n} | " + " | ".join(cells) + f" | {raw:.3f} |")
    out += ["", "Expected wall time, each rank with cores and a device like this one's of its own; weak: as many fragments "
            f"for each rank as at {options.fit} ranks.", "",
            "| Ranks | " + " | ".join(f"strong, {r}, ms" for r in ROUTES) + " | speedup, best | weak, best, ms |",
            "|---|" + "---|" * (len(ROUTES) + 2)]
    for n in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024):
        strong = [model.wall(route, n, fragments) for route in ROUTES]
        weak = min(model.wall(route, n, fragments * n / options.fit) for route in ROUTES)
        alone = min(model.wall(route, 1, fragments) for route in ROUTES)
        out.append(f"| {n} | " + " | ".join(f"{t:.0f}" for t in strong) + f" | {alone / min(strong):.1f} | {weak:.0f} |")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("scene")
    parser.add_argument("--split", default="morton")
    parser.add_argument("--size", default="960x540")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4, 5, 8, 16])
    parser.add_argument("--fit", type=int, default=4, help="the model knows runs of at most so many ranks")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/compositing"))
    parser.add_argument("--again", action="store_true", help="from what --out holds of the last time, without running")
    parser.add_argument("--write", type=pathlib.Path, help="put the tables into this page, between its marks")
    options = parser.parse_args()
    if len([n for n in options.ranks if 1 < n <= options.fit]) < 2:
        sys.exit("measure_compositing.py: --ranks: expected two numbers above 1 that --fit allows, found fewer")
    options.out.mkdir(parents=True, exist_ok=True)
    width, height = map(int, options.size.split("x"))
    kept = options.out / "measured.json"
    if options.again:
        measured = {(int(key.split()[0]), key.split()[1]): s for key, s in json.loads(kept.read_text()).items()}
    else:
        measured = {(n, route): run(options, n, route) for n in options.ranks for route in ROUTES
                    if n > 1 or route == "direct-send"}
        kept.write_text(json.dumps({f"{n} {r}": s for (n, r), s in measured.items()}, indent=1))
    text = report(options, measured, width * height)
    print(text)
    if options.write:
        page = options.write.read_text()
        head, rest = page.split(BEGIN, 1)
        options.write.write_text(f"{head}{BEGIN}\n{text}\n{END}{rest.split(END, 1)[1]}")


if __name__ == "__main__":
    main()
