#!/usr/bin/env python3
"""A second opinion on files that say how they were made: ITK, nibabel, tifffile, h5py, NumPy and Pillow read them with
the same voxels and places as files that do not say it, find the text, and no folder, date or name of user or host is in
them.

Usage: provenance_opinion.py SSCOPE. Exit status 4 where one of the programs is missing.
"""
import datetime
import getpass
import json
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import h5py
    import nibabel
    import numpy as np
    import SimpleITK as sitk
    import tifffile
    from PIL import Image, PngImagePlugin
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(4)

KEY = "stencilscope.provenance"


def of_itk(path):
    image = sitk.ReadImage(str(path))
    keys = {key: image.GetMetaData(key) for key in image.GetMetaDataKeys()}
    return sitk.GetArrayFromImage(image), (image.GetSpacing(), image.GetOrigin(), image.GetDirection()), keys


def itk_nrrd(path):
    values, place, keys = of_itk(path)
    return values, (place,), keys[KEY].replace("\\\\", "\\")


def itk_meta(path):
    values, place, keys = of_itk(path)
    pieces = [keys[f"StencilscopeProvenance{n}"] for n in range(1000) if f"StencilscopeProvenance{n}" in keys]
    return values, (place,), "".join(piece.strip()[1:-1] for piece in pieces)


def itk_hdf5(path):
    values, place, _ = of_itk(path)
    with h5py.File(path) as file:
        text = file.attrs[KEY]
        assert np.array_equal(np.squeeze(file["/ITKImage/0/VoxelData"][()]), values)
    return values, (place,), text.decode() if isinstance(text, bytes) else str(text)


def of_nibabel(path):
    image = nibabel.load(str(path))
    texts = [e.get_content() for e in image.header.extensions if e.get_code() == 6]
    assert len(texts) == 1
    itk_values, place, _ = of_itk(path)
    values = np.asarray(image.dataobj).T
    assert np.array_equal(values, itk_values)
    text = texts[0]
    return values, (place, image.affine.tolist()), (text.decode() if isinstance(text, bytes) else text).rstrip("\0")


def of_tifffile(path):
    with tifffile.TiffFile(path) as file:
        values = file.asarray()
        if file.is_ome:
            text = re.search(KEY + '"><Value>(.*?)</Value>', file.ome_metadata).group(1)
            place = re.findall(r'PhysicalSize\w+="[^"]*"', file.ome_metadata)
        else:
            assert file.is_imagej
            text = file.imagej_metadata[KEY]
            place = file.imagej_metadata["spacing"]
    assert np.array_equal(np.squeeze(of_itk(path)[0]), np.squeeze(values))
    return values, place, text


def of_numpy(path):
    archive = np.load(path)
    return archive["arr_0"], None, str(archive["provenance"])


def of_pillow(path):
    image = Image.open(path)
    image.load()
    if path.suffix == ".png":
        text = image.text[KEY]
    else:
        text = image.info["comment"].decode().split("=", 1)[1]
    return np.asarray(image), None, text


