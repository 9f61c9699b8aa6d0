#include "core/filter/taps_edit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/filter/stencil.h"
#include "core/options/option.h"

namespace sscope {

namespace {

using Place = std::array<std::int64_t, 3>;

std::size_t indexOf(const DenseTaps& taps, const Place& p) {
  return static_cast<std::size_t>((p[2] * taps.size[1] + p[1]) * taps.size[0] + p[0]);
}

// Calls `each` with every place of the grid.
template <class Each>
void forPlaces(const std::array<std::int64_t, 3>& size, Each&& each) {
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) each(Place{x, y, z});
}

// The image of a place; a quarter turn swaps the first two sizes of the grid.
Place image(const std::array<std::int64_t, 3>& size, TapsSymmetry symmetry, Place p) {
  const auto mirror = [&](std::size_t axis) { p[axis] = size[axis] - 1 - p[axis]; };
  switch (symmetry) {
    case TapsSymmetry::AlongX: mirror(0); break;
    case TapsSymmetry::AlongY: mirror(1); break;
    case TapsSymmetry::AlongZ: mirror(2); break;
    case TapsSymmetry::Point:
      for (std::size_t axis = 0; axis < 3; ++axis) mirror(axis);
      break;
    case TapsSymmetry::QuarterTurn: return {size[1] - 1 - p[1], p[0], p[2]};
  }
  return p;
}

// The mean over a tap and its images, each with the sign to the power of the number of steps.
DenseTaps projected(const DenseTaps& taps, TapsSymmetry symmetry, double sign) {
  const bool turn = symmetry == TapsSymmetry::QuarterTurn;
  if (turn && taps.size[0] != taps.size[1])
    throw Error(ErrorKind::Usage,
                "slices of " + std::to_string(taps.size[0]) + " x " + std::to_string(taps.size[1]) +
                    " taps have no quarter turn",
                "give x and y the same size");
  const int images = turn ? 4 : 2;
  DenseTaps result = taps;
  forPlaces(taps.size, [&](const Place& place) {
    double sum = 0, weight = 1;
    Place at = place;
    for (int i = 0; i < images; ++i, weight *= sign, at = image(taps.size, symmetry, at))
      sum += weight * taps.weights[indexOf(taps, at)] / images;
    result.weights[indexOf(result, place)] = sum;
  });
  return result;
}

DenseTaps divided(DenseTaps taps, double by) {
  for (double& weight : taps.weights) weight /= by;
  return taps;
}

}  // namespace

DenseTaps madeSymmetric(const DenseTaps& taps, TapsSymmetry symmetry) { return projected(taps, symmetry, 1); }

DenseTaps madeAntisymmetric(const DenseTaps& taps, TapsSymmetry symmetry) { return projected(taps, symmetry, -1); }

DenseTaps withUnitSum(const DenseTaps& taps) {
  const TapsFigures figures = figuresOf(taps);
  const double rounding = static_cast<double>(taps.count()) * std::numeric_limits<double>::epsilon();
  if (std::abs(figures.sum) <= rounding * figures.magnitude || !std::isfinite(figures.sum))
    throw Error(ErrorKind::Usage, "taps whose sum is 0 cannot be scaled to the sum 1",
                "scale the sum of their magnitudes instead");
  return divided(taps, figures.sum);
}

DenseTaps withUnitMagnitude(const DenseTaps& taps) {
  const double magnitude = figuresOf(taps).magnitude;
  if (magnitude == 0 || !std::isfinite(magnitude))
    throw Error(ErrorKind::Usage, magnitude == 0 ? "all taps are 0" : "the taps are too large to be added",
                "type other numbers first");
  return divided(taps, magnitude);
}

DenseTaps withoutMean(const DenseTaps& taps) {
  const double mean = figuresOf(taps).sum / static_cast<double>(taps.count());
  if (!std::isfinite(mean))
    throw Error(ErrorKind::Usage, "the taps are too large to be added", "type other numbers first");
  DenseTaps result = taps;
  for (double& weight : result.weights) weight -= mean;
  return result;
}

DenseTaps negated(const DenseTaps& taps) {
  DenseTaps result = taps;
  for (double& weight : result.weights) weight = weight == 0 ? 0 : -weight;  // avoids -0, which would be displayed
  return result;
}

DenseTaps mirrored(const DenseTaps& taps, std::size_t axis) {
  const auto along = static_cast<TapsSymmetry>(axis);
  DenseTaps result = taps;
  result.anchor = image(taps.size, along, taps.anchor);
  forPlaces(taps.size, [&](const Place& p) {
    result.weights[indexOf(result, image(taps.size, along, p))] = taps.weights[indexOf(taps, p)];
  });
  return result;
}

