#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A second decoder of packed models, written from docs/reference/smoe-file.md, and a comparison with the
same model in float32: packed_decoder.py PACKED PLAIN exits with 1 where a number differs by more
than float32 can. Alpha, a model of its own behind the other, is compared likewise."""
import json
import math
import struct
import sys
import zlib

ORDER = [0, 1, 3, 7, 8, 2, 4, 5, 6, 9, 10, 11, 12] + list(range(13, 28))
CONTEXTS = 6
FIELDS = {2: 13, 3: 20, 4: 28}  # by dimensions


COLORS = ["srgb", "linear", "ycbcr709", "gray", "gray-srgb", "asinh", "gray-asinh"]


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, kind):
        values = struct.unpack_from("<" + kind, self.data, self.at)
        self.at += struct.calcsize("<" + kind)
        return values if len(values) > 1 else values[0]

    def whole(self):
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value


def packed_parts(data):
    """Header and payload of a packed model, then those of its alpha, where it has one."""
    stream = Bytes(data[8:])
    crc = stream.take("I")
    kind = stream.take("B")
    header = {"dims": 2 + (kind & 3), "colour": COLORS[kind >> 2 & 7]}
    stream.whole(), stream.whole()  # width, height
    if header["dims"] == 3:
        stream.whole()
    if header["dims"] == 4:
        for _ in range(2):
            stream.whole(), stream.take("d")
    if "asinh" in header["colour"]:
        stream.take("d")
    stream.whole()  # binary places of centers
    header["count"], size = stream.whole(), stream.whole()
    if kind >> 5 & 1:
        stream.whole()
    if kind >> 6 & 1:
        header["psnr"] = stream.whole() / 1000
    begin = 8 + stream.at
    blocks = table_of(data[begin:begin + size], header)[1]
    summed_up = begin + blocks[0][0] if len(blocks) > 1 else len(data)
    assert crc == zlib.crc32(data[12:summed_up])
    rest = data[begin + size:]
    return [(header, data[begin:begin + size])] + (packed_parts(rest) if kind >> 5 & 1 else [])


def parts_of(data):
    """The same of a model in float32."""
    if data[:8] in (b"SMOEPAC1", b"SMOEPAC2"):
        return packed_parts(data)
    assert data[:8] == b"SMOEMDL1"
    length = struct.unpack_from("<I", data, 8)[0]
    header = json.loads(data[12:12 + length])
    payload = data[(12 + length + 15) // 16 * 16:]
    alpha = header.get("alphaBytes", 0)
    end = len(payload) - alpha
    return [(header, payload[:end])] + (parts_of(payload[end:]) if alpha else [])


class Bit:
    def __init__(self):
        self.quick = self.slow = 1 << 15
        self.seen = 0

    def zero(self):
        return min(max((self.quick + self.slow) >> 2, 64), 32768 - 64)

    def learn(self, bit):
        target = 0 if bit else 65535
        share = self.seen + 2

        def toward(value, shift):
            change = target - value
            if share < 1 << shift:
                return value + int(math.trunc(change / share))
            return value + (change >> shift)

        self.quick, self.slow = toward(self.quick, 4), toward(self.slow, 7)
        self.seen = min(self.seen + 1, 128)


class Decoder:
    def __init__(self, data):
        self.data, self.at = data, 0
        self.range, self.code = 0xFFFFFFFF, 0
        for _ in range(4):
            self.code = self.code << 8 | self.byte()

    def byte(self):
        value = self.data[self.at] if self.at < len(self.data) else 0
        self.at += 1
        return value

    def split(self, below):
        bit = self.code >= below
        if bit:
            self.code -= below
            self.range -= below
        else:
            self.range = below
        while self.range < 1 << 24:
            self.range <<= 8
            self.code = (self.code << 8 | self.byte()) & 0xFFFFFFFF
        return int(bit)

    def bit(self, model):
        bit = self.split((self.range >> 15) * model.zero())
        model.learn(bit)
        return bit

    def raw(self, count):
        value = 0
        for _ in range(count):
            value = value << 1 | self.split(self.range >> 1)
        return value


class Integer:
    def __init__(self):
        self.contexts = [dict(zero=Bit(), sign=Bit(), digits=[Bit() for _ in range(62)],
                              second=[Bit() for _ in range(62)]) for _ in range(CONTEXTS)]

    def take(self, coder, context):
        s = self.contexts[context]
        if not coder.bit(s["zero"]):
            return 0
        negative = coder.bit(s["sign"])
        below = 0
        while below + 1 < 62 and coder.bit(s["digits"][below]):
            below += 1
        size = 1
        if below > 0:
            size = size << 1 | coder.bit(s["second"][below])
            size = size << (below - 1) | coder.raw(below - 1)
        return -size if negative else size


def places(coder, model, count, bits):
    if bits == 0 or count == 0:
        return [0] * count
    if count == 1:
        return [coder.raw(bits)]
    context = min(max((count - 1).bit_length() - 1, 0), CONTEXTS - 1)
    first = min(max(model.take(coder, context) + count // 2, 0), count)
    left = places(coder, model, first, bits - 1)
    right = places(coder, model, count - first, bits - 1)
    return left + [m | 1 << (bits - 1) for m in right]


def coordinates(morton):
    x = sum((morton >> 2 * i & 1) << i for i in range(30))
    y = sum((morton >> (2 * i + 1) & 1) << i for i in range(30))
    return x, y


def features(values, field):
    if field in (0, 1):
        return [0, 0, 0, 0]
    result = [values[0], values[1], 0, 0]
    if field == 3:
        return result
    result[2] = values[3]
    if field in (7, 8):
        return result
    result[3] = math.log(max(math.hypot(values[7], values[8]), 1e-3))
    return result


def own(values, field, dims):
    if field == 1:
        return values[0]
    if field == 3:
        return values[0] + values[1]
    if dims == 4 and field == 16:
        return values[15]
    return 0


def context_of(codes):
    total = sum(min(abs(c), 1 << 20) for c in codes)
    for i, limit in enumerate((0, 1, 3, 8, 24)):
        if total <= limit:
            return i
    return 5


def decode_block(data, count, rows, dims, fields, morton_bits):
    coder = Decoder(data)
    halves, models = Integer(), [Integer() for _ in range(fields)]
    means = [row["mean"] for row in rows]
    mortons = places(coder, halves, count, morton_bits)
    done, result = [], []
    for morton in mortons:
        place = coordinates(morton)
        near = sorted(range(max(0, len(done) - 32), len(done)),
                      key=lambda i: ((done[i][0][0] - place[0]) ** 2 +
                                     (done[i][0][1] - place[1]) ** 2, -i))[:2]
        values, codes = [0.0] * 28, [0] * 28
        for field in [f for f in ORDER if f < fields]:
            row = rows[field]
            beside = sum(done[i][1][field] - row["mean"] for i in near) / len(near) if near else 0
            guess = (row["mean"] + row["neighbors"] * beside +
                     row["own"] * (own(values, field, dims) - own(means, field, dims)))
            exponent = row["level"] + sum(a * b for a, b in zip(row["by"], features(values, field)))
            step = math.exp(min(max(exponent, -60), 60))
            code = models[field].take(coder, context_of([done[i][2][field] for i in near]))
            codes[field], values[field] = code, guess + step * code
        done.append((place, values, codes))
        result.append((place, values))
    return result


def from_luma(packed):
    y, cb, cr = packed
    r, b = y + 1.5748 * cr, y + 1.8556 * cb
    return [r, (y - 0.2126 * r - 0.0722 * b) / 0.7152, b]


def block_of(count):
    return 2048 if count > 16384 else 4096


def table_of(payload, header):
    """What all blocks need, and where each lies: begin, end."""
    dims, count = header["dims"], header["count"]
    stream = Bytes(payload)
    grid, morton_bits, low_x, low_y = stream.take("BBii")
    rows = []
    for field in range(FIELDS[dims]):
        mean, level = stream.take("ee")
        powers = 0 if field < 2 else 2 if field == 3 else 3 if field in (7, 8) else 4
        by = [stream.take("b") / 64 for _ in range(powers)] + [0] * (4 - powers)
        neighbors = stream.take("b") / 64
        has_own = field in (1, 3) or (dims == 4 and field == 16)
        rows.append(dict(mean=mean, level=level, by=by, neighbors=neighbors,
                         own=stream.take("b") / 16 if has_own else 0))
    block = block_of(count)
    blocks = (count + block - 1) // block
    table = [stream.take("II12f")[:2] for b in range(blocks)] if blocks > 1 else []
    at, places = stream.at, []
    for size, crc in table:
        assert crc == zlib.crc32(payload[at:at + size])
        places.append((at, at + size))
        at += size
    assert at == len(payload) or not table
    return (grid, morton_bits, low_x, low_y, rows), places or [(at, len(payload))]


def decode(header, payload):
    dims, count = header["dims"], header["count"]
    fields = FIELDS[dims]
    (grid, morton_bits, low_x, low_y, rows), blocks = table_of(payload, header)
    records = []
    colors = (lambda c: c) if header["colour"] == "ycbcr709" else from_luma
    gray = "gray" in header["colour"]
    for b, (begin, end) in enumerate(blocks):
        for place, v in decode_block(payload[begin:end], min(block_of(count), count - block_of(count) * b), rows, dims,
                                     fields, morton_bits):
            w11, w22 = math.exp(v[0]), math.exp(v[1])
            h = [colors([v[7 + i], v[9 + i], v[11 + i]]) for i in range(2)]
            record = [(place[0] + low_x) / 2 ** grid, (place[1] + low_y) / 2 ** grid, v[3], w11,
                      v[2] * math.sqrt(w11 * w22), w22] + colors(v[4:7])
            record += [h[i][k] for k in range(3) for i in range(2)]
            if gray:
                record = record[:7] + record[9:11]
            if dims == 3:
                record += [v[13], math.exp(v[14]), v[15], v[16]] + colors(v[17:20])
            if dims == 4:
                a11, a22 = math.exp(v[15]), math.exp(v[16])
                record += [v[13], v[14], a11, v[17] * math.sqrt(a11 * a22), a22] + v[18:22]
                ha = [colors([v[22 + i], v[24 + i], v[26 + i]]) for i in range(2)]
                record += [ha[i][k] for k in range(3) for i in range(2)]
            records.append(record)
    return records


def compare(records, header, payload):
    count, scale = header["count"], 2.0 ** header["centreFracBits"]
    assert len(records) == count
    for field in range(len(records[0])):
        kind = "i" if field < 2 else "f"
        stored = struct.unpack_from("<%d%s" % (count, kind), payload, 4 * count * field)
        for j, value in enumerate(stored):
            value = value / scale if field < 2 else value
            if abs(value - records[j][field]) > 1e-6 * (1 + abs(value)):
                sys.exit("component %d, number %d: %r, expected %r" %
                         (j, field, records[j][field], value))


def main():
    packed, plain = (parts_of(open(name, "rb").read()) for name in sys.argv[1:3])
    assert len(packed) == len(plain)
    for one, other in zip(packed, plain):
        compare(decode(*one), *other)


main()
