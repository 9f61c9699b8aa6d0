#!/usr/bin/env python3
"""A second opinion on total variation: that of scikit-image (A. Duran, B. Coll and C. Sbert, Chambolle's projection
algorithm for total variation denoising, 2013), which shares no line of code with ours, on noise and on real data.

Usage: tv_opinion.py SSCOPE. Exit status 4 where scikit-image is missing.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import opinion
    from skimage.restoration import denoise_tv_chambolle
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(4)

REAL = Path(__file__).resolve().parents[3] / "shared/data/volumes/good/volvis/headsq/quarter.nhdr"


def compare(program, data, weight, steps, folder):
    """The largest difference as a share of the largest change. Theirs ends before the last step's result."""
    one = opinion.filtered(program, data, f"tv:weight={weight},steps={steps}", folder)
    other = denoise_tv_chambolle(data.astype(float), weight=weight, eps=0, max_num_iter=steps + 1)
    return np.abs(one - other).max() / np.abs(other - data).max()


def noisy(shape, sigma):
    random = np.random.default_rng(5)
    steps = 50.0 * (np.indices(shape).sum(axis=0) // 9 % 2)
    return (100 + steps + sigma * random.standard_normal(shape)).astype(np.float32)


def head(program, folder):
    path = folder / "head.nrrd"
    subprocess.run([program, "convert", REAL, "-o", path, "--type", "f32"], check=True, capture_output=True)
    return opinion.read_nrrd(path, (93, 64, 64))


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = [("noise", noisy((61, 50), 10), 7, 20), ("noise", noisy((24, 22, 20), 10), 7, 20),
                 ("noise", noisy((40, 30), 10), 300, 5)]
        if REAL.exists():
            volume = head(program, folder)
            cases += [("a head", volume, 20, 20), ("a slice of a head", volume[40], 20, 20)]
        else:
            print("there is no ../shared/data: real data are left out")
        wrong = 0
        for what, data, weight, steps in cases:
            share = compare(program, data, weight, steps, folder)
            print(f"{what} {data.shape}, weight {weight}, {steps} steps: differs by {share:.2e} of what it changes")
            wrong += not share < 1e-4
        sys.exit(1 if wrong else 0)


main()
