#pragma once
// The operations of a kernel editor on dense taps, and their text for the clipboard. Functions return new taps.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/filter/stencil.h"

namespace sscope {

// The symmetries of the grid: mirrored along an axis or through the middle of the grid, or turned by a quarter in every
// slice.
enum class TapsSymmetry : std::uint8_t { AlongX, AlongY, AlongZ, Point, QuarterTurn };

// The nearest taps (in the sum of squares) that are invariant: the mean of a tap and its images. The middle is that of
// the grid; the anchor stays. Throws Error(Usage) for quarter turns of slices that are not square.
[[nodiscard]] DenseTaps madeSymmetric(const DenseTaps& taps, TapsSymmetry symmetry);
// The nearest taps that the symmetry negates. For quarter turns, each turn changes the sign.
[[nodiscard]] DenseTaps madeAntisymmetric(const DenseTaps& taps, TapsSymmetry symmetry);

// Divided by their sum, so that constant data are unchanged. Throws Error(Usage) if the sum is 0 within rounding.
[[nodiscard]] DenseTaps withUnitSum(const DenseTaps& taps);
// Divided by the sum of their magnitudes. Throws Error(Usage) if all taps are 0.
[[nodiscard]] DenseTaps withUnitMagnitude(const DenseTaps& taps);
// Minus their mean: the sum is 0 within rounding, and constant data give 0.
[[nodiscard]] DenseTaps withoutMean(const DenseTaps& taps);
[[nodiscard]] DenseTaps negated(const DenseTaps& taps);

// The mirror image along an axis, 0 is x; the anchor moves with its tap.
[[nodiscard]] DenseTaps mirrored(const DenseTaps& taps, std::size_t axis);
// Every slice turned by a quarter, x toward y (clockwise on the screen); the anchor moves with its tap.
[[nodiscard]] DenseTaps quarterTurned(const DenseTaps& taps);

// The taps on another grid with the anchors aligned; new taps are 0. The anchor is as near to the middle of the new
// grid as possible without losing taps of a growing grid, or more than necessary of a shrinking one.
[[nodiscard]] DenseTaps resized(const DenseTaps& taps, const std::array<std::int64_t, 3>& size);
// Replaces a part of the grid whose first tap is at `at`. Throws Error(Usage) if the block does not fit.
[[nodiscard]] DenseTaps withBlock(const DenseTaps& taps, const std::array<std::int64_t, 3>& at, const DenseTaps& block);
// The taps of one slice, at its anchor's place.
[[nodiscard]] DenseTaps sliceOf(const DenseTaps& taps, std::int64_t z);

struct TapsFigures {
  double sum = 0, magnitude = 0;  // of the taps; of their absolute values
  double smallest = 0, largest = 0;
  std::int64_t nonzero = 0;
};
[[nodiscard]] TapsFigures figuresOf(const DenseTaps& taps);

// Dense taps as text for spreadsheets: rows of numbers separated by tabs, and an empty line between slices, with the
// digits that are needed to read the same taps again.
[[nodiscard]] std::string tapsText(const DenseTaps& taps);

// Reads such text and other forms: numbers separated by tabs, or by commas, semicolons, brackets and spaces; or arrays
// of arrays in one line. Empty lines separate slices. Between tabs or semicolons a comma is a decimal comma if no point
// is used, and an empty cell is 0. Fractions ("1/16") and the typographic minus sign are accepted. The anchor is the
// middle (size / 2). Throws Error(BadData) with the row for invalid numbers, for rows or slices of different sizes,
// without any numbers, and for more than `longest` along an axis.
[[nodiscard]] DenseTaps tapsFromText(std::string_view text, std::int64_t longest);

// One such number. Throws Error(BadData) if it is invalid or not finite.
[[nodiscard]] double tapFromText(std::string_view text);

}  // namespace sscope
