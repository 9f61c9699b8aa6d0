#include "gpu/filter/fused_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

// The index of a line, which is added if there is no equal one.
std::size_t lineOf(std::vector<FusedLines::Line>& lines, std::size_t from, const AxisTaps& taps) {
  const auto same =
      std::ranges::find_if(lines, [&](const FusedLines::Line& line) { return line.from == from && line.taps == taps; });
  if (same != lines.end()) return static_cast<std::size_t>(same - lines.begin());
  lines.push_back({from, taps});
  return lines.size() - 1;
}

void setWindow(FusedLines& lines, std::size_t axis, const std::vector<FusedLines::Line>& along) {
  std::int64_t before = along.front().taps.anchor, after = along.front().taps.size() - 1 - before;
  for (const FusedLines::Line& line : along) {
    before = std::max(before, line.taps.anchor);
    after = std::max(after, line.taps.size() - 1 - line.taps.anchor);
  }
  lines.anchor[axis] = before;
  lines.window[axis] = before + after + 1;
}

bool sameSizes(const std::vector<FusedLines::Line>& a, const std::vector<FusedLines::Line>& b) {
  return std::ranges::equal(a, b, [](const FusedLines::Line& one, const FusedLines::Line& other) {
    return one.from == other.from && one.taps.size() == other.taps.size() && one.taps.anchor == other.taps.anchor;
  });
}

template <class... Numbers>
std::string entry(Numbers... numbers) {
  std::string text;
  ((text += (text.empty() ? "" : ", ") + std::to_string(numbers)), ...);
  return " M(" + text + ")";
}

}  // namespace

std::int64_t FusedLines::queued() const {
  std::int64_t sum = 0;
  for (std::size_t t = 0; t < z.size(); ++t) sum += z[t].taps.size() - 1 + delay[t];
  return sum;
}

std::vector<double> FusedLines::weights() const {
  std::vector<double> all;
  for (const auto* along : {&x, &y, &z})
    for (const Line& line : *along) all.insert(all.end(), line.taps.weights.begin(), line.taps.weights.end());
  return all;
}

bool FusedLines::sameKernel(const FusedLines& other) const {
  return sameSizes(x, other.x) && sameSizes(y, other.y) && sameSizes(z, other.z) &&
         std::ranges::equal(outputs, other.outputs,
                            [](const Output& a, const Output& b) { return a.terms == b.terms && a.last == b.last; });
}

FusedLines fusedLines(std::span<const std::vector<SeparableTerm>> outputs, bool atOnce) {
  FusedLines lines;
  for (const std::vector<SeparableTerm>& terms : outputs) {
    lines.outputs.push_back({lines.z.size(), terms.size(), 0});
    for (const SeparableTerm& term : terms) {
      const std::size_t x = lineOf(lines.x, 0, term.axis[0]);
      lines.z.push_back({lineOf(lines.y, x, term.axis[1]), term.axis[2]});
    }
  }
  setWindow(lines, 0, lines.x);
  setWindow(lines, 1, lines.y);
  setWindow(lines, 2, lines.z);
  const auto lastOf = [&](std::size_t term) {
    const AxisTaps& taps = lines.z[term].taps;
    return lines.at(taps, 2) + taps.size() - 1;
  };
  for (FusedLines::Output& output : lines.outputs)
    for (std::size_t t = 0; t < output.terms; ++t) output.last = std::max(output.last, lastOf(output.firstTerm + t));
  if (atOnce) {
    const std::int64_t last = std::ranges::max(lines.outputs, {}, &FusedLines::Output::last).last;
    for (FusedLines::Output& output : lines.outputs) output.last = last;
  }
  for (const FusedLines::Output& output : lines.outputs)
    for (std::size_t t = 0; t < output.terms; ++t) lines.delay.push_back(output.last - lastOf(output.firstTerm + t));
  return lines;
}

