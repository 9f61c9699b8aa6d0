#pragma once
// What a kernel editor does to dense taps. Every function returns other taps and leaves its argument as it is.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/filter/stencil.h"

namespace sscope {

// Which image of the grid the taps are compared with: mirrored along an axis, through the middle of the grid, or turned
// by a quarter in every slice.
enum class TapsSymmetry : std::uint8_t { AlongX, AlongY, AlongZ, Point, QuarterTurn };

// The nearest taps (in the sum of squares) that the symmetry leaves as they are: the mean of a tap and its images. The
// middle is that of the grid; the anchor stays. Throws Error(Usage) for quarter turns of slices that are not square.
[[nodiscard]] DenseTaps madeSymmetric(const DenseTaps& taps, TapsSymmetry symmetry);
// The nearest taps that the symmetry turns into their negative. Of quarter turns: each turn changes the sign.
[[nodiscard]] DenseTaps madeAntisymmetric(const DenseTaps& taps, TapsSymmetry symmetry);

// Divided by their sum, so that even data stay as they are. Throws Error(Usage) where the sum is 0, or as small as
// rounding makes it.
[[nodiscard]] DenseTaps withUnitSum(const DenseTaps& taps);
// Divided by the sum of their magnitudes. Throws Error(Usage) where all taps are 0.
[[nodiscard]] DenseTaps withUnitMagnitude(const DenseTaps& taps);
// Less their mean: the sum is 0 but for rounding, and even data give 0.
[[nodiscard]] DenseTaps withoutMean(const DenseTaps& taps);
[[nodiscard]] DenseTaps negated(const DenseTaps& taps);

// The mirror image along an axis, 0 is x; the anchor goes with its tap.
[[nodiscard]] DenseTaps mirrored(const DenseTaps& taps, std::size_t axis);
// Every slice turned by a quarter, x toward y (clockwise on the screen); the anchor goes with its tap.
[[nodiscard]] DenseTaps quarterTurned(const DenseTaps& taps);

// The old taps on another grid, both anchors on each other; 0 where there was none. The anchor is as near to the middle
// of the new grid as it can be without losing taps of a grid that grows, or more of one that shrinks than must be.
[[nodiscard]] DenseTaps resized(const DenseTaps& taps, const std::array<std::int64_t, 3>& size);
// A part of the grid, whose first tap is at `at`, replaced. Throws Error(Usage) for one that does not fit in.
[[nodiscard]] DenseTaps withBlock(const DenseTaps& taps, const std::array<std::int64_t, 3>& at, const DenseTaps& block);
// The taps of one slice, at its anchor's place.
[[nodiscard]] DenseTaps sliceOf(const DenseTaps& taps, std::int64_t z);

struct TapsFigures {
  double sum = 0, magnitude = 0;  // of the taps; of their absolute values
  double smallest = 0, largest = 0;
  std::int64_t nonzero = 0;
};
[[nodiscard]] TapsFigures figuresOf(const DenseTaps& taps);

// Dense taps as text: what is copied to and pasted from spreadsheets.

// Rows of numbers with tabulators between them, and an empty line between slices; every digit that is needed to read
// the same taps again.
[[nodiscard]] std::string tapsText(const DenseTaps& taps);

// Such text, and what else numbers come as: separated by tabulators, or by commas, semicolons, brackets and spaces; or
// arrays of arrays in one line. Empty lines separate slices. Between tabulators or semicolons a comma is a decimal
// comma where no point is used, and a cell without text is 0. Fractions ("1/16") and the minus sign of typesetters are
// numbers. The anchor is the middle (size / 2). Throws Error(BadData) with the row for what is no number, for rows or
// slices of different sizes, for no numbers at all, and for more than `longest` along an axis.
[[nodiscard]] DenseTaps tapsFromText(std::string_view text, std::int64_t longest);

// One number of the above. Throws Error(BadData) for what is none, or is not finite.
[[nodiscard]] double tapFromText(std::string_view text);

}  // namespace sscope
