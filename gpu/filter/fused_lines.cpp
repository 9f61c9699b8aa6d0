#include "gpu/filter/fused_lines.h"

#include <algorithm>
#include <utility>

namespace sscope {

namespace {

// The place of a line, which is added where there is none like it.
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

}  // namespace sscope
