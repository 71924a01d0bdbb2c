#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scaling_model.py FIGURES.csv...: what fathom deep composite --figures measured at several numbers of
ranks, and what a model of its phases expects there and at up to 1,024 ranks. Costs per fragment and per
byte come from the run with the fewest ranks that sends something; a link costs 20 us per message and
1 ns per byte. Strong: the same picture by more ranks; weak: as many fragments for each rank."""
import csv
import sys

MESSAGE_MS, BYTE_MS = 0.02, 1e-6


def read(path):
    with open(path, newline="") as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    total = {k: sum(row[k] for row in rows) for k in rows[0]}
    return len(rows), rows, total


def costs(total, ranks):
    fragments, sent = max(1, total["fragments"]), max(1, total["sent_bytes"])
    share = (ranks - 1) / ranks
    return {
        "capture": (total["capture_ms"] + total["pack_ms"]) / fragments,
        "encode": total["encode_ms"] / fragments,
        "decode": total["decode_ms"] / fragments,
        "merge": total["merge_ms"] / max(1, total["merged_fragments"]),
        "write": total["write_ms"] / fragments,
        "bytes": sent / fragments / share,
    }


def work(c, fragments, ranks):
    """Milliseconds of all ranks together, without the link."""
    return fragments * (c["capture"] + c["encode"] + c["decode"] + c["merge"] + c["write"])


def wall(c, fragments, ranks):
    """Of the slowest rank, each with a device and a core of its own: three threads beside each other."""
    own = fragments / ranks
    sent = own * c["bytes"] * (ranks - 1) / ranks
    link = (ranks - 1) * MESSAGE_MS + sent * BYTE_MS
    gathered = fragments * c["bytes"] * BYTE_MS
    main = own * (c["capture"] + c["merge"])
    carrier = own * (c["encode"] + c["decode"]) + link + gathered
    return max(main, carrier, fragments * c["write"])


def main():
    runs = sorted((read(path) for path in sys.argv[1:]), key=lambda run: run[0])
    base = next((run for run in runs if run[0] > 1), None)
    if not base:
        sys.exit("scaling_model.py: expected a run of at least 2 ranks, found none")
    c, fragments = costs(base[2], base[0]), base[2]["fragments"]
    print("| Ranks | Sent, MB | Model | Of raw | Work of all ranks, ms | Model |\n|---|---|---|---|---|---|")
    for ranks, _, total in runs:
        phases = sum(total[k + "_ms"] for k in ("capture", "pack", "encode", "decode", "merge", "write"))
        modelled = fragments * c["bytes"] * (ranks - 1) / ranks / 1e6
        print(f"| {ranks} | {total['sent_bytes'] / 1e6:.2f} | {modelled:.2f} | "
              f"{total['sent_bytes'] / max(1, total['raw_bytes']):.3f} | {phases:.0f} | "
              f"{work(c, fragments, ranks):.0f} |")
    print("\n| Ranks | Strong, ms | Weak, ms |\n|---|---|---|")
    for ranks in (1, 4, 16, 64, 256, 1024):
        weak = wall(c, fragments * ranks / base[0], ranks)
        print(f"| {ranks} | {wall(c, fragments, ranks):.0f} | {weak:.0f} |")


if __name__ == "__main__":
    main()
