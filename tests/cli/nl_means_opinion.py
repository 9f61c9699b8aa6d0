#!/usr/bin/env python3
"""A second opinion on the non-local means: those of scikit-image, which share no line of code with ours.

Usage: nl_means_opinion.py SSCOPE. Exit status 4 where scikit-image is missing.
"""
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import opinion
    from skimage.restoration import denoise_nl_means
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(4)


def theirs(data, sigma, strength, search, patch, fast=True):
    return denoise_nl_means(data, patch_size=2 * patch + 1, patch_distance=search, h=strength * sigma, sigma=sigma,
                            fast_mode=fast)


def noisy(shape, sigma):
    random = np.random.default_rng(5)
    place = np.indices(shape).sum(axis=0)
    return (100 + 3 * np.sin(place / 3) + sigma * random.standard_normal(shape)).astype(np.float32)


def compare(program, shape, sigma, strength, search, patch, folder):
    """Share of the change by which the two differ. Patches are all like enough that theirs counts them, which ends at
    a weight of exp(-5); its exponential is approximate, to some hundredths."""
    data = noisy(shape, sigma)
    spec = f"nlmeans:sigma={sigma},strength={strength},search={search},patch={patch}"
    one = opinion.filtered(program, data, spec, folder, "--boundary", "mirror", "--output-type", "f32")
    other = theirs(data, sigma, strength, search, patch)
    return np.linalg.norm(one - other) / np.linalg.norm(other - data)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wrong = 0
        for shape, search, patch in [((60, 70), 4, 1), ((50, 61), 3, 3), ((20, 24, 22), 2, 1), ((18, 17, 16), 2, 2)]:
            share = compare(program, shape, 4, 3, search, patch, folder)
            print(f"{shape} search {search} patch {patch}: differs by {share:.2e} of what it changes")
            wrong += not share < 0.02
        sys.exit(1 if wrong else 0)


main()
