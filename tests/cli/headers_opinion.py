#!/usr/bin/env python3
"""A second opinion on where voxels lie: NRRD and MetaImage as ITK reads them, NIfTI as nibabel does, VTI by VTK's
definition, DICOM as it was made.

Usage: headers_opinion.py SSCOPE [HEADERS] [SEED]: so many of each format, few of DICOM. Exit status 4 where one of the
programs is missing.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import nibabel
    import numpy as np
    import pydicom
    import SimpleITK as sitk
    from pydicom.dataset import FileDataset, FileMetaDataset
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(4)


def info(program, path):
    run = subprocess.run([program, "info", str(path), "--json"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise AssertionError(run.stderr.strip())
    return json.loads(run.stdout)


def affine(spacing, origin, direction):
    matrix = np.eye(4)
    matrix[:3, :3] = np.reshape(direction, (3, 3)) @ np.diag(spacing)
    matrix[:3, 3] = origin
    return matrix


def of_itk(path):
    image = sitk.ReadImage(str(path))
    n = image.GetDimension()
    direction = np.eye(3)
    direction[:n, :n] = np.reshape(image.GetDirection(), (n, n))
    pad = 3 - n
    values = sitk.GetArrayViewFromImage(image)
    return (affine(image.GetSpacing() + (1,) * pad, image.GetOrigin() + (0,) * pad, direction),
            list(image.GetSize()) + [1] * pad, float(values.min()), float(values.max()))


def rotation(rng):
    if rng.random() < 0.3:
        matrix = np.eye(3)[rng.permutation(3)]
    else:
        matrix, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return matrix * rng.choice([-1, 1], size=3)


def text(rng, value):
    return rng.choice([f"{value:.6g}", f"{value:.5e}", f" {value:.6g} "])


def mixed(rng, word):
    return "".join(rng.choice([c.lower(), c.upper()]) for c in word)


def nrrd(rng, path):
    n = int(rng.choice([2, 3]))
    sizes = [int(s) for s in rng.integers(1, 5, size=n)]
    components = int(rng.choice([1, 1, 2, 3]))
    order = str(rng.choice(["big", "little"]))
    vector = components > 1
    axes = [components] + sizes if vector else sizes
    lines = ["NRRD0004", "type: " + mixed(rng, "Short"), f"dimension: {len(axes)}", "endian: " + mixed(rng, order),
             "encoding: " + mixed(rng, "raw")]
    if n == 3 and rng.random() < 0.7:
        space = str(rng.choice(["left-posterior-superior", "right-anterior-superior", "left-anterior-superior", "LPS", "RAS",
                                "LAS", "scanner-xyz", "3D-right-handed"]))
        lines.append("space: " + mixed(rng, space))
        columns = rotation(rng) * rng.uniform(0.1, 5, size=3)
        vectors = ["(" + ",".join(text(rng, v) for v in columns[:, a]) + ")" for a in range(3)]
        lines.append("sizes: " + " ".join(map(str, axes)))
        lines.append("space directions: " + ("none " if vector else "") + " ".join(vectors))
        lines.append("space origin: (" + ",".join(text(rng, v) for v in rng.uniform(-100, 100, size=3)) + ")")
    else:
        lines.append("sizes: " + " ".join(map(str, axes)))
        none = ["nan"] if vector else []
        lines.append("spacings: " + " ".join(none + [f"{s:.5g}" for s in rng.uniform(0.1, 5, size=n)]))
        if rng.random() < 0.6:
            lines.append("axis mins: " + " ".join(none + [f"{s:.5g}" for s in rng.uniform(-9, 9, size=n)]))
            if rng.random() < 0.7:
                lines.append(str(rng.choice(["centers: ", "centerings: "])) +
                             " ".join((["???"] if vector else []) + [mixed(rng, str(rng.choice(["cell", "node"])))] * n))
    if vector:
        lines.append("kinds: " + " ".join([mixed(rng, "vector")] + [mixed(rng, "domain")] * n))
    data = np.arange(np.prod(axes), dtype=">i2" if order == "big" else "<i2")
    path.write_bytes(("\n".join(lines) + "\n\n").encode() + data.tobytes())
    return of_itk(path)


def meta(rng, path):
    n = int(rng.choice([2, 3]))
    sizes = [int(s) for s in rng.integers(1, 5, size=n)]
    big = bool(rng.random() < 0.5)
    turn = rotation(rng) if n == 3 else np.eye(2)
    lines = ["ObjectType = Image", f"NDims = {n}", "BinaryData = True", f"BinaryDataByteOrderMSB = {big}",
             str(rng.choice(["TransformMatrix", "Rotation", "Orientation"])) + " = " +
             " ".join(f"{v:.9g}" for v in turn.T.ravel()),
             str(rng.choice(["Offset", "Position", "Origin"])) + " = " +
             " ".join(f"{v:.6g}" for v in rng.uniform(-100, 100, size=n)),
             str(rng.choice(["ElementSpacing", "ElementSize"])) + " = " +
             " ".join(f"{v:.6g}" for v in rng.uniform(0.1, 5, size=n)),
             "DimSize = " + " ".join(map(str, sizes)), "ElementType = MET_SHORT", "ElementDataFile = LOCAL"]
    end = str(rng.choice(["\n", "\r\n"]))
    data = np.arange(np.prod(sizes), dtype=">i2" if big else "<i2")
    path.write_bytes((end.join(lines) + end).encode() + data.tobytes())
    return of_itk(path)


def nifti(rng, path):
    kind = nibabel.Nifti1Header if rng.random() < 0.7 else nibabel.Nifti2Header
    header = kind(endianness=str(rng.choice(["<", ">"])))
    sizes = [int(s) for s in rng.integers(1, 5, size=3)]
    header.set_data_dtype(np.int16)
    header.set_data_shape(sizes)
    turn = rotation(rng)
    if rng.random() < 0.4:  # nearly half a turn, as tilted slices have it
        tilt = rng.uniform(0, 0.7)
        turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]) @ np.diag([-1, 1, 1])
    matrix = affine(rng.uniform(0.1, 5, size=3), rng.uniform(-100, 100, size=3), turn)
    header.set_qform(matrix, int(rng.choice([1, 2, 4])))
    header.set_sform(matrix if rng.random() < 0.5 else None)
    data = np.arange(np.prod(sizes), dtype=np.int16).reshape(sizes)
    image = (nibabel.Nifti1Image if kind is nibabel.Nifti1Header else nibabel.Nifti2Image)(data, None, header)
    nibabel.save(image, path)
    theirs = nibabel.load(path)
    return np.diag([-1, -1, 1, 1]) @ theirs.affine, sizes, 0.0, float(data.max())


def vti(rng, path):
    low = rng.integers(-3, 4, size=3)
    counts = rng.integers(1, 5, size=3)
    cells = bool(rng.random() < 0.5)
    extent = " ".join(f"{a} {a + n - 1 + cells}" for a, n in zip(low, counts))
    spacing, origin, turn = rng.uniform(0.1, 5, size=3), rng.uniform(-100, 100, size=3), rotation(rng)
    numbers = " ".join(map(str, range(int(np.prod(counts)))))
    what = "CellData" if cells else "PointData"
    path.write_text(f'''<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian">
<ImageData WholeExtent="{extent}" Origin="{" ".join(map(repr, map(float, origin)))}" Spacing="{" ".join(map(repr, map(float, spacing)))}"
 Direction="{" ".join(map(repr, map(float, turn.ravel())))}"><Piece Extent="{extent}"><{what} Scalars="v">
<DataArray type="Int16" Name="v" format="ascii">{numbers}</DataArray></{what}></Piece></ImageData></VTKFile>
''', encoding="utf-8")
    matrix = affine(spacing, origin, turn)
    matrix[:3, 3] = (matrix @ [*(low + 0.5 * cells), 1])[:3]
    return matrix, [int(n) for n in counts], 0.0, float(np.prod(counts) - 1)


def dicom(rng, path):
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    turn[:, 2] = np.cross(turn[:, 0], turn[:, 1])
    places, times = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    pixel, gap, origin = rng.uniform(0.3, 2, size=2), rng.uniform(0.5, 5), rng.uniform(-100, 100, size=3)
    path.mkdir()
    for n, which in enumerate(rng.permutation(places * times)):
        z, t = divmod(int(which), times)
        meta_information = FileMetaDataset()
        meta_information.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.4"
        meta_information.MediaStorageSOPInstanceUID = pydicom.uid.generate_uid()
        meta_information.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
        one = FileDataset("", {}, file_meta=meta_information, preamble=b"\0" * 128)
        one.SOPClassUID, one.SOPInstanceUID = meta_information.MediaStorageSOPClassUID, meta_information.MediaStorageSOPInstanceUID
        one.SeriesInstanceUID, one.Modality, one.InstanceNumber = "1.2.3", "MR", n + 1
        one.Rows, one.Columns, one.SamplesPerPixel, one.PhotometricInterpretation = 3, 4, 1, "MONOCHROME2"
        one.BitsAllocated, one.BitsStored, one.HighBit, one.PixelRepresentation = 16, 16, 15, 1
        one.PixelSpacing = [f"{pixel[1]:.6f}", f"{pixel[0]:.6f}"]
        one.ImageOrientationPatient = [f"{v:.9f}" for v in turn[:, :2].T.ravel()]
        one.ImagePositionPatient = [f"{v:.6f}" for v in origin + gap * z * turn[:, 2]]
        one.TemporalPositionIdentifier = t + 1
        one.PixelData = np.full((3, 4), 100 * t + z, np.int16).tobytes()
        one.save_as(path / f"{n}.dcm", enforce_file_format=True)
    return (affine([*pixel, gap], origin, turn), [4, 3, places], 0.0, float(100 * (times - 1) + places - 1))


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else int(np.random.default_rng().integers(1 << 31))
    print(f"seed {seed}")
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        for make, ending, share in ((nrrd, ".nrrd", 1), (meta, ".mha", 1), (nifti, ".nii", 1), (vti, ".vti", 1), (dicom, "", 0.1)):
            rng = np.random.default_rng(seed)
            bad = 0
            for k in range(max(1, int(count * share))):
                path = Path(name) / f"{make.__name__}{k}{ending}"
                matrix, sizes, low, high = make(rng, path)
                try:
                    ours = info(program, path)
                    corner = np.array([*(np.array(sizes) - 1), 1])
                    at = affine(ours["spacing"], ours["origin"], ours["direction"])
                    apart = max(np.abs(at[:3, 3] - matrix[:3, 3]).max(), np.abs((at - matrix) @ corner).max())
                    assert ours["dimensions"] == sizes, f"{ours['dimensions']}, not {sizes}"
                    assert apart < 1e-3, f"{apart:.3g} mm away: {at.tolist()}, not {matrix.tolist()}"
                    assert (ours["min"], ours["max"]) == (low, high), f"values {ours['min']} to {ours['max']}"
                except AssertionError as why:
                    bad += 1
                    if bad <= 3:
                        print(f"{path.name}: {why}")
                        print(path.read_bytes()[:600] if path.is_file() else "")
            print(f"{make.__name__}: {bad} of {max(1, int(count * share))} differ")
            wrong += bad
    sys.exit(1 if wrong else 0)


main()