std::vector<std::pair<std::string, std::string>> fusedLists(const FusedLines& lines,
                                                            std::span<const std::string> values) {
  std::vector<std::pair<std::string, std::string>> lists;
  const auto alongX = [&](std::size_t l) { return entry(l, lines.x[l].taps.size(), lines.at(lines.x[l].taps, 0)); };
  const auto alongY = [&](std::size_t l) { return entry(l, lines.y[l].taps.size(), lines.at(lines.y[l].taps, 1)); };
  std::string x, y, z, outputs;
  for (std::size_t l = 0; l < lines.x.size(); ++l) {
    x += alongX(l);
    std::string from;
    for (std::size_t other = 0; other < lines.y.size(); ++other)
      if (lines.y[other].from == l) from += alongY(other);
    lists.emplace_back("Y_LINES_OF_" + std::to_string(l) + "(M)", from);
  }
  for (std::size_t l = 0; l < lines.y.size(); ++l) y += alongY(l);
  for (std::size_t t = 0; t < lines.z.size(); ++t)
    z += entry(t, lines.z[t].from, lines.z[t].taps.size(), lines.delay[t]);
  for (std::size_t o = 0; o < lines.outputs.size(); ++o) {
    const FusedLines::Output& output = lines.outputs[o];
    if (values.empty()) outputs += entry(o, output.last);
    std::string sum;
    for (std::size_t t = 0; t < output.terms; ++t)
      sum += (sum.empty() ? "" : " + ") + std::string("result") + std::to_string(output.firstTerm + t) + "[r]";
    lists.emplace_back("SUM_OF_" + std::to_string(o) + "(r)", "(" + sum + ")");
    if (values.empty()) lists.emplace_back("VALUE_OF_" + std::to_string(o) + "(r)", "(" + sum + ")");
  }
  for (std::size_t o = 0; o < values.size(); ++o) {
    outputs += entry(o, lines.outputs.front().last);
    lists.emplace_back("VALUE_OF_" + std::to_string(o) + "(r)", values[o]);
  }
  if (!values.empty()) {
    lists.emplace_back("LAST", std::to_string(lines.outputs.front().last));
    for (std::size_t a = 0; a < 3; ++a)
      lists.emplace_back(std::string("ANCHOR_") + "XYZ"[a], std::to_string(lines.anchor[a]));
  }
  lists.emplace_back("X_LINES(M)", x);
  lists.emplace_back("Y_LINES(M)", y);
  lists.emplace_back("TERMS(M)", z);
  lists.emplace_back("OUTPUTS(M)", outputs);
  lists.emplace_back("X_COUNT", std::to_string(lines.x.size()));
  lists.emplace_back("WINDOW_X", std::to_string(lines.window[0]));
  lists.emplace_back("WINDOW_Y", std::to_string(lines.window[1]));
  lists.emplace_back("WINDOW_Z", std::to_string(lines.window[2]));
  return lists;
}

namespace {

struct Tile {
  std::int64_t tx, itemRows;  // elements along x, rows of work items
  std::int64_t queue;         // words of a work item's sums along z: the limit set by registers
  std::int64_t mostRows;      // outputs of a work item along y
  std::int64_t groupsPerUnit;
};
constexpr std::int64_t kQueue = 72;
// For narrow integers in double precision: two groups hide the latency of conversions and longer sums.
constexpr Tile kWideNarrowTile{32, 8, kQueue, 2, 2};
// Images of several components have one plane per group, so only other groups can hide its latency.
constexpr Tile kFlatTile{64, 8, 0, 4, 2};
// In order of preference.
constexpr std::array<Tile, 5> kTiles{{{64, kFusedItemRows, kQueue, kMostFusedRows, 1},
                                      {64, 4, kQueue, kMostFusedRows, 2},
                                      {32, 8, kQueue, kMostFusedRows, 2},
                                      {32, 4, kQueue, kMostFusedRows, 4},
                                      {32, 2, kQueue, 2, 4}}};
constexpr std::int64_t kPieceOutputs = 8;  // along x

// Elements from row to row, so that rows begin in different banks, 16 bytes apart by an odd number.
std::int64_t pitchFor(std::int64_t elements, std::int64_t vector) {
  const std::int64_t vectors = (elements + vector - 1) / vector;
  return (vectors + 1 - vectors % 2) * vector;
}

constexpr std::int64_t kWindowBytes = 8;  // that are read at once from planes of narrow integers

// Adjacent lanes also read windows from different banks.
std::int64_t narrowPitch(std::int64_t elements, std::int64_t bytes) {
  const std::int64_t each = kWindowBytes / bytes, windows = (elements + each - 1) / each;
  return (windows + 1 - windows % 2) * each;
}

std::int64_t fetchOf(const FusedNeeds& needs) {
  std::int64_t fetch = needs.precision == Precision::f64 && !needs.converts ? 2 : 4;
  if (needs.narrowBytes > 0) fetch = kWindowBytes / needs.narrowBytes;
  while (needs.rowElements % fetch != 0) fetch /= 2;
  return fetch;
}

// The kernel's own tables in local memory.
std::int64_t mapBytes(const FusedShape& s, const FusedNeeds& needs) {
  return 4 * (2 * s.rowPitch + s.ty + needs.window[1] + 1);
}

// The local memory that a launch may request.
std::int64_t mostBytes(const DeviceProperties& device) {
  return device.largestDynamicLocal > 0 ? device.largestDynamicLocal : device.localBytes;
}

FusedShape shapeOf(const Tile& tile, const DeviceProperties& device, const FusedNeeds& needs) {
  const bool wide = needs.precision == Precision::f64;
  const std::int64_t word = wide ? 8 : 4;
  FusedShape s;
  s.tx = tile.tx;
  // The surroundings of a piece are those of all its components.
  s.rx = needs.components > 1 && needs.window[2] > 1 ? 2 * kPieceOutputs : kPieceOutputs;
  s.ry = tile.mostRows;
  while (s.ry > 1 && s.ry * needs.queued * word / 4 > tile.queue) s.ry /= 2;
  s.ty = tile.itemRows * s.ry;
  s.vector = wide ? 2 : 4;
  s.fetch = fetchOf(needs);
  s.left = (needs.firstElement % s.fetch + s.fetch) % s.fetch;
  s.raw = needs.narrowBytes > 0;
  const std::int64_t read = s.left + s.tx + (needs.window[0] - 1) * needs.components + s.fetch;
  s.rowPitch = s.raw ? narrowPitch(read, needs.narrowBytes) : pitchFor(read, s.vector);
  const bool copied = s.raw ? s.fetch * needs.narrowBytes % word == 0 : !needs.converts;
  s.async = copied && device.capabilityMajor >= 8;
  s.filteredPitch = pitchFor(s.tx, s.vector);
  s.groupsPerUnit = tile.groupsPerUnit;
  const std::int64_t rows = s.ty + needs.window[1] - 1;
  const auto bytes = [&](std::int64_t stages, std::int64_t buffers) {
    return rows *
           (stages * s.rowPitch * (s.raw ? needs.narrowBytes : word) + buffers * needs.linesX * s.filteredPitch * word);
  };
  s.stages = 2;
  s.buffers = 1;
  const std::int64_t most = mostBytes(device);
  const std::int64_t share =
      std::min(most, device.unitLocalBytes > 0 ? device.unitLocalBytes / s.groupsPerUnit : most) - mapBytes(s, needs);
  if (bytes(2, 2) <= share) s.buffers = 2;
  if (s.buffers == 2 && s.async && bytes(3, 2) <= share) s.stages = 3;
  s.localBytes = bytes(s.stages, s.buffers);
  return s;
}

}  // namespace

