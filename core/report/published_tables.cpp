// Tables of a paper with nothing to measure beside them: its whole program, its devices.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/measure/table.h"
#include "core/report/figure_data.h"

namespace sscope {

namespace {

struct Column {
  std::string_view quantity, title;
};

// One row for each hardware, in the order of the values.
Figure tableOf(std::string_view workload, std::span<const PublishedValue> published, std::span<const Column> columns) {
  Figure figure;
  figure.kind = FigureKind::Table;
  for (const PublishedValue& value : published) {
    const auto column =
        std::find_if(columns.begin(), columns.end(), [&](const Column& one) { return one.quantity == value.quantity; });
    if (value.workload != workload || column == columns.end()) continue;
    std::string text = plainNumber(value.value);
    if (!value.unit.empty()) text += " " + value.unit;
    seriesOf(figure, value.hardware, [&] {
      return publishedSeries(value, value.hardware);
    }).points.push_back({static_cast<double>(column - columns.begin()), value.value, value.value, std::move(text), {}});
  }
  for (const Column& column : columns) figure.categories.emplace_back(column.title);
  return figure;
}

}  // namespace

std::vector<Figure> publishedTables(std::string_view workload, std::span<const PublishedValue> published) {
  constexpr std::array<Column, 2> kProgram{
      {{"program_s", "execution time"}, {"program_speedup", "speed-up over 1 MPI"}}};
  constexpr std::array<Column, 5> kDevices{{{"fp64_units", "units in double precision"},
                                            {"clock_mhz", "clock"},
                                            {"peak_gflops", "peak in double precision"},
                                            {"memory_mb", "memory"},
                                            {"memory_mhz", "memory clock"}}};
  if (workload == "magic") {
    Figure figure = tableOf(workload, published, kProgram);
    figure.id = "magic-program";
    figure.title = "BigDFT with its convolutions on graphics processors (table V)";
    figure.note =
        "Published only: the core loop of a calculation with 4 carbon atoms and 52 k-points, of which the magic filter "
        "is a part.";
    return {std::move(figure)};
  }
  if (workload == "cr") {
    Figure figure = tableOf(workload, published, kDevices);
    figure.id = "cr-devices";
    figure.title = "The paper's graphics processors (table 1)";
    figure.note = "Published only.";
    return {std::move(figure)};
  }
  return {};
}

}  // namespace sscope
