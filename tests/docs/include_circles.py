#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Folders of app/ as rooms and includes as arrows: prints every circle and fails when there is one.

A folder without subfolders is a room, and so are the files of app/engine/gpu, which know one another. In
another folder with subfolders each file (header with its source) is a room of its own, since settings
lie below the subfolders and the face above them.
--arrows FOLDER prints the arrows between the rooms of one folder instead, lowest first.
"""
import os
import re
import sys

includes = {}  # room -> {room: "file -> file"}
folders = {d for d, subs, _ in os.walk("app") if subs}


def room_of(path):
    folder, name = os.path.split(path)
    is_many = folder in folders and folder != "app/engine/gpu"
    return os.path.join(folder, name.rsplit(".", 1)[0]) if is_many else folder


for folder, _, names in os.walk("app"):
    for name in sorted(names):
        if not name.endswith((".cpp", ".h")):
            continue
        path = os.path.join(folder, name)
        room = room_of(path)
        includes.setdefault(room, {})
        for other in re.findall(r'^#include "(app/[^"]+)"', open(path).read(), re.M):
            if room_of(other) != room:
                includes[room].setdefault(room_of(other), f"{path} -> {other}")

# Depth first: a room that is met again while it is still open closes a circle. Heights on the way up.
height, state, circles = {}, {}, []


def visit(room, way):
    state[room] = "open"
    height[room] = 0
    for other in sorted(includes.get(room, {})):
        if state.get(other) == "open":
            circle = way[way.index(other):] if other in way else [other]
            circles.append([includes[a][b] for a, b in zip(circle, circle[1:] + [other])])
        elif other not in state:
            visit(other, way + [other])
        height[room] = max(height[room], height[other] + 1)
    state[room] = "done"


sys.setrecursionlimit(10000)
for room in sorted(includes):
    if room not in state:
        visit(room, [room])

if sys.argv[1:2] == ["--arrows"]:
    inside = [r for r in includes if r.startswith(sys.argv[2].rstrip("/") + "/")]
    for room in sorted(inside, key=lambda r: (height[r], r)):
        print(f"{room}: " + " ".join(sorted(o for o in includes[room] if o in inside)))
    sys.exit()
for circle in circles:
    print("circle:\n  " + "\n  ".join(circle))
print(f"{len(includes)} rooms, {sum(map(len, includes.values()))} arrows, {len(circles)} circles")
sys.exit(bool(circles))