def of_vtk(path):
    """Without VTK in this Python: by its definition, XML with a raw end."""
    content = path.read_bytes()
    numbers = re.search(rb'Name="' + KEY.encode() + rb'"[^>]*>([\d\s]*)</Array>', content).group(1).split()
    assert numbers[-1] == b"0"
    start = content.index(b"_", content.index(b"<AppendedData")) + 1
    values = np.frombuffer(content, np.float32, int.from_bytes(content[start:start + 8], "little") // 4, start + 8)
    place = re.search(rb'<ImageData [^>]*>', content).group(0)
    return values, place, bytes(int(n) for n in numbers[:-1]).decode()


def of_json(path):
    text = json.loads(path.with_suffix(".json").read_text())
    made = text.pop("provenance")
    text.pop("data")
    return np.fromfile(path.with_suffix(".raw"), np.float32), text, json.dumps(made)


READERS = {"v.nrrd": itk_nrrd, "d.nhdr": itk_nrrd, "a.mha": itk_meta, "m.mhd": itk_meta, "n.nii": of_nibabel,
           "z.nii.gz": of_nibabel, "h.h5": itk_hdf5, "t.tif": of_tifffile, "o.ome.tif": of_tifffile, "x.vti": of_vtk,
           "r.raw": of_json, "y.npz": of_numpy, "p.png": of_pillow, "q.jpg": of_pillow}


def others(folder, info):
    """What other programs make of such files is said to be unreadable, or not of their arrays."""
    text = of_pillow(folder / "p.png")[2]
    with h5py.File(folder / "h.h5", "r+") as file:
        del file.attrs[KEY]
        file.attrs[KEY] = np.arange(3)
    packed = PngImagePlugin.PngInfo()
    packed.add_itxt(KEY, text, zip=True)
    Image.open(folder / "p.png").save(folder / "packed.png", pnginfo=packed)
    for out in ("h.h5", "packed.png"):
        said = info(out)
        assert "provenance" not in said and any("how it was made is left out" in n for n in said["notices"]), (out, said)
    with h5py.File(folder / "names.h5", "w") as file:
        for name in ("a,b@t=1", "100%", "\u202ex"):
            file["e/" + name] = np.arange(12.0).reshape(3, 4)
    parts = info("names.h5")["parts"]
    assert len(parts) == 3
    for part in parts:
        assert info("names.h5" + part["selector"])["dimensions"] == [4, 3, 1], part
    np.savez(folder / "other.npz", mask=np.ones((4, 5)), provenance=text)
    said = info("other.npz")
    assert "provenance" not in said and not any("changed" in n for n in said["notices"]), said


def main():
    program = sys.argv[1]
    quiet = {"capture_output": True, "text": True}

    def sscope(*arguments):
        done = subprocess.run([program, *map(str, arguments)], check=False, **quiet)
        assert done.returncode == 0, done.stderr

    with tempfile.TemporaryDirectory(prefix="provenance-of-") as name:
        folder = Path(name)
        sscope("sample", "foam", "--size", 21, "-o", folder / "in.nrrd")
        sscope("convert", folder / "in.nrrd", "-o", folder / "image.nrrd", "--crop", ":,:,3:4", "--type", "u8")
        # Long, so that it takes many lines where a format has lines.
        taps = ",".join(str(round(1 / (k + 3), 6)) for k in range(343))
        for out, read in READERS.items():
            picture = out.startswith(("p.", "q."))
            data = folder / ("image.nrrd" if picture else "in.nrrd")
            bank = "gaussian:sigma=1.2,name=\u00b5 of two" if picture else f"custom:size=[7,7,7],taps=[{taps}],name=long <&>"
            sscope("filter", data, "--filter", bank, "--boundary", "mirror", "--output-type", "u8" if picture else "f32",
                   "-o", folder / out)
            values, place, text = read(folder / out)
            made = json.loads(text)
            assert made["schema"] == KEY + "/1" and made["command"] == "filter", out
            info = json.loads(subprocess.run([program, "info", str(folder / out), "--json"], check=True, **quiet).stdout)
            assert info["provenance"] == made, out
            # Where ITK's libraries have the voxels, and where the input had them.
            if isinstance(place, tuple):
                assert np.allclose(place[0][0], info["spacing"]) and np.allclose(place[0][1], info["origin"]), out
            if out != "q.jpg":
                again = subprocess.run([program, "run", str(folder / out)], check=False, **quiet)
                assert again.returncode == 0 and "equal bits" in again.stdout, (out, again.stderr)
            content = b"".join(path.read_bytes() for path in folder.glob(out.split(".", 1)[0] + ".*"))
            now = datetime.datetime.now(datetime.timezone.utc)
            for word in (folder.name, str(Path.home()), socket.gethostname(), getpass.getuser(), now.strftime("%Y-%m-%d"),
                         now.strftime("%b %d")):
                if len(word) > 4:
                    assert word.encode() not in content, (out, word)
            # As read from .npy and .nrrd, which the others are compared with.
            sscope("convert", folder / out, "-o", folder / "plain.npy")
            plain = np.load(folder / "plain.npy")
            assert np.array_equal(np.ravel(np.squeeze(values)), np.ravel(np.squeeze(plain))), out
            print(f"{out}: equal voxels, {len(text)} characters")
        others(folder, lambda out: json.loads(
            subprocess.run([program, "info", str(folder / out), "--json"], check=True, **quiet).stdout))


main()
