#!/usr/bin/env python3
"""A second opinion on what TIFF files mean: that of tifffile (C. Gohlke), on files of ImageJ's, OME's and its own
dialect whose axes, order, byte order, units and steps are drawn at random.

Usage: tiff_opinion.py SSCOPE [COUNT [SEED]]. Exit status 4 where tifffile is missing.
"""
import json
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

try:
    import numpy as np
    import tifffile
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(4)

MILLIMETERS = {"pm": 1e-9, "\u00c5": 1e-7, "angstrom": 1e-7, "nm": 1e-6, "\u00b5m": 1e-3, "um": 1e-3, "micron": 1e-3,
               "mm": 1, "cm": 10, "dm": 100, "m": 1000, "km": 1e6, "inch": 25.4, "in": 25.4}
AXES = "TZCYX"


def pages(draw, axes):
    """An array whose value says where it is."""
    shape = [draw.randint(1, 4) if axis in "TZC" else draw.randint(3, 6) for axis in axes]
    return np.arange(np.prod(shape), dtype=draw.choice(["u1", "u2", "f4"])).reshape(shape)


def some_axes(draw, letters="TZC"):
    return "".join(axis for axis in letters if draw.random() < 0.6) + "YX"


def shuffled(draw):
    leading = list(some_axes(draw)[:-2])
    draw.shuffle(leading)
    return "".join(leading) + "YX"


def image_j(draw, path):
    axes = some_axes(draw)
    meta = {"axes": axes, "unit": draw.choice(["micron", "um", "nm", "mm", "cm", "inch", "pixel"])}
    if draw.random() < 0.8:
        meta["spacing"] = round(draw.uniform(0.1, 5), 4)
    if draw.random() < 0.3:
        meta["finterval"] = round(draw.uniform(0.1, 5), 3)
    tifffile.imwrite(path, pages(draw, axes), imagej=True, byteorder=draw.choice("<>"), metadata=meta,
                     resolution=(1 / draw.uniform(0.1, 5), 1 / draw.uniform(0.1, 5)),
                     resolutionunit=draw.choice([1, 2, 3]))


def shaped(draw, path):
    axes = shuffled(draw)
    meta = {"axes": axes, "unit": draw.choice(["um", "nm", "mm"])}
    if draw.random() < 0.7:
        meta["spacing"] = round(draw.uniform(0.1, 5), 4)
    tifffile.imwrite(path, pages(draw, axes), photometric="minisblack", byteorder=draw.choice("<>"), metadata=meta,
                     resolution=(draw.uniform(0.2, 9), draw.uniform(0.2, 9)), resolutionunit=draw.choice([1, 2, 3]),
                     bigtiff=draw.random() < 0.2, compression=draw.choice([None, "zlib"]))


def ome(draw, path):
    axes = shuffled(draw)
    meta = {"axes": axes}
    for axis in "XYZ":
        if axis in "XY" or draw.random() < 0.8:
            meta[f"PhysicalSize{axis}"] = round(draw.uniform(0.01, 9), 5)
            if draw.random() < 0.8:
                meta[f"PhysicalSize{axis}Unit"] = draw.choice(["pm", "\u00c5", "nm", "\u00b5m", "mm", "cm", "dm", "m", "in"])
    if draw.random() < 0.3:
        meta["TimeIncrement"] = round(draw.uniform(0.1, 5), 3)
    tifffile.imwrite(path, pages(draw, axes), ome=True, photometric="minisblack", byteorder=draw.choice("<>"),
                     metadata=meta)
    xml = tifffile.tiffcomment(path)
    planes = len(tifffile.TiffFile(path).pages)
    if draw.random() < 0.5:  # each plane named, in another order than its page
        sizes = {axis: int(re.search(rf'Size{axis}="(\d+)"', xml)[1]) for axis in "TZC"}
        places = [(t, z, c) for t in range(sizes["T"]) for z in range(sizes["Z"]) for c in range(sizes["C"])]
        draw.shuffle(places)
        blocks = "".join(f'<TiffData FirstT="{t}" FirstZ="{z}" FirstC="{c}" IFD="{i}" PlaneCount="1"/>'
                         for i, (t, z, c) in enumerate(places[:planes]))
        xml = re.sub(r"<TiffData[^>]*?(/>|>.*?</TiffData>)", blocks, xml, count=1, flags=re.S)
    if draw.random() < 0.5:  # another prefix
        xml = re.sub(r"<(/?)(?=[A-Z])", r"<\1ns0:", xml).replace("xmlns=", "xmlns:ns0=")
    if draw.random() < 0.5:  # other quotes and line breaks
        xml = re.sub(r'(\w+)="([^"\']*)"', r"\1='\2'", xml).replace(" Size", "\n  Size")
    tifffile.tiffcomment(path, xml.encode())


