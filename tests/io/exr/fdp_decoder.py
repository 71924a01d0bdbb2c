# SPDX-License-Identifier: BSD-3-Clause
"""A decoder of packed deep images by docs/reference/fdp.md alone; tells whether a file holds what an
uncompressed deep scanline EXR holds.

usage: fdp_decoder.py PACKED.fdp PLAIN.exr
"""
import struct
import sys


def header(data, at):
    parts = []
    many = struct.unpack_from("<I", data, at)[0] & 0x1000
    at += 4

    def name():
        nonlocal at
        end = data.index(b"\0", at)
        text, at = data[at:end].decode(), end + 1
        return text

    while True:
        part = {}
        while key := name():
            kind = name()
            size = struct.unpack_from("<i", data, at)[0]
            part[key] = data[at + 4:at + 4 + size]
            at += 4 + size
        if not part:
            break
        parts.append(part)
        if not many:
            break
    for part in parts:
        x0, y0, x1, y1 = struct.unpack("<4i", part["dataWindow"])
        part["window"] = (y0, x1 - x0 + 1, y1 - y0 + 1)
        part["list"], place, raw = [], 0, part["channels"]
        while raw[place]:
            end = raw.index(b"\0", place)
            part["list"].append((raw[place:end].decode(), struct.unpack_from("<i", raw, end + 1)[0]))
            place = end + 17
    return parts, at


class Damage(Exception):
    pass


class Model:
    def __init__(self):
        self.sums, self.rate, self.count = [2048 * i for i in range(16)], 2, 2

    def learn(self, k):
        for i in range(16):
            self.sums[i] += (i + (32752 if i > k else 0) - self.sums[i]) >> self.rate
        if self.rate < 6:
            self.count += 1
            if self.count == 2 ** (self.rate + 1):
                self.rate += 1


