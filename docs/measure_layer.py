#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# What a residual layer over a packed model would be worth: codes what a model lacks of its picture by a DCT of 16 x 16
# pixels, and counts the bits of an adaptive coder, what it spends on learning included. Needs numpy, scipy and Pillow.
#   fathom smoe convert model.smoe --source photo.png --encoding packed --packing-loss 1.5 -o packed.smoe
#   fathom smoe render packed.smoe -o decoded.png
#   docs/measure_layer.py photo.png decoded.png packed.smoe
import argparse
import os

import numpy as np
from PIL import Image
from scipy.fft import dctn, idctn
from scipy.special import gammaln

N = 16  # side of a block, px
BIT_PRICE = 0.11  # of a squared step
COLORS = np.array([[1, 1, 1], [1, 0, -1], [1, -2, 1]]) / np.sqrt([[3], [2], [6]])  # orthonormal: all steps weigh alike


def picture(name):
    return np.asarray(Image.open(name).convert("RGB"), dtype=float)


def blocks(plane):
    height, width = plane.shape
    return plane.reshape(height // N, N, width // N, N).swapaxes(1, 2)


def bits(context, bit):
    """Of a coder that adapts in each context, from one half on (Krichevsky and Trofimov 1981)."""
    index = np.unique(context, return_inverse=True)[1]
    ones = np.bincount(index, bit.astype(float))
    zeros = np.bincount(index) - ones
    logs = gammaln(ones + 0.5) + gammaln(zeros + 0.5) - gammaln(ones + zeros + 1) - 2 * gammaln(0.5)
    return -logs.sum() / np.log(2)


def moved(a, dy, dx, first):
    """The value that lies so far along the axes first and first + 1; 0 outside."""
    out = np.zeros_like(a)
    to, of = [slice(None)] * a.ndim, [slice(None)] * a.ndim
    for axis, d in ((first, dy), (first + 1, dx)):
        to[axis] = slice(max(0, -d), a.shape[axis] - max(0, d))
        of[axis] = slice(max(0, d), a.shape[axis] - max(0, -d))
    out[tuple(to)] = a[tuple(of)]
    return out


def contexts(planes):
    """Of each code, from what a decoder has by then: higher frequencies of its block, the four blocks before it and,
    of chroma, luma; coefficients come from the highest frequency down."""
    band = np.digitize(np.add.outer(np.arange(N), np.arange(N)) * 32 / N, [1, 2, 4, 7, 11, 16, 22, 30, 42])
    out = []
    for c, codes in enumerate(planes):
        few = np.minimum(codes, 3)
        own = sum(g * moved(few, *at, 2) for at, g in (((0, 1), 2), ((1, 0), 2), ((1, 1), 1), ((0, 2), 1), ((2, 0), 1)))
        before = sum(moved(few, *at, 0) for at in ((0, -1), (-1, 0), (-1, -1), (-1, 1)))
        near = sum(moved(before, y, x, 2) / 2 ** (abs(x) + abs(y)) for y in (-1, 0, 1) for x in (-1, 0, 1))
        near = np.digitize(near, [0.2, 0.6, 1.5, 3, 6])
        if c > 0:
            near = np.minimum(near, 2) + 3 * (planes[0] > 0)
        out.append((((c > 0) * 16 + band) * 8 + np.digitize(own, [1, 2, 3, 5, 8])) * 8 + near)
    return np.array(out)


def bits_of(planes):
    context = contexts(planes)
    total = bits(context.ravel(), planes.ravel() > 0) + np.sum(planes > 0)  # and the signs
    for least in range(1, int(planes.max(initial=0)) + 1):
        there = planes >= least
        own = context[there] // 8 % 8
        chroma = context[there] // 1024
        finer = context[there] % 8 if least == 1 else 0
        total += bits((chroma * 8 + own) * 8 + finer, planes[there] > least)
    return total


def layer(residual, step):
    """Its bits, and what it adds to the picture."""
    found = np.array([dctn(blocks(residual @ along), axes=(2, 3), norm="ortho") / step for along in COLORS])
    size = np.abs(found)
    planes = rounded = np.floor(size + 0.4)
    for _ in range(3):  # ones that cost more than they are worth become zeros
        context = contexts(planes).ravel()
        share = (np.bincount(context, planes.ravel() > 0) + 0.5) / (np.bincount(context) + 1)
        price = BIT_PRICE * (1 + np.log2(1 / share - 1))[context].reshape(planes.shape)
        planes = np.where((rounded <= 1) & (2 * size - 1 < price), 0, rounded)
    added = np.zeros_like(residual)
    for along, codes in zip(COLORS, planes * np.sign(found)):
        plane = idctn(codes * step, axes=(2, 3), norm="ortho").swapaxes(1, 2).reshape(residual.shape[:2])
        added += plane[..., None] * along
    return bits_of(planes), added


def main():
    parser = argparse.ArgumentParser(description="What a residual layer over a packed model would be worth.")
    parser.add_argument("files", nargs="+", metavar="PHOTO DECODED PACKED", help="three files for each picture")
    parser.add_argument("--steps", default="128,100,80,64,52,42,34,27,22,18,15", help="of the layer, of 255")
    arguments = parser.parse_args()
    print("| Picture | Step | Model | With the layer |\n|---|---|---|---|")
    for photo, decoded, packed in zip(*[iter(arguments.files)] * 3):
        source, model = picture(photo), picture(decoded)
        if source.shape != model.shape or source.shape[0] % N or source.shape[1] % N:
            parser.error(f"{decoded}: expected the size of {photo}, in multiples of {N} px")
        pixels = source.size / 3
        own = 8 * os.path.getsize(packed)

        def row(total, image):
            error = np.mean((np.clip(np.round(image), 0, 255) - source) ** 2)
            return f"{total / pixels:.4f} bpp, {10 * np.log10(255**2 / error):.3f} dB"

        for step in map(float, arguments.steps.split(",")):
            spent, added = layer(source - model, step)
            print(f"| {photo} | {step:g} | {row(own, model)} | {row(own + spent, model + added)} |", flush=True)


main()
