#!/usr/bin/env python3
"""A second opinion on what is written: files of every writer, read by other programs' libraries, which have to find the
same values, types, axes, spacing, origin, direction and unit of random volumes.

Usage: writers_opinion.py SSCOPE [VOLUMES [SEED]]. Exit status 4 where one of numpy, SimpleITK, nibabel and tifffile is
missing; other libraries are used where they are there, and named.
"""
import json
import random
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

try:
    import nibabel
    import numpy as np
    import SimpleITK as sitk
    import tifffile
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(4)

MILLIMETERS = {"millimeter": 1, "mm": 1, "um": 1e-3, "micron": 1e-3, "\u00b5m": 1e-3, "micrometer": 1e-3, "nm": 1e-6, "angstrom": 1e-7}
TYPES = {"u8": "u1", "i8": "i1", "u16": "u2", "i16": "i2", "u32": "u4", "i32": "i4", "f32": "f4", "f64": "f8"}
NRRD_TYPES = {"u8": "uint8", "i8": "int8", "u16": "uint16", "i16": "int16", "u32": "uint32", "i32": "int32",
              "f32": "float", "f64": "double"}


class Truth:
    """A volume as (t, z, y, x, c), and where its voxels lie, in millimeters and LPS."""

    def __init__(self, draw, type_=None, flat=False, components=1, frames=1, turned=True):
        self.type = type_ or draw.choice(list(TYPES))
        rng = np.random.default_rng(draw.randrange(2**32))
        shape = (frames, 1 if flat else draw.randint(2, 5), draw.randint(2, 6), draw.randint(2, 7), components)
        kind = np.dtype(TYPES[self.type])
        if kind.kind == "f":
            self.values = rng.normal(size=shape).astype(kind)
        else:
            low, high = np.iinfo(kind).min, np.iinfo(kind).max
            self.values = rng.integers(low, high, size=shape, dtype=kind, endpoint=True)
        self.unit = draw.choice(["mm", "um"])
        self.spacing = np.array([round(draw.uniform(0.2, 4), 4) for _ in range(3)])
        self.direction = np.eye(3)
        if turned:
            self.direction, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        self.origin = np.array([round(draw.uniform(-50, 50), 3) for _ in range(3)])
        self.seconds = round(draw.uniform(0.1, 3), 3)

    def write(self, path):
        t, z, y, x, c = self.values.shape
        vectors = " ".join("(" + ",".join(repr(float(v)) for v in self.direction[:, a] * self.spacing[a]) + ")"
                           for a in range(3))
        sizes, kinds, none, spacings = [x, y, z], ["domain"] * 3, "", ["nan"] * 3
        if t > 1:
            sizes, kinds, none, spacings = [t] + sizes, ["list"] + kinds, "none ", [str(self.seconds)] + spacings
        if c > 1:
            sizes, kinds, none, spacings = [c] + sizes, ["vector"] + kinds, "none " + none, ["nan"] + spacings
        unit = f'"{self.unit}"'
        origin = ",".join(repr(float(v)) for v in self.origin)
        header = ["NRRD0005", f"type: {NRRD_TYPES[self.type]}", f"dimension: {len(sizes)}",
                  "space: left-posterior-superior", "sizes: " + " ".join(map(str, sizes)),
                  f"space directions: {none}{vectors}", "kinds: " + " ".join(kinds), "endian: little", "encoding: raw",
                  f"space origin: ({origin})", f"space units: {unit} {unit} {unit}"]
        if t > 1:
            header.append("spacings: " + " ".join(spacings))
        data = np.transpose(self.values, (1, 2, 3, 0, 4))  # z, y, x, t, c
        path.write_bytes(("\n".join(header) + "\n\n").encode() + data.tobytes())

    @property
    def millimeters(self):
        return MILLIMETERS[self.unit]


# Each reader returns what its library reports: values as (t, z, y, x, c), and of spacing, origin, direction and unit what
# the library knows. Lengths are in the file's unit.