std::int64_t fusedRows(std::int64_t queued, Precision precision) {
  const std::int64_t words = queued * (precision == Precision::f64 ? 2 : 1);
  std::int64_t rows = kMostFusedRows;
  while (rows > 0 && rows * words > kQueue) rows /= 2;
  return rows;
}

FusedNeeds fusedNeeds(const FilterWorkload& workload, const FusedLines& lines, Precision precision) {
  const ArraySpec& input = workload.input();
  const std::int64_t nc = input.extent[3];
  FusedNeeds needs;
  needs.window = lines.window;
  needs.linesX = std::ssize(lines.x);
  needs.queued = lines.queued();
  needs.components = nc;
  needs.rowElements = input.extent[0] * nc;
  needs.planeElements = needs.rowElements * input.extent[1];
  needs.firstElement = (workload.region().begin[0] - lines.anchor[0]) * nc;
  needs.precision = precision;
  needs.converts = input.type != (needs.precision == Precision::f32 ? ElementType::f32 : ElementType::f64);
  const double outside = workload.boundary() == Boundary::constant ? workload.constant() : 0;
  if (isInteger(input.type) && bytesOf(input.type) <= 2 && outside == std::floor(outside) &&
      outside >= lowestOf(input.type) && outside <= highestOf(input.type))
    needs.narrowBytes = static_cast<std::int64_t>(bytesOf(input.type));
  return needs;
}

std::optional<FusedShape> fusedShape(const DeviceProperties& device, const FusedNeeds& needs) {
  if (needs.planeElements > std::numeric_limits<std::int32_t>::max()) return {};
  std::vector<Tile> tiles(kTiles.begin(), kTiles.end());
  if (needs.narrowBytes > 0 && needs.precision == Precision::f64) tiles.insert(tiles.begin(), kWideNarrowTile);
  if (needs.components > 1 && needs.window[2] == 1) tiles.insert(tiles.begin(), kFlatTile);
  for (const Tile& tile : tiles) {
    const FusedShape shape = shapeOf(tile, device, needs);
    if (shape.items() <= device.largestGroup && shape.localBytes + mapBytes(shape, needs) <= mostBytes(device))
      return shape;
  }
  return {};
}

}  // namespace sscope