class Stream:
    def __init__(self, data):
        length = struct.unpack_from("<I", data)[0]
        self.words = struct.unpack_from("<%dH" % (length // 2), data, 4)
        self.raw, self.bit = data[4 + length:], 0
        self.states = [self.words[0] << 16 | self.words[1], self.words[2] << 16 | self.words[3]]
        self.at, self.turn = 4, 0

    def bits(self, n):
        value = 0
        for i in range(n):
            value |= (self.raw[self.bit >> 3] >> (self.bit & 7) & 1) << i
            self.bit += 1
        return value

    def symbol(self, a, b):
        m = [(p + q) // 2 for p, q in zip(a.sums, b.sums)] + [32768]
        x = self.states[self.turn]
        slot = x % 32768
        k = max(i for i in range(16) if m[i] <= slot)
        x = (m[k + 1] - m[k]) * (x // 32768) + slot - m[k]
        if x < 65536:
            x = x * 65536 + self.words[self.at]
            self.at += 1
        self.states[self.turn] = x
        self.turn ^= 1
        a.learn(k)
        b.learn(k)
        return k

    def finish(self):
        if self.states != [65536, 65536] or self.at != len(self.words) or (self.bit + 7) // 8 != len(self.raw):
            raise Damage


class Number:
    def __init__(self, fine, coarse):
        self.fine = [Model() for _ in range(fine)]
        self.coarse = [Model() for _ in range(coarse)]
        self.large = [Model(), Model()]

    def read(self, stream, fine, coarse):
        """The distance, or None for what is known."""
        size = stream.symbol(self.fine[fine], self.coarse[coarse])
        if size == 15:
            return None
        if size == 14:
            e = stream.symbol(self.large[0], self.large[0])
            size += e
            if e == 15:
                size += stream.symbol(self.large[1], self.large[1])
        if size > 33:
            raise Damage
        if size == 0:
            return 0
        negative = stream.bits(1)
        amount = (1 << size - 1) + stream.bits(size - 1)
        return -amount if negative else amount


def size_of(value):
    return abs(value).bit_length()


def edge(a, b, c):
    return sorted((a, b, a + b - c))[1]


def read_counts(data, width, height):
    stream = Stream(data)
    near, around = [Model() for _ in range(256)], [Model() for _ in range(256)]
    runs, many = Number(4, 4), Number(34, 4)
    counts, p, after = [], 0, False
    while p < width * height:
        x = p % width
        get = lambda there, back: counts[p - back] if there else 0
        l, u = get(x > 0, 1), get(p >= width, width)
        ul, ur = get(x > 0 and p >= width, width + 1), get(x + 1 < width and p >= width, width - 1)
        if l == u == ul == ur and not after:
            run = runs.read(stream, min(l, 3), min(l, 3))
            counts += [l] * run
            p += run
            if x + run == width:
                continue
            after = True
            if run > 0:
                continue
        after = False
        n = 15
        if max(l, u) < 30:
            n = stream.symbol(near[16 * min(l, 15) + min(u, 15)],
                              around[64 * min(l, 3) + 16 * min(u, 3) + 4 * min(ul, 3) + min(ur, 3)])
        if n == 15:
            n = edge(l, u, ul) + many.read(stream, size_of(l - u), min(size_of(ul - u), 3))
        counts.append(n)
        p += 1
    stream.finish()
    return counts


class Plane:
    def __init__(self, name, kind, count):
        self.name, self.kind = name, kind  # 0 uint, 1 half, 2 float
        self.v, self.missed, self.sizes = [0] * (count + 1), [0] * (count + 1), [0] * (count + 1)
        self.numbers, self.by = Number(128, 64), 0
        self.is_alpha = kind > 0 and (name == "A" or name.endswith(".A"))

    def bytes_of(self, i):
        v, width = self.v[i], 2 if self.kind == 1 else 4
        if self.kind and v < 0:
            v = (1 << 8 * width - 1) | (-1 - v)
        return v.to_bytes(width, "little")


class Block:
    def __init__(self, channels, data, counts, width):
        self.stream, self.counts, self.width = Stream(data), counts, width
        total = sum(counts)
        self.planes = [Plane(name, kind, total) for name, kind in channels]
        self.near = [(0, 0, 0, 0)] * (total + 1)
        named = {plane.name: plane for plane in self.planes}
        self.z, self.back = named["Z"], named.get("ZBack")
        if self.back:
            self.back.by = 1
        self.depths()
        before = self.z
        rank = {"A": 0, "G": 1, "R": 2, "B": 2}
        rest = [plane for plane in self.planes if plane not in (self.z, self.back)]
        for plane in sorted(rest, key=lambda plane: rank.get(plane.name.split(".")[-1], 3)):
            layer, dot, base = plane.name.rpartition(".")
            companion = None
            if base in "RB" and base:
                companion = named.get(layer + dot + "G")
            if base == "G":
                companion = named.get(layer + dot + "A") or named.get("A")
            companion = companion or before
            if plane.kind == 0:
                self.ids(plane, companion)
            else:
                plane.by = self.stream.bits(2)
                for i in range(1, total + 1):
                    self.number(plane, companion, i)
            before = plane
        self.stream.finish()

    def depths(self):
        first, second = [Model() for _ in range(16)], [Model() for _ in range(1024)]
        ends = [1]
        for n in self.counts:
            ends.append(ends[-1] + n)
        q = 0
        for p, n in enumerate(self.counts):
            x, w = p % self.width, self.width
            lists = []
            for there, back in ((x > 0, 1), (p >= w, w), (x > 0 and p >= w, w + 1), (x + 1 < w and p >= w, w - 1)):
                lists.append([ends[p - back], ends[p - back + 1], ends[p - back]] if there else [0, 0, 0])
            for i in range(ends[p], ends[p + 1]):
                def cmp(one):
                    m, theirs = ends[p + 1] - i, one[1] - one[2]
                    return 0 if one[2] >= one[1] else 1 if m < theirs else 2 if m == theirs else 3
                c = 4 * cmp(lists[0]) + cmp(lists[1])
                w2 = (lists[2][0] < lists[2][1]) + 2 * (lists[3][0] < lists[3][1])
                r = self.stream.symbol(first[c], second[64 * q + 4 * c + w2])
                q = r
                named = 0
                if r == 11:
                    if i == ends[p]:
                        raise Damage
                    self.z.v[i] = depth = self.back.v[i - 1]
                elif r == 10:
                    depth = self.z.v[i - 1]
                else:
                    one = lists[(0, 1, 0, 1, 0, 1, 0, 1, 2, 3)[r]]
                    named = one[2] + (0, 0, 1, 1, -1, -1, 2, 2, 0, 0)[r]
                    if not one[0] <= named < one[1]:
                        raise Damage
                    depth = self.z.v[named]
                self.meet(i, lists, depth, named)
                if r != 11:
                    self.number(self.z, None, i)
                if self.back:
                    self.number(self.back, self.z, i)

    def meet(self, i, lists, depth, named):
        found, z = [0, 0, 0, 0], self.z.v
        for l, one in enumerate(lists):
            if one[0] == one[1]:
                continue
            if one[0] <= named < one[1]:
                at = named
            else:
                at = min(one[2], one[1] - 1)
                while at + 1 < one[1] and abs(z[at + 1] - depth) <= abs(z[at] - depth):
                    at += 1
                while at > one[0] and abs(z[at - 1] - depth) < abs(z[at] - depth):
                    at -= 1
            if at == named or abs(z[at] - depth) <= (1 << (6 if self.z.kind == 1 else 18)):
                found[l], one[2] = at, at + 1
        left, up, ul, ur = found
        if left and up:
            self.near[i] = (left, up, ul, 3) if ul else (left, up, up, 2)
            return
        one = left or up or ul or ur
        if one:
            self.near[i] = (one, ur if up and ur else one, one, 1)
        else:
            self.near[i] = (i - 1, i - 1, i - 1, 0)

    def number(self, plane, companion, i):
        a, b, c, count = self.near[i]
        v = plane.v
        forecast = v[a]
        if count == 3:
            forecast = v[a] + v[b] - v[c] if plane.by & 2 else edge(v[a], v[b], v[c])
        if count == 2:
            forecast = (v[a] + v[b]) >> 1
        if plane.by & 1:
            forecast += companion.missed[i]
        h = 0 if plane.kind == 1 else 1
        spread = count if count < 2 else min(15, 2 + (size_of(v[a] - v[b]) >> h))
        late = min(7, max(plane.sizes[a], plane.sizes[b]) >> h + 1)
        beside = min(7, companion.sizes[i] + 1 >> (1 if companion.kind == 1 else 2)) if companion else 0
        missed = plane.numbers.read(self.stream, 8 * spread + late, 8 * beside + late)
        if missed is None:
            if plane is not self.back and not plane.is_alpha:
                raise Damage
            known = self.z.v[i] if plane is self.back else 0x3C00 if plane.kind == 1 else 0x3F800000
            missed = known - forecast
        v[i] = forecast + missed
        plane.missed[i] = max(-(2 ** 31 - 1), min(2 ** 31 - 1, missed))
        plane.sizes[i] = size_of(missed)

    def ids(self, plane, companion):
        same, beside = [Model() for _ in range(16)], [Model() for _ in range(16)]
        lately, known = [], []
        for i in range(1, len(plane.v)):
            a, b, c, count = self.near[i]
            near = [plane.v[a], plane.v[b], plane.v[c], plane.v[i - 1]]
            s = self.stream.symbol(same[4 * count + (near[0] == near[1]) + 2 * (near[1] == near[2])],
                                   beside[min(15, (companion.sizes[i] + 1) // 2)])
            if s < 4:
                value = near[s]
            elif s == 4:
                value = self.stream.bits(32)
                known.append(value)
            elif s == 15:
                value = known[self.stream.bits(len(known).bit_length())]
            else:
                value = lately.pop(s - 5)
            if s >= 4:
                lately = ([value] + lately)[:10]
            plane.v[i], plane.missed[i], plane.sizes[i] = value, s, s

    def rows(self):
        at = 1
        for y in range(len(self.counts) // self.width):
            n = sum(self.counts[y * self.width:(y + 1) * self.width])
            yield b"".join(plane.bytes_of(i) for plane in self.planes for i in range(at, at + n))
            at += n


def packed_rows(data):
    """Of each part, row by row: counts and planes."""
    assert data[:4] == b"fdp\x01"
    parts, at = header(data, 4)
    for number, part in enumerate(parts):
        top, width, height = part["window"]
        for b in range((height + 15) // 16):
            place = struct.unpack_from("<Q", data, at + 8 * b)[0]
            if len(parts) > 1:
                assert struct.unpack_from("<i", data, place)[0] == number
                place += 4
            y, counts_size, size, unpacked = struct.unpack_from("<iQQQ", data, place)
            assert y == top + 16 * b
            place += 28
            rows = min(16, height - 16 * b)
            counts = read_counts(data[place:place + counts_size], width, rows)
            place += counts_size
            planes = [b""] * rows
            if size:
                planes = list(Block(part["list"], data[place:place + size], counts, width).rows())
            assert sum(map(len, planes)) == unpacked
            for row in range(rows):
                yield counts[row * width:(row + 1) * width], planes[row]
        at += 8 * ((height + 15) // 16)


def plain_rows(data):
    parts, at = header(data, 4)
    for part in parts:
        top, width, height = part["window"]
        for row in range(height):
            place = struct.unpack_from("<Q", data, at + 8 * row)[0] + (4 if len(parts) > 1 else 0)
            _, table, size, _ = struct.unpack_from("<iQQQ", data, place)
            place += 28
            totals = struct.unpack_from("<%di" % width, data, place)
            yield [n - before for before, n in zip((0,) + totals, totals)], data[place + table:place + table + size]
        at += 8 * height


if __name__ == "__main__":
    packed, plain = (open(path, "rb").read() for path in sys.argv[1:])
    sys.exit(0 if list(packed_rows(packed)) == list(plain_rows(plain)) else 1)
