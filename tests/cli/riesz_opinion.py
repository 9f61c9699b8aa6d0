#!/usr/bin/env python3
"""A second opinion on the Riesz transform of voxels that are no cubes: its definition, -i (d f) / |f| of frequencies in
space, transformed by matrices of waves and correlated tap by tap, without a fast transform. It shares no line of code
with ours. A plane wave in space must also come out as its sine, times the cosine of its angle to the direction.

Usage: riesz_opinion.py SSCOPE. Exit status 4 where NumPy is missing.
"""
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import opinion
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(4)

SPACING = (1, 1, 2.5)  # along x, y, z


def unit(azimuth, elevation):
    a, e = np.radians(azimuth), np.radians(elevation)
    return np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])


def taps_of(direction, order, radius, edges):
    """From 4 radius + 1 frequencies along each axis, 17 at least, in a Hann window; axes are z, y, x."""
    most = max(2 * radius, 8)
    k, x = np.arange(-most, most + 1), np.arange(-radius, radius + 1)
    per_voxel = k / (2 * most + 1)
    fz, fy, fx = np.meshgrid(per_voxel / edges[2], per_voxel / edges[1], per_voxel / edges[0], indexing="ij")
    size = np.sqrt(fx**2 + fy**2 + fz**2)
    size[most, most, most] = 1
    ratio = (direction[0] * fx + direction[1] * fy + direction[2] * fz) / size
    response = (-1j * ratio) ** order
    waves = np.exp(2j * np.pi * np.outer(per_voxel, x)) / (2 * most + 1)
    answer = np.einsum("abc,az,by,cx->zyx", response, waves, waves, waves, optimize=True).real
    window = 0.5 + 0.5 * np.cos(np.pi * x / (radius + 1))
    window = window[:, None, None] * window[None, :, None] * window[None, None, :]
    answer = answer * window
    answer -= answer.sum() / window.sum() * window
    return answer[::-1, ::-1, ::-1]  # the answer to an impulse, as weights of a correlation


def correlated(data, taps):
    """Data beyond the ends are those at the ends."""
    radius = taps.shape[0] // 2
    wide = np.pad(data.astype(float), radius, mode="edge")
    sums = np.zeros(data.shape)
    for (z, y, x), weight in np.ndenumerate(taps):
        sums += weight * wide[z : z + data.shape[0], y : y + data.shape[1], x : x + data.shape[2]]
    return sums


def main():
    program = sys.argv[1]
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        noise = np.random.default_rng(5).standard_normal((12, 15, 17)).astype(np.float32)
        for voxels, edges in (("spacing", SPACING), ("cubes", (1, 1, 1))):
            for order, azimuth, elevation in ((1, 25, 40), (2, 70, -30)):
                spec = f"riesz:order={order},azimuth={azimuth},elevation={elevation},radius=3,voxels={voxels}"
                ours = opinion.filtered(program, noise, spec, folder, spacing=SPACING)
                theirs = correlated(noise, taps_of(unit(azimuth, elevation), order, 3, edges))
                differs = np.abs(ours - theirs).max()
                print(f"{spec}: differs by {differs:.2e}")
                wrong += not differs < 5e-6

        shape = (33, 33, 33)
        z, y, x = np.indices(shape)
        middle = (slice(11, 22),) * 3
        for azimuth, elevation in ((0, 0), (30, 35), (0, 90)):
            wave = unit(azimuth, elevation) / 7  # cycles per unit of length: 2.8 voxels along z
            phase = 2 * np.pi * (wave[0] * x * SPACING[0] + wave[1] * y * SPACING[1] + wave[2] * z * SPACING[2])
            data = np.cos(phase).astype(np.float32)
            along = unit(20, 50)
            ours = opinion.filtered(program, data, "riesz:radius=11,azimuth=20,elevation=50", folder, spacing=SPACING)
            wanted = 7 * wave @ along * np.sin(phase)
            differs = np.abs(ours - wanted)[middle].max()
            print(f"a wave along azimuth {azimuth}, elevation {elevation}: differs by {differs:.3f}")
            wrong += not differs < 0.06
    sys.exit(1 if wrong else 0)


main()
