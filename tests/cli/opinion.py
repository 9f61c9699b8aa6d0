"""What the scripts of second opinions share: sscope on an array."""
import subprocess

import numpy as np


def write_nrrd(path, data, spacing=None):
    """spacing: along x, y, ..."""
    sizes = " ".join(str(n) for n in reversed(data.shape))
    header = f"NRRD0004\ntype: float\ndimension: {data.ndim}\nsizes: {sizes}\nendian: little\nencoding: raw\n"
    if spacing:
        header += "spacings: " + " ".join(str(edge) for edge in spacing) + "\n"
    path.write_bytes((header + "\n").encode() + data.astype("<f4").tobytes())


def read_nrrd(path, shape):
    return np.frombuffer(path.read_bytes().split(b"\n\n", 1)[1], "<f4").reshape(shape)


def filtered(program, data, spec, folder, *options, spacing=None):
    """The f32 result of one filter."""
    source, result = folder / "in.nrrd", folder / "out.nrrd"
    write_nrrd(source, data, spacing)
    subprocess.run([program, "filter", source, "-o", result, "--filter", spec, *options], check=True, capture_output=True)
    return read_nrrd(result, data.shape)
