#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Folders of app/ as rooms and includes as arrows: prints every circle and fails when there is one.

A folder without subfolders is a room. In another folder each file (header with its source) is a room of its
own, since settings lie below the subfolders and the face above them; files of one folder may know one another.
--arrows FOLDER prints the arrows between the rooms of one folder instead, lowest first.
"""
import os
import re
import sys

includes = {}  # room -> {room: "file -> file"}
folders = {d for d, subs, _ in os.walk("app") if subs}


def room_of(path):
    folder, name = os.path.split(path)
    is_many = folder in folders
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

# Rooms that reach each other (Tarjan): files of one folder may, folders may not. Heights on the way up.
height, number, low, circles = {}, {}, {}, []
stack = []


def visit(room):
    number[room] = low[room] = len(number)
    stack.append(room)
    for other in sorted(includes.get(room, {})):
        if other not in number:
            visit(other)
            low[room] = min(low[room], low[other])
        elif other in stack:
            low[room] = min(low[room], number[other])
    if low[room] != number[room]:
        return
    together = stack[stack.index(room):]
    del stack[-len(together):]
    below = [height[o] for r in together for o in includes.get(r, {}) if o not in together]
    for each in together:
        height[each] = max(below, default=-1) + 1
    if len({r if os.path.isdir(r) else os.path.dirname(r) for r in together}) > 1:
        circles.append([w for r in together for o, w in includes[r].items() if o in together])


sys.setrecursionlimit(10000)
for room in sorted(includes):
    if room not in number:
        visit(room)

if sys.argv[1:2] == ["--arrows"]:
    inside = [r for r in includes if r.startswith(sys.argv[2].rstrip("/") + "/")]
    for room in sorted(inside, key=lambda r: (height[r], r)):
        print(f"{room}: " + " ".join(sorted(o for o in includes[room] if o in inside)))
    sys.exit()
for circle in circles:
    print("circle:\n  " + "\n  ".join(circle))
print(f"{len(includes)} rooms, {sum(map(len, includes.values()))} arrows, {len(circles)} circles")
sys.exit(bool(circles))