DenseTaps quarterTurned(const DenseTaps& taps) {
  DenseTaps result = taps;
  std::swap(result.size[0], result.size[1]);
  result.anchor = image(taps.size, TapsSymmetry::QuarterTurn, taps.anchor);
  forPlaces(taps.size, [&](const Place& p) {
    result.weights[indexOf(result, image(taps.size, TapsSymmetry::QuarterTurn, p))] = taps.weights[indexOf(taps, p)];
  });
  return result;
}

DenseTaps resized(const DenseTaps& old, const std::array<std::int64_t, 3>& size) {
  DenseTaps taps;
  taps.size = size;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto [low, high] = std::minmax({old.anchor[a], old.anchor[a] + size[a] - old.size[a]});
    taps.anchor[a] = std::clamp(std::clamp(size[a] / 2, low, high), std::int64_t{0}, size[a] - 1);
  }
  taps.weights.assign(static_cast<std::size_t>(taps.count()), 0.0);
  forPlaces(size, [&](const Place& p) {
    Place from;
    for (std::size_t a = 0; a < 3; ++a) {
      from[a] = p[a] - taps.anchor[a] + old.anchor[a];
      if (from[a] < 0 || from[a] >= old.size[a]) return;
    }
    taps.weights[indexOf(taps, p)] = old.weights[indexOf(old, from)];
  });
  return taps;
}

DenseTaps withBlock(const DenseTaps& taps, const std::array<std::int64_t, 3>& at, const DenseTaps& block) {
  for (std::size_t a = 0; a < 3; ++a)
    if (at[a] < 0 || at[a] + block.size[a] > taps.size[a])
      throw Error(ErrorKind::Usage, "the numbers do not fit into the grid from there",
                  "paste farther to the left or up");
  DenseTaps result = taps;
  forPlaces(block.size, [&](const Place& p) {
    result.weights[indexOf(result, {p[0] + at[0], p[1] + at[1], p[2] + at[2]})] = block.weights[indexOf(block, p)];
  });
  return result;
}

DenseTaps sliceOf(const DenseTaps& taps, std::int64_t z) {
  DenseTaps slice;
  slice.size = {taps.size[0], taps.size[1], 1};
  slice.anchor = {taps.anchor[0], taps.anchor[1], 0};
  const auto begin = taps.weights.begin() + z * slice.count();
  slice.weights.assign(begin, begin + slice.count());
  return slice;
}

TapsFigures figuresOf(const DenseTaps& taps) {
  TapsFigures figures;
  const auto [smallest, largest] = std::ranges::minmax(taps.weights);
  figures.smallest = smallest;
  figures.largest = largest;
  for (const double weight : taps.weights) {
    figures.sum += weight;
    figures.magnitude += std::abs(weight);
    figures.nonzero += weight != 0 ? 1 : 0;
  }
  return figures;
}

namespace {

using Row = std::vector<double>;
using Slice = std::vector<Row>;

constexpr std::string_view kBlank = " \t\r\f\v", kLooseSeparators = " \t\r\f\v,;[]{}()";
constexpr std::size_t kShown = 24;  // bytes of an invalid number that a message quotes
constexpr std::string_view kMinus = "\xe2\x88\x92", kNoBreakSpace = "\xc2\xa0";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  return begin == std::string_view::npos ? std::string_view{}
                                         : text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string result;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what)) {
    result.append(text.substr(0, at)).append(with);
    text.remove_prefix(at + what.size());
  }
  return result.append(text);
}

std::optional<double> number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<double> fraction(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return number(text);
  const auto over = number(trimmed(text.substr(0, slash))), under = number(trimmed(text.substr(slash + 1)));
  if (!over || !under || *under == 0 || !std::isfinite(*over / *under)) return {};
  return *over / *under;
}

// Converts arrays of arrays in one line, as JSON, Python and MATLAB write them, to rows.
std::string inRows(std::string text) {
  if (text.find('[') == std::string::npos || text.find('\n') != std::string::npos) return text;
  text = replaced(replaced(text, ", ", ","), "]],", "\n\n");
  return replaced(replaced(text, "],", "\n"), ";", "\n");
}

// How the numbers of a text are separated.
struct Layout {
  char separator = 0;  // 0: by any of the loose ones
  bool decimalComma = false;
};