def framed(array, axes):
    """`axes` of the array, as letters; those that are not there are 1."""
    for axis in "tzyxc":
        if axis not in axes:
            array, axes = array[..., np.newaxis], axes + axis
    return np.transpose(array, [axes.index(axis) for axis in "tzyxc"])


def by_sitk(path, truth):
    image = sitk.ReadImage(str(path))
    n = image.GetDimension()
    array = sitk.GetArrayFromImage(image)
    parts = image.GetNumberOfComponentsPerPixel()
    t = truth.values.shape[0]
    if n == 4:  # NIfTI's time
        values = framed(array, "tzyxc" if parts > 1 else "tzyx")
    elif t > 1 and parts > 1:  # as components, channels fastest
        values = framed(array.reshape(array.shape[:-1] + (t, parts // t)), "zyxtc" if n == 3 else "yxtc")
    else:
        values = framed(array, ("zyx" if n == 3 else "yx") + ("c" if parts > 1 else ""))
    k = min(n, 3)
    direction = np.eye(3)
    direction[:k, :k] = np.reshape(image.GetDirection(), (n, n))[:k, :k]
    if path.suffix == ".png":
        return {"values": values}
    # It knows no units, and of the third axis of a plane nothing in some formats.
    unit = {".nrrd": truth.unit, ".nhdr": truth.unit, ".mrc": "angstrom"}.get(path.suffix, "mm")
    found = {"values": values, "spacing": image.GetSpacing()[:k], "origin": image.GetOrigin()[:k], "unit": unit}
    return found | {"direction": direction} if k == 3 else found


def by_pynrrd(path, truth):
    import nrrd
    array, header = nrrd.read(str(path), index_order="C")
    kinds = [{"domain": "s", "list": "t", "vector": "c"}[k] for k in header["kinds"]]
    letters = "".join(reversed("".join(kinds))).replace("sss", "zyx")
    directions = np.array(header["space directions"][-3:])
    spacing = np.linalg.norm(directions, axis=1)
    return {"values": framed(array, letters), "spacing": spacing, "origin": header["space origin"],
            "direction": (directions / spacing[:, None]).T, "unit": header["space units"][0]}


def by_vtk(path, truth):
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
    vtk.vtkObject.GlobalWarningDisplayOff()
    name = path.name
    kind = (vtk.vtkXMLImageDataReader if name.endswith(".vti") else vtk.vtkStructuredPointsReader
            if name.endswith(".vtk") else vtk.vtkNIFTIImageReader if ".nii" in name else vtk.vtkPNGReader if name.endswith(".png") else vtk.vtkMetaImageReader)
    reader = kind()
    reader.SetFileName(str(path))
    if ".nii" in name:
        reader.TimeAsVectorOn()
    reader.Update()
    image = reader.GetOutput()
    scalars = image.GetPointData().GetArray(0)
    array = vtk_to_numpy(scalars)
    x, y, z = image.GetDimensions()
    parts = scalars.GetNumberOfComponents()
    array = array.reshape(z, y, x, parts)
    t = truth.values.shape[0]
    found = {"values": framed(array.reshape(z, y, x, t, parts // t), "zyxtc") if parts % t == 0 else array}
    if name.endswith(".png"):
        found["values"] = found["values"][:, :, ::-1]  # its rows begin below
    if name.endswith((".vti", ".vtk", ".mha", ".mhd")):
        found |= {"spacing": image.GetSpacing(), "origin": image.GetOrigin()}
        if name.endswith(".vti"):
            matrix = image.GetDirectionMatrix()
            found["direction"] = np.array([[matrix.GetElement(r, c) for c in range(3)] for r in range(3)])
    return found


def by_nibabel(path, truth):
    image = nibabel.load(str(path))
    array = np.asanyarray(image.dataobj)
    array = array.reshape(array.shape + (1,) * (5 - array.ndim))  # x y z t c
    affine = np.diag([-1, -1, 1, 1]) @ image.affine
    spacing = np.linalg.norm(affine[:3, :3], axis=0)
    found = {"values": np.transpose(array, (3, 2, 1, 0, 4)), "spacing": spacing, "origin": affine[:3, 3],
             "direction": affine[:3, :3] / spacing, "unit": image.header.get_xyzt_units()[0]}
    if truth.values.shape[0] > 1:
        found["seconds"] = float(image.header.get_zooms()[3])
    return found


def by_tifffile(path, truth):
    with tifffile.TiffFile(path) as tiff:
        series = tiff.series[0]
        axes = series.axes.lower().replace("s", "c").replace("i", "z").replace("q", "z")
        found = {"values": framed(series.asarray(), axes)}
        page = tiff.pages[0]
        if tiff.is_ome:
            pixels = tifffile.xml2dict(tiff.ome_metadata)["OME"]["Image"]["Pixels"]
            found["spacing"] = [pixels[f"PhysicalSize{a}"] for a in "XYZ"]
            found["unit"] = pixels["PhysicalSizeXUnit"]
            found["seconds"] = pixels.get("TimeIncrement", truth.seconds)
        else:
            meta = tiff.imagej_metadata
            found["spacing"] = [1 / float(r) if not isinstance(r, tuple) else r[1] / r[0] for r in page.resolution]
            found["spacing"].append(meta["spacing"])
            found["unit"] = meta["unit"]
            found["seconds"] = meta.get("finterval", truth.seconds)
        return found


def pages_of(truth, stack):
    """The pages of a TIFF file: channels fastest, then slices, then times; colors lie within."""
    t, z, y, x, c = truth.values.shape
    stack = np.array(stack)
    if stack.ndim == 4:
        return stack.reshape(t, z, y, x, c)
    return np.transpose(stack.reshape(t, z, c, y, x), (0, 1, 3, 4, 2))


def by_pillow(path, truth):
    from PIL import Image, ImageSequence
    with Image.open(path) as image:
        pages = [np.array(page) for page in ImageSequence.Iterator(image)]
    if path.name.endswith(".png"):
        return {"values": framed(pages[0], "yxc" if pages[0].ndim == 3 else "yx")}
    return {"values": pages_of(truth, pages)}


def by_opencv(path, truth):
    import cv2
    if path.name.endswith(".png"):
        image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if image.ndim == 3:
            image = image[..., [2, 1, 0, 3][:image.shape[2]]]
        return {"values": framed(image, "yxc" if image.ndim == 3 else "yx")}
    read, pages = cv2.imreadmulti(str(path), flags=cv2.IMREAD_UNCHANGED)
    if not read:
        raise LookupError("OpenCV found no pages")
    return {"values": pages_of(truth, [page[..., [2, 1, 0, 3][:page.shape[2]]] if page.ndim == 3 else page
                                       for page in pages])}


def by_h5py(path, truth):
    import h5py
    with h5py.File(path) as file:
        group = file["ITKImage/0"]
        array = group["VoxelData"][()]
        n = len(group["Spacing"])
        parts = truth.values.shape[0] * truth.values.shape[4]
        array = array.reshape(array.shape[:n] + (truth.values.shape[0], truth.values.shape[4])) if parts > 1 else array
        direction = np.eye(3)
        direction[:n, :n] = np.array(group["Directions"]).T
        pad = 3 - n
        return {"values": framed(array, ("zyx" if n == 3 else "yx") + ("tc" if parts > 1 else "")),
                "spacing": list(group["Spacing"]) + [1] * pad, "origin": list(group["Origin"]) + [0] * pad,
                "direction": direction}


def by_tables(path, truth):
    import tables
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with tables.open_file(str(path)) as file:
            node = file.get_node("/ITKImage/0")
            array, spacing = node.VoxelData.read(), node.Spacing.read()
    parts = truth.values.shape[0] * truth.values.shape[4]
    n = len(spacing)
    array = array.reshape(array.shape[:n] + (truth.values.shape[0], truth.values.shape[4])) if parts > 1 else array
    return {"values": framed(array, ("zyx" if n == 3 else "yx") + ("tc" if parts > 1 else "")),
            "spacing": list(spacing) + [1] * (3 - n)}


def numpy_values(array, truth):
    t, z, y, x, c = truth.values.shape
    return array.reshape(t, z, y, x, c)


def by_numpy(path, truth):
    if path.suffix == ".raw":
        about = json.loads(path.with_suffix(".json").read_text())
        array = np.fromfile(path, dtype=TYPES[about["type"]])
        x, y, z = about["size"]
        t, c = truth.values.shape[0], truth.values.shape[4]
        return {"values": framed(array.reshape(z, y, x, t, c), "zyxtc"), "spacing": about["spacing"],
                "origin": about["origin"], "direction": np.reshape(about["direction"], (3, 3)), "unit": about["unit"]}
    loaded = np.load(path)
    array = loaded[loaded.files[0]] if path.suffix == ".npz" else loaded
    return {"values": numpy_values(array, truth)}


def by_mmap(path, truth):
    return {"values": numpy_values(np.load(path, mmap_mode="r"), truth)}


def by_dask(path, truth):
    import zipfile
    with zipfile.ZipFile(path) as archive:
        return {"values": numpy_values(np.lib.format.read_array(archive.open(archive.namelist()[0])), truth)}


def by_mrcfile(path, truth):
    import mrcfile
    with mrcfile.open(path) as file:
        return {"values": framed(np.array(file.data).reshape(truth.values.shape[1:4]), "zyx"),
                "spacing": [float(file.voxel_size[a]) for a in "xyz"], "unit": "angstrom",
                "origin": [float(file.header.origin[a]) for a in "xyz"]}


def by_gemmi(path, truth):
    import gemmi
    file = gemmi.read_ccp4_map(str(path))
    x, y, z = truth.values.shape[3], truth.values.shape[2], truth.values.shape[1]
    cell = file.grid.unit_cell
    return {"values": framed(np.array(file.grid, copy=True).T.reshape(z, y, x), "zyx"),
            "spacing": [cell.a / x, cell.b / y, cell.c / z], "unit": "angstrom", "loose": True}


def by_ome_types(path, truth):
    import ome_types
    pixels = ome_types.from_tiff(str(path)).images[0].pixels
    t, z, y, x, c = truth.values.shape
    sizes = [pixels.size_t, pixels.size_z, pixels.size_y, pixels.size_x, pixels.size_c]
    if sizes != [t, z, y, x, c]:
        raise AssertionError(f"sizes {sizes}")
    return {"spacing": [pixels.physical_size_x, pixels.physical_size_y, pixels.physical_size_z],
            "unit": pixels.physical_size_x_unit.value}


def ngff(path, truth, array):
    """Values and places of an image of OME-Zarr 0.4."""
    image = json.loads((path / ".zattrs").read_text())["multiscales"][0]
    letters = "".join(axis["name"] for axis in image["axes"])
    scale, shift = (next(t[kind] for t in image["datasets"][0]["coordinateTransformations"] if t["type"] == kind)
                    for kind in ("scale", "translation"))
    at = [letters.index(a) if a in letters else None for a in "xyz"]
    found = {"values": framed(array, letters), "unit": image["axes"][at[0]]["unit"],
             "spacing": [scale[i] for i in at if i is not None], "origin": [shift[i] for i in at if i is not None]}
    return found | {"seconds": scale[0]} if letters.startswith("t") else found


def by_zarr(path, truth):
    import zarr
    return ngff(path, truth, zarr.open(str(path), mode="r")["0"][...])


def by_tensorstore(path, truth):
    import tensorstore
    spec = {"driver": "zarr", "kvstore": {"driver": "file", "path": str(path / "0")}}
    return ngff(path, truth, tensorstore.open(spec).result().read().result())


def by_ome_zarr(path, truth):
    from ome_zarr.io import parse_url
    from ome_zarr.reader import Reader
    node = next(iter(Reader(parse_url(str(path)))()))
    return ngff(path, truth, np.asarray(node.data[0]))


ALL = dict(types=list(TYPES), components=[1, 2, 3, 5], frames=[1, 3], flat=True, turned=True)
PICTURE = dict(types=["u8", "u16"], components=[1, 3, 4], frames=[1], flat="only", turned=False)
FORMATS = {
    # VTK takes the first axis of NRRD for components, also in files of ITK.
    ".nrrd": (ALL, [by_sitk, by_pynrrd]),
    ".nhdr": (ALL, [by_sitk, by_pynrrd]),
    ".mha": (ALL, [by_sitk, by_vtk]),
    ".mhd": (ALL, [by_sitk, by_vtk]),
    ".nii": (ALL, [by_nibabel, by_sitk, by_vtk]),
    ".nii.gz": (ALL, [by_nibabel, by_sitk, by_vtk]),
    ".tif": (dict(ALL, turned=False), [by_tifffile, by_pillow, by_opencv]),
    ".ome.tif": (dict(ALL, turned=False), [by_tifffile, by_ome_types, by_pillow, by_opencv]),
    ".vti": (ALL, [by_vtk]),
    ".vtk": (dict(ALL, turned=False), [by_vtk, by_sitk]),
    ".h5": (ALL, [by_sitk, by_h5py, by_tables]),
    ".png": (PICTURE, [by_pillow, by_sitk, by_opencv, by_vtk]),
    ".npy": (ALL, [by_numpy, by_mmap]),
    ".npz": (ALL, [by_numpy, by_dask]),
    ".mrc": (dict(types=["i8", "i16", "u16", "f32"], components=[1], frames=[1], flat=False, turned=False),
             [by_mrcfile, by_sitk, by_gemmi]),
    ".raw": (ALL, [by_numpy]),
    ".ome.zarr": (dict(ALL, turned=False), [by_zarr, by_tensorstore, by_ome_zarr]),
}
# What a library does not read, or reads as something else by its own choice.
UNREADABLE = {
    ("by_pillow", ".png"): lambda v: v.type == "u16" and v.values.shape[4] > 1,
    ("by_vtk", ".png"): lambda v: v.type == "u16" and v.values.shape[4] > 1,
    ("by_sitk", ".nrrd"): lambda v: v.values.shape[0] > 1 and v.values.shape[4] > 1,
    ("by_sitk", ".nhdr"): lambda v: v.values.shape[0] > 1 and v.values.shape[4] > 1,
    ("by_sitk", ".nii"): lambda v: v.values.shape[0] > 1 and v.values.shape[4] > 1,
    ("by_sitk", ".nii.gz"): lambda v: v.values.shape[0] > 1 and v.values.shape[4] > 1,
    ("by_vtk", ".nii"): lambda v: v.values.shape[0] > 1 and v.values.shape[4] > 1,
    ("by_vtk", ".nii.gz"): lambda v: v.values.shape[0] > 1 and v.values.shape[4] > 1,
    ("by_pillow", ".tif"): lambda v: v.type in ("i16", "u32", "f64", "i8") or (v.values.shape[4] == 3 and v.type == "u16"),
    ("by_pillow", ".ome.tif"): lambda v: v.type in ("i16", "u32", "f64", "i8") or (v.values.shape[4] == 3 and v.type == "u16"),
    ("by_opencv", ".tif"): lambda v: v.type in ("u32", "i32", "i8"),
    ("by_opencv", ".ome.tif"): lambda v: v.type in ("u32", "i32", "i8"),
    ("by_gemmi", ".mrc"): lambda v: v.type != "f32",
    ("by_sitk", ".mrc"): lambda v: v.type == "i8",  # whose mode it takes for u8
}


def compare(found, truth, extension):
    wrong = []
    if "values" in found:
        values = found["values"]
        if values.shape != truth.values.shape:
            return [f"axes {values.shape}, not {truth.values.shape}"]
        same = np.dtype(values.dtype).newbyteorder("=") == truth.values.dtype
        if not same and not found.get("loose"):
            wrong.append(f"type {values.dtype}, not {truth.values.dtype}")
        if not np.array_equal(values, truth.values):
            wrong.append("other values")
    unit = found.get("unit", "mm")
    scale = MILLIMETERS[unit] / truth.millimeters
    tolerance = 2e-6 if ".nii" in extension or extension == ".mrc" else 1e-9
    if extension in (".tif", ".ome.tif"):
        tolerance = 1e-6
    flat = truth.values.shape[1] == 1
    for name in ("spacing", "origin"):
        if name not in found:
            continue
        ours, theirs = getattr(truth, name), np.array(found[name], dtype=float) * scale
        count = min(len(theirs), 2 if flat and extension in (".h5", ".vtk", ".tif", ".ome.tif") else 3)
        size = np.abs(truth.origin).max() if name == "origin" else 1
        if not np.allclose(theirs[:count], ours[:count], rtol=tolerance, atol=tolerance * size):
            wrong.append(f"{name} {theirs}, not {ours}")
    if "direction" in found and not np.allclose(found["direction"], truth.direction, atol=max(tolerance, 1e-6)):
        wrong.append(f"direction {found['direction'].tolist()}, not {truth.direction.tolist()}")
    if "seconds" in found and abs(found["seconds"] - truth.seconds) > 1e-6 * truth.seconds:
        wrong.append(f"{found['seconds']} s between frames, not {truth.seconds}")
    return wrong


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 12
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**9)
    print(f"seed {seed}, {count} volumes a format")
    draw, bad, absent = random.Random(seed), 0, {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for extension, (rules, readers) in FORMATS.items():
            tally = {reader.__name__: [0, 0] for reader in readers}
            for number in range(count):
                truth = Truth(draw, rules["types"][number % len(rules["types"])],
                              flat=rules["flat"] == "only" or (rules["flat"] and draw.random() < 0.25),
                              components=draw.choice(rules["components"]), frames=draw.choice(rules["frames"]),
                              turned=rules["turned"] and draw.random() < 0.7)
                if extension == ".png":
                    truth.origin[:] = 0
                source, path = folder / "in.nrrd", folder / extension.replace(".", "_") / f"{number}{extension}"
                path.parent.mkdir(exist_ok=True)
                truth.write(source)
                command = [program, "convert", str(source), "-o", str(path)]
                packs = extension in (".nrrd", ".mha", ".tif", ".ome.tif", ".npz", ".h5", ".ome.zarr")
                if packs and draw.random() < 0.3:
                    command.append("--compress")
                made = subprocess.run(command, capture_output=True, text=True, check=False)
                if made.returncode != 0:
                    bad += 1
                    print(f"FAILED: {extension}: {made.stderr.strip()}")
                    continue
                for reader in readers:
                    who = reader.__name__
                    if UNREADABLE.get((who, extension), lambda v: False)(truth):
                        continue
                    try:
                        wrong = compare(reader(path, truth), truth, extension)
                    except ImportError as missing:
                        absent[who] = str(missing)
                        continue
                    except (Exception, SystemExit) as error:  # a library that cannot read it at all
                        wrong = [f"{type(error).__name__}: {error}"]
                    tally[who][bool(wrong)] += 1
                    bad += bool(wrong)
                    for what in wrong[:2 if bad < 40 else 0]:
                        print(f"FAILED: {extension} by {who[3:]}: {what} ({truth.type} {truth.values.shape})")
            print(f"{extension:10}" + ", ".join(f"{who[3:]} {good} of {good + fails} the same"
                                               for who, (good, fails) in tally.items()))
    for who, why in absent.items():
        print(f"not asked: {who[3:]} ({why})")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