DIALECTS = {"imagej": image_j, "shaped": shaped, "ome": ome}


def their_steps(tiff, dialect):
    """Millimeters a step along x, y, z; None where the file gives none."""
    page = tiff.pages[0]
    steps = [None, None, None]
    if dialect == "ome":
        pixels = tifffile.xml2dict(tiff.ome_metadata)["OME"]["Image"]["Pixels"]
        for a, axis in enumerate("XYZ"):
            size = pixels.get(f"PhysicalSize{axis}")
            if size:
                steps[a] = size * MILLIMETERS[pixels.get(f"PhysicalSize{axis}Unit", "\u00b5m")]
        return steps
    meta = tiff.imagej_metadata if dialect == "imagej" else tiff.shaped_metadata[0]
    unit = MILLIMETERS.get(meta.get("unit"))
    if dialect == "imagej" or page.resolutionunit == 1:
        plane = unit
    else:
        plane = {2: 25.4, 3: 10}[page.resolutionunit]
    if plane:
        steps[:2] = [plane / float(r) for r in page.resolution]
    if unit and "spacing" in meta:
        steps[2] = meta["spacing"] * unit
    return steps


def ordered(array, axes):
    """As T, Z, Y, X and all channels."""
    for axis in AXES:
        if axis not in axes:
            array, axes = array[np.newaxis], axis + axes
    return np.moveaxis(np.transpose(array, [axes.index(axis) for axis in AXES]), 2, -1)


def differences(program, dialect, draw, folder, number):
    path = folder / f"{number}{'.ome' if dialect == 'ome' else ''}.tif"
    DIALECTS[dialect](draw, path)
    result = folder / f"{number}.npy"
    said = subprocess.run([program, "info", path, "--json"], capture_output=True, text=True)
    if said.returncode:
        return [said.stderr.strip()]
    info = json.loads(said.stdout)
    with tifffile.TiffFile(path) as tiff:
        series = tiff.series[0]
        theirs, steps = ordered(series.asarray(), series.axes), their_steps(tiff, dialect)
    found = []
    size = [info["frames"], *reversed(info["dimensions"]), info["components"] // info["frames"]]
    if size != list(theirs.shape):
        found.append(f"axes {size}, not {list(theirs.shape)}")
    elif dialect == "ome" or number % 4 == 0:
        made = subprocess.run([program, "convert", path, "-o", result], capture_output=True, text=True)
        if made.returncode or not np.array_equal(np.load(result).reshape(theirs.shape), theirs):
            found.append(made.stderr.strip() or "its planes are elsewhere")
    for a, step in enumerate(steps):
        ours = info["spacing"][a] * MILLIMETERS.get(info["unit"], float("nan"))
        assumed = info["steps"][a] == "assumed" or info["unit"] not in MILLIMETERS
        if step is None and not assumed:
            found.append(f"a step along {'xyz'[a]} that nobody gave: {ours} mm")
        elif step is not None and (assumed or abs(ours - step) > 1e-5 * step):
            found.append(f"steps along {'xyz'[a]} of {ours} mm, not {step}")
    path.unlink()
    result.unlink(missing_ok=True)
    return [f"{what}; {info['notices']}" for what in found]


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 500
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**9)
    print(f"seed {seed}, {count} files, tifffile {tifffile.__version__}")
    bad = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as workers:
        jobs = [(list(DIALECTS)[n % 3], random.Random(seed * 100003 + n), n) for n in range(count)]
        results = workers.map(lambda job: differences(program, job[0], job[1], Path(folder), job[2]), jobs)
        for (dialect, _, number), found in zip(jobs, results):
            bad += bool(found)
            for what in found[: 3 if bad <= 10 else 0]:
                print(f"FAILED: {dialect} {number}: {what}")
    print(f"{count - bad} of {count} files mean the same")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