Layout layoutOf(std::string_view text) {
  Layout layout;
  if (text.find('\t') != std::string_view::npos) {
    layout.separator = '\t';
  } else if (text.find(';') != std::string_view::npos && text.find('[') == std::string_view::npos) {
    layout.separator = ';';
  }
  layout.decimalComma = layout.separator != 0 && text.find('.') == std::string_view::npos;
  return layout;
}

std::vector<std::string_view> cellsOf(std::string_view line, const Layout& layout) {
  std::vector<std::string_view> cells;
  if (layout.separator == 0) {
    for (std::size_t at = line.find_first_not_of(kLooseSeparators); at != std::string_view::npos;
         at = line.find_first_not_of(kLooseSeparators)) {
      line.remove_prefix(at);
      const std::size_t end = line.find_first_of(kLooseSeparators);
      cells.push_back(line.substr(0, end));
      line.remove_prefix(std::min(end, line.size()));
    }
    return cells;
  }
  while (true) {
    const std::size_t end = line.find(layout.separator);
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::BadData, what, remedy);
}

double valueOf(std::string_view cell, const Layout& layout, std::size_t row) {
  if (cell.empty()) return 0;
  const auto value = fraction(layout.decimalComma ? replaced(cell, ",", ".") : std::string(cell));
  if (!value)
    refuse("row " + std::to_string(row) + " has \"" + shortened(inOneLine(cell), kShown) + "\", which is not a number",
           "copy numbers only");
  return *value;
}

// The slices' rows; every row as long as the first.
std::vector<Slice> slicesOf(std::string_view text, const Layout& layout) {
  std::vector<Slice> slices(1);
  std::size_t row = 0, columns = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++row;
    // A row of empty cells is a row of zeros.
    const bool blank = line.find_first_not_of(" \r") == std::string_view::npos;
    const std::vector<std::string_view> cells = blank ? std::vector<std::string_view>{} : cellsOf(line, layout);
    if (cells.empty()) {
      if (blank && !slices.back().empty()) slices.emplace_back();
      continue;
    }
    if (columns != 0 && cells.size() != columns)
      refuse("row " + std::to_string(row) + " has " + std::to_string(cells.size()) +
                 " numbers and those above it have " + std::to_string(columns),
             "give all rows the same length");
    columns = cells.size();
    Row values;
    for (const std::string_view cell : cells) values.push_back(valueOf(cell, layout, row));
    slices.back().push_back(std::move(values));
  }
  if (slices.back().empty()) slices.pop_back();
  return slices;
}

}  // namespace

std::string tapsText(const DenseTaps& taps) {
  std::string text;
  for (std::int64_t z = 0; z < taps.size[2]; ++z) {
    if (z > 0) text += '\n';
    for (std::int64_t y = 0; y < taps.size[1]; ++y)
      for (std::int64_t x = 0; x < taps.size[0]; ++x)
        text += formatOption(taps.at(x, y, z)) + (x + 1 < taps.size[0] ? '\t' : '\n');
  }
  return text;
}

DenseTaps tapsFromText(std::string_view given, std::int64_t longest) {
  const std::string plain = inRows(replaced(replaced(given, kMinus, "-"), kNoBreakSpace, " "));
  const std::vector<Slice> slices = slicesOf(plain, layoutOf(plain));
  if (slices.empty()) refuse("there are no numbers to paste", "copy rows of numbers first");
  const std::array<std::size_t, 3> size{slices[0][0].size(), slices[0].size(), slices.size()};
  for (const Slice& slice : slices)
    if (slice.size() != size[1])
      refuse("the slices have different numbers of rows",
             "give all slices the same number, with one empty line between two");
  std::array<std::int64_t, 3> extent{};
  for (std::size_t a = 0; a < 3; ++a) {
    extent[a] = static_cast<std::int64_t>(size[a]);
    if (extent[a] > longest)
      refuse(std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]) +
                 " numbers are too many",
             "paste at most " + std::to_string(longest) + " along each axis, or load larger grids from a file");
  }
  DenseTaps taps = boxOfTaps(extent);
  auto to = taps.weights.begin();
  for (const Slice& slice : slices)
    for (const Row& row : slice) to = std::copy(row.begin(), row.end(), to);
  return taps;
}

double tapFromText(std::string_view text) {
  const std::string plain = replaced(replaced(text, kMinus, "-"), kNoBreakSpace, " ");
  // In a single cell a comma can only be a decimal comma.
  const auto value = fraction(replaced(trimmed(plain), ",", "."));
  if (!value)
    refuse("\"" + shortened(inOneLine(text), kShown) + "\" is not a number",
           "type a number, or a fraction such as 1/16");
  return *value;
}

}  // namespace sscope
