#pragma once
// Helpers of all ladders that make figures from measurements and published values.

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/measurement.h"
#include "core/measure/published.h"
#include "core/report/figure.h"

namespace sscope {

// A measurement for a figure, and its index in the list.
struct Entry {
  const Measurement* m = nullptr;
  std::size_t index = 0;
  nlohmann::json own;  // the variant's own parameters, without the workload's
};

// The data for a ladder's figures.
struct FigureInput {
  std::string workload;
  std::vector<Entry>
      entries;  // rows with results, all of one setting: naive rungs first, tuned ones and lower-precision extras last
  std::vector<const PublishedValue*> published;
  std::string setting;  // "256 x 256 x 256 u8, boundary nearest"
};

// The workload's rows that have results. If several sizes or boundaries were measured, only the setting with the most
// rows; `swept` names the parameters that are not part of a setting.
[[nodiscard]] FigureInput figureInput(std::string_view workload, std::span<const Measurement> measurements,
                                      std::span<const PublishedValue> published,
                                      std::initializer_list<std::string_view> swept);

[[nodiscard]] std::optional<double> parameter(const nlohmann::json& params, std::string_view name);
// Sizes and counts: "16", "2.5".
[[nodiscard]] std::string plainNumber(double value);
// "unroll=8, group_x=16"; empty for none.
[[nodiscard]] std::string parameterText(const nlohmann::json& params);
// "naive, cpu:avx2", "unrolled (unroll=8), opencl:0".
[[nodiscard]] std::string seriesName(const Entry& entry);
// A named series of measured values, still without points.
[[nodiscard]] FigureSeries measuredSeries(const Entry& entry, std::string name);
[[nodiscard]] FigureSeries publishedSeries(const PublishedValue& value, std::string name);
// The figure's series of this name, created by `make` when missing.
template <class Make>
[[nodiscard]] FigureSeries& seriesOf(Figure& figure, const std::string& name, Make&& make) {
  for (FigureSeries& series : figure.series)
    if (series.name == name) return series;
  return figure.series.emplace_back(make());
}
// The index of the name in the list, appended when missing.
[[nodiscard]] std::size_t placeOf(std::vector<std::string>& list, const std::string& name);
// Curves: sorts every series' points along x.
void sortPoints(Figure& figure);
// Whether any of its series was measured on this machine.
[[nodiscard]] bool hasMeasured(const Figure& figure);

// Tables of the ladder's paper without measured counterparts.
[[nodiscard]] std::vector<Figure> publishedTables(std::string_view workload, std::span<const PublishedValue> published);

}  // namespace sscope
