#!/usr/bin/env python3
"""A second opinion on Zarr: stores that zarr-python made, of both versions, all codecs, orders of bytes and of axes,
shards, missing chunks and kinds of keys, and their places as OME-Zarr defines them; stores that sscope wrote, as
zarr-python reads them, and valid as ome-zarr-models has it.

Usage: zarr_opinion.py SSCOPE [STORES] [SEED]. Exit status 4 where one of the packages is missing.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numcodecs
    import numpy as np
    import zarr
    from ome_zarr_models import open_ome_zarr
    from zarr.codecs import (BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec)
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(4)

TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "b1"]
AXES = ["yx", "zyx", "cyx", "tyx", "tzyx", "czyx", "tczyx", "tcyx"]
# Words of files, and ours.
UNITS = [("micrometer", "um"), ("nanometer", "nm"), ("millimeter", "mm"), ("angstrom", "angstrom"), ("", "")]


def call(program, *words):
    run = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}: {run.stderr.strip()}")
    return run.stdout


def info(program, name):
    return json.loads(call(program, "info", name, "--json"))


def voxels(program, name, folder):
    """As z, y, x, component."""
    header = Path(folder) / "read.json"
    call(program, "convert", name, "-o", header)
    described = json.loads(header.read_text())
    kind = {"u8": "u1", "i8": "i1", "u16": "u2", "i16": "i2", "u32": "u4", "i32": "i4", "f32": "f4", "f64": "f8"}
    size = described["size"]
    data = np.fromfile(header.with_suffix(".raw"), "<" + kind[described["type"]])
    return data.reshape(size[2], size[1], size[0], described.get("components", 1))


def as_voxels(values, axes):
    """The same of an array with these axes: t and c become components, t slowest."""
    for axis in "tczyx":
        if axis not in axes:
            values, axes = values[np.newaxis], axis + axes
    values = np.transpose(values, [axes.index(a) for a in "zyxtc"])
    return values.reshape(values.shape[:3] + (-1,))


def random_values(rng, shape, dtype):
    kind = np.dtype(dtype).kind
    if kind == "f":
        return rng.normal(size=shape).astype(dtype)
    if kind == "b":
        return rng.random(shape) < 0.5
    limits = np.iinfo(dtype)
    if np.dtype(dtype).itemsize == 8:  # what 32 bits hold, or what they do not, and doubles do
        most = int(rng.choice([2**31 - 1, 2**52]))
        return rng.integers(max(limits.min, -most), most, size=shape).astype(dtype)
    return rng.integers(limits.min, limits.max, size=shape, endpoint=True).astype(dtype)


def fill_of(deal, dtype):
    kind = np.dtype(dtype).kind
    if kind == "f":
        return deal("real fill", [0.0, 1.5, np.nan, np.inf, -np.inf])
    return deal("truth fill", [True, False]) if kind == "b" else deal("whole fill", [0, 1, 100])


class Deck:
    """Deals the values of each choice in turns, each round shuffled: all occur, and all together."""

    def __init__(self, rng):
        self.rng = rng
        self.left = {}

    def __call__(self, name, values):
        rest = self.left.setdefault(name, [])
        if not rest:
            rest.extend(self.rng.permutation(len(values)))
        return values[rest.pop()]


def second(deal, dtype):
    packed = deal("compressor", [None, "zlib", "gzip", "zstd", "lz4", "blosc", "blosc"])
    if packed == "blosc":
        packed = numcodecs.Blosc(deal("cname", ["zstd", "lz4", "lz4hc", "zlib", "blosclz"]), 5, deal("shuffle", [0, 1, 2]))
    elif packed:
        packed = {"zlib": numcodecs.Zlib, "gzip": numcodecs.GZip, "zstd": numcodecs.Zstd, "lz4": numcodecs.LZ4}[packed]()
    order = deal("endian", "<>") if np.dtype(dtype).itemsize > 1 else "|"
    return order + dtype, {"zarr_format": 2, "compressors": packed, "order": deal("order", "CF"), "filters": None,
                           "chunk_key_encoding": {"name": "v2", "separator": deal("separator", "./")}}


def third(rng, deal, dtype, chunk):
    endian = BytesCodec(endian=deal("endian3", ["little", "big"]) if np.dtype(dtype).itemsize > 1 else None)
    packed = deal("codecs", ["none", "gzip", "zstd", "crc32c", "both", "blosc"])
    blosc = BloscCodec(cname=deal("cname3", ["zstd", "lz4", "lz4hc", "zlib", "blosclz"]),
                       shuffle=deal("shuffle3", ["shuffle", "bitshuffle", "noshuffle"]))
    packed = {"none": (), "gzip": (GzipCodec(level=3),), "zstd": (ZstdCodec(level=3),), "crc32c": (Crc32cCodec(),),
              "both": (ZstdCodec(level=1), Crc32cCodec()), "blosc": (blosc,)}[packed]
    turned = [TransposeCodec(order=tuple(int(a) for a in rng.permutation(len(chunk))))] if deal("turn", [False, True]) else []
    how = {"zarr_format": 3, "chunk_key_encoding": {"name": deal("keys", ["default", "v2"]), "separator": deal("separator3", "/.")}}
    if deal("shards", [False, True]):
        shards = tuple(int(c * f) for c, f in zip(chunk, rng.integers(1, 4, size=len(chunk))))
        table = [BytesCodec(), Crc32cCodec()] if deal("checked", [True, True, False]) else [BytesCodec()]
        how["serializer"] = ShardingCodec(chunk_shape=chunk, codecs=[*turned, endian, *packed], index_codecs=table,
                                          index_location=deal("table", ["end", "start"]))
        return how | {"compressors": None, "filters": None}, shards
    return how | {"serializer": endian, "compressors": packed, "filters": turned or None}, chunk


def close(a, b):
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


def make(rng, deal, n, folder):
    """A store, and what is to be read from it: values, names of axes, and of places what there is."""
    ome = deal("ome", [True, True, False])
    path = Path(folder) / f"{n}.{'ome.' if ome else ''}zarr"
    axes = deal("axes", AXES) if ome else deal("plain axes", AXES + ["xyz", "zyxc", "zyxtc"])
    dtype = deal("type", TYPES)
    shape = tuple(int(rng.integers(1, 4)) if a in "tc" else int(rng.integers(2, 14)) for a in axes)
    chunk = tuple(int(rng.integers(1, s + 3)) for s in shape)
    version = deal("version", [2, 3])
    made = dtype
    if version == 2:
        made, how = second(deal, dtype)
    else:
        how, chunk = third(rng, deal, dtype, chunk)
        if not ome:
            how["dimension_names"] = list(axes)
    array = zarr.create_array(store=str(path / "0" if ome else path), shape=shape, chunks=chunk, dtype=made,
                              fill_value=fill_of(deal, dtype), **how)
    values = random_values(rng, shape, dtype)
    part = tuple(slice(0, max(1, s // 2)) for s in shape) if deal("sparse", [True, False, False]) else ...
    array[part] = values[part]  # what is not written may have no chunk
    expected = {"values": np.asarray(array[...]), "axes": axes}
    if not ome:
        if version == 2:
            array.attrs["_ARRAY_DIMENSIONS"] = list(axes)
        return path, expected
    word, unit = deal("unit", UNITS)
    scale = [float(s) for s in rng.uniform(0.1, 4, size=len(axes)).round(3)]
    place = [float(s) for s in rng.uniform(-9, 9, size=len(axes)).round(3)]
    again = [float(s) for s in rng.uniform(0.5, 2, size=len(axes)).round(3)]
    kinds = {"t": "time", "c": "channel"}
    image = {"name": "made", "axes": [{"name": a, "type": kinds.get(a, "space")} | ({"unit": word} if a in "zyx" and word else {})
                                      | ({"unit": "second"} if a == "t" else {}) for a in axes],
             "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": scale},
                                                                      {"type": "translation", "translation": place}]}]}
    if deal("again", [True, False]):
        image["coordinateTransformations"] = [{"type": "scale", "scale": again}]
    else:
        again = [1.0] * len(axes)
    labels = [f"stain {k}" for k in range(shape[axes.index("c")])] if "c" in axes else []
    extra = {"omero": {"channels": [{"label": text, "color": "FFFFFF",
                                     "window": {"min": 0, "max": 1, "start": 0, "end": 1}} for text in labels]}} if labels else {}
    if version == 2:
        (path / ".zgroup").write_text(json.dumps({"zarr_format": 2}))
        (path / ".zattrs").write_text(json.dumps({"multiscales": [image | {"version": "0.4"}]} | extra))
    else:
        (path / "zarr.json").write_text(json.dumps({"zarr_format": 3, "node_type": "group", "attributes": {
            "ome": {"version": "0.5", "multiscales": [image]} | extra}}))
    of_axis = {a: (s * f, p * f) for a, s, p, f in zip(axes, scale, place, again)}
    expected |= {"unit": unit, "spacing": {a: of_axis[a][0] for a in axes}, "origin": {a: of_axis[a][1] for a in axes},
                 "labels": labels}
    return path, expected


def compare(program, path, expected, folder):
    described = info(program, path)
    got = voxels(program, path, folder)
    wanted = as_voxels(expected["values"], expected["axes"])
    assert got.shape == wanted.shape, f"{got.shape}, not {wanted.shape}"
    if wanted.dtype.kind == "f":
        assert np.array_equal(got.astype("f8"), wanted.astype("f8"), equal_nan=True), "other values"
    else:
        assert np.array_equal(got.astype("f8"), wanted.astype("f8")), "other values"
    if "spacing" not in expected:
        return
    assert described["unit"] == expected["unit"], f"unit {described['unit']}, not {expected['unit']}"
    for k, axis in enumerate("xyz"):
        if axis in expected["spacing"]:
            assert close(described["spacing"][k], expected["spacing"][axis]), f"spacing {described['spacing']}, {expected['spacing']}"
            assert close(described["origin"][k], expected["origin"][axis]), f"origin {described['origin']}, {expected['origin']}"


def put(rng, folder, name, dtype, shape, frames=1):
    """Raw + JSON, z y x c, and its values as t c z y x."""
    values = random_values(rng, shape, dtype)
    values.tofile(Path(folder) / f"{name}.raw")
    kind = {"u1": "u8", "i1": "i8", "u2": "u16", "i2": "i16", "u4": "u32", "i4": "i32", "f4": "f32", "f8": "f64"}[dtype]
    (Path(folder) / f"{name}.json").write_text(json.dumps({
        "schema": "stencilscope.volume/1", "size": [shape[2], shape[1], shape[0]], "components": shape[3], "type": kind,
        "spacing": [0.5, 0.25, 2], "origin": [1, 2, 3], "unit": "um", "data": f"{name}.raw"}))
    return np.moveaxis(values.reshape(shape[:3] + (frames, -1)), (3, 4), (0, 1))


def halved(values):
    """Means of blocks of two along the last three axes, incomplete ones at the ends."""
    values = values.astype("f8")
    for axis in (-3, -2, -1):
        n = values.shape[axis]
        if n == 1:
            continue
        ends = np.add.reduceat(values, np.arange(0, n, 2), axis=axis)
        count = np.add.reduceat(np.ones(n), np.arange(0, n, 2))
        values = ends / np.expand_dims(count, tuple(range(1, -axis)))
    return values


def write(program, rng, deal, n, folder):
    """A store that sscope writes, as other programs see it."""
    dtype = deal("written", ["u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"])
    shape = deal("shape", [(5, 6, 7, 1), (1, 9, 8, 1), (3, 40, 600, 1), (1, 300, 280, 3), (70, 65, 3, 2), (1, 1, 9, 1)])
    version = deal("ome version", ["0.4", "0.5"])
    values = put(rng, folder, f"w{n}", dtype, shape)
    store = Path(folder) / f"w{n}.ome.zarr"
    call(program, "convert", Path(folder) / f"w{n}.json", "-o", store, "--zarr", version,
         *(["--compress"] if deal("compress", [False, True]) else []))
    group = zarr.open_group(str(store), mode="r")
    model = open_ome_zarr(group)
    name = type(model).__module__ + "." + type(model).__name__
    assert f"v0{version[-1]}" in name and name.endswith("Image"), f"it is taken for {name}"
    ome = group.attrs["ome"] if version == "0.5" else dict(group.attrs)
    image = ome["multiscales"][0]
    axes = [axis["name"] for axis in image["axes"]]
    wanted = values[0] if shape[3] > 1 else values[0, 0]
    first = np.asarray(group["0"][...])
    assert np.array_equal(first, wanted, equal_nan=True), "zarr-python reads other values"
    assert axes[-3:] == ["z", "y", "x"], f"axes {axes}"
    transforms = {each["type"]: each[each["type"]] for each in image["datasets"][0]["coordinateTransformations"]}
    assert transforms["scale"][-3:] == [2, 0.25, 0.5] and transforms["translation"][-3:] == [3, 2, 1], f"{transforms}"
    assert [axis.get("unit") for axis in image["axes"]][-3:] == ["micrometer"] * 3
    for level in range(1, len(image["datasets"])):
        above, below = np.asarray(group[str(level - 1)][...]), np.asarray(group[str(level)][...])
        means = halved(above)
        assert below.shape == means.shape, f"level {level} is {below.shape}, not {means.shape}"
        error = np.abs(below.astype("f8") - means).max() / max(1, np.abs(means).max())
        assert error <= (1e-6 if dtype[0] == "f" else 0.5 / max(1, np.abs(means).max()) + 1e-12), f"level {level}: {error}"


def main():
    program = sys.argv[1]
    stores = int(sys.argv[2]) if len(sys.argv) > 2 else 120
    rng = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    deal = Deck(rng)
    wrong = 0
    written = max(1, stores // 5)
    with tempfile.TemporaryDirectory() as folder:
        for n in range(stores + written):
            try:
                if n < stores:
                    path, expected = make(rng, deal, n, folder)
                    compare(program, path, expected, folder)
                else:
                    write(program, rng, deal, n, folder)
            except AssertionError as error:
                wrong += 1
                print(f"{n}: {error}")
    print(f"{stores} stores read, {written} written, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
