#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Is every technique at least as fast with a profile as with its defaults? Tunes all of them into a
# temporary profile, then lets each make one picture alternately with that profile and without
# (`fathom tune NAME --check IN`), and prints the table of docs/results/profiles.md. Exit code 1 when
# one is slower beyond the noise.
#
#   tests/lab/run/measure_profiles.py build/fathom [--profile FILE] [--pictures N]

import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

# Technique, input, size of scenes, settings.
CASES = [
    ("deep", "atrium", "640x360", []),
    ("dof", "atrium", "320x180", []),
]


def run(command, codes=(0,)):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    return done.stdout


def check(fathom, profile, pictures, case):
    name, picture, size, settings = case
    command = [fathom, "tune", name, "--check", picture, "--profile", profile, "--quiet",
               "--pictures", str(pictures), "--json", "-"]
    command += ["--size", size] if size else []
    for setting in settings:
        command += ["--set", setting]
    return json.loads(run(command, (0, 3)))


def row(case, report):
    r = report["result"]
    shown = pathlib.Path(case[1]).name + "".join(f", {s}" for s in case[3])
    variant = r["profile"].split(",")[0]
    return (f"| {case[0]} | {shown}, {report['size'][0]} x {report['size'][1]} | `{variant}` "
            f"| {r['default_ms']:.1f} | {r['tuned_ms']:.1f} | {r['ratio']:.3f} ± {r['noise']:.3f} "
            f"| {r['default_wall_ms']:.1f} | {r['tuned_wall_ms']:.1f} | {r['wall_ratio']:.3f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fathom")
    parser.add_argument("--profile", help="an existing one; by default everything is tuned first")
    parser.add_argument("--pictures", type=int, default=15)
    parser.add_argument("--only", help="one technique")
    options = parser.parse_args()
    cases = [case for case in CASES if options.only in (None, case[0])]
    with tempfile.TemporaryDirectory() as folder:
        profile = options.profile or str(pathlib.Path(folder) / "profile.json")
        if not options.profile:
            names = [case[0] for case in cases]
            run([options.fathom, "tune", *names, "--profile", profile, "--quiet"])
        reports = [check(options.fathom, profile, options.pictures, case) for case in cases]
    device = reports[0]["device"]
    print(f"{device['renderer']}, {device['version']}, {datetime.date.today()}, "
          f"{options.pictures} pictures of each, alternating, medians in ms\n")
    time = "processor" if device["software"] else "GPU"
    print(f"| technique | picture | variant | {time}, default | tuned | tuned / default "
          "| wall clock, default | tuned | tuned / default |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case, report in zip(cases, reports):
        print(row(case, report))
    slower = [case[0] for case, report in zip(cases, reports) if report["result"]["slower"]]
    if slower:
        sys.exit("slower than the default beyond the noise: " + ", ".join(slower))


main()
