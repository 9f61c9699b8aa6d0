// The points of the figures in the papers of the dense ladders.

#include <array>
#include <utility>

#include "core/filter/figures/filter_figures.h"

namespace sscope {

namespace {

using Numbers = std::vector<std::int64_t>;

OptionValue integer(std::int64_t value) { return value; }

Numbers oddNumbers(std::int64_t first, std::int64_t last, std::int64_t step) {
  Numbers list;
  for (std::int64_t n = first; n <= last; n += step) list.push_back(n);
  return list;
}

// The paper names one of its three work-group sizes, 16 x 16; its device takes at most 256 work items.
constexpr std::array<std::pair<std::int64_t, std::int64_t>, 3> kGroups{{{8, 8}, {16, 8}, {16, 16}}};

std::vector<SweepPart> bankParts(bool everyPoint) {
  SweepPart filters, unroll;
  for (const std::int64_t n : {1, 2, 3, 4, 8, 16, 32}) filters.values.push_back({{"filters", integer(n)}});
  unroll.values = {{{"filters", integer(8)}}};
  unroll.variants = {"unrolled"};
  unroll.turns.clear();
  Numbers unrolls{1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40};
  if (everyPoint) unrolls = oddNumbers(1, 40, 1);
  for (const std::int64_t n : unrolls) {
    std::vector<OptionValues>& turn = unroll.turns.emplace_back();
    for (const auto& [x, y] : kGroups)
      turn.push_back({{"unroll", integer(n)}, {"group_x", integer(x)}, {"group_y", integer(y)}});
  }
  return {filters, unroll};
}

std::vector<SweepPart> conv2dParts(bool everyPoint) {
  SweepPart map;
  const Numbers sizes = oddNumbers(3, 27, everyPoint ? 2 : 6);
  for (const std::int64_t height : sizes)
    for (const std::int64_t width : sizes)
      map.values.push_back({{"width", integer(width)}, {"height", integer(height)}});
  return {map};
}

std::vector<Figure> soupFigures(std::string_view workload, std::span<const Measurement> measurements,
                                std::span<const PublishedValue> published) {
  return timeFigures(workload, measurements, published,
                     {.twins = true, .source = "Stam 2009", .note = " Published: 2048 x 2048, no border."});
}

}  // namespace

std::vector<LadderKind> filterLadderKinds() {
  return {{"bank", bankParts, bankFigures},
          {"conv2d", conv2dParts, conv2dFigures},
          {"soup", [](bool) { return std::vector<SweepPart>{{.values = {{}}, .choices = true}}; }, soupFigures}};
}

}  // namespace sscope
