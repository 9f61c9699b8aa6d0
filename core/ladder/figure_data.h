#pragma once
// What the figures of all ladders need of measurements and published values.

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ladder/figure.h"
#include "core/measure/measurement.h"
#include "core/measure/published.h"

namespace sscope {

// A measurement that a figure may show, and where it stands in the list.
struct Entry {
  const Measurement* m = nullptr;
  std::size_t index = 0;
  nlohmann::json own;  // the parameters of the variant, without the workload's
};

// What a ladder's figures are made from.
struct FigureInput {
  std::string workload;
  std::vector<Entry>
      entries;  // with figures, all of one setting, naive rungs first, tuned ones and extras of lower precision last
  std::vector<const PublishedValue*> published;
  std::string setting;  // "256 x 256 x 256 u8, boundary nearest"
};

// The workload's rows that have figures. Where several sizes or boundaries were measured, those of the setting that
// most rows share; `swept` names the parameters that a setting leaves open.
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
// Of what was measured, with names and no points yet.
[[nodiscard]] FigureSeries measuredSeries(const Entry& entry, std::string name);
[[nodiscard]] FigureSeries publishedSeries(const PublishedValue& value, std::string name);
// The figure's series of this name, made by `make` when it is not there yet.
template <class Make>
[[nodiscard]] FigureSeries& seriesOf(Figure& figure, const std::string& name, Make&& make) {
  for (FigureSeries& series : figure.series)
    if (series.name == name) return series;
  return figure.series.emplace_back(make());
}
// Where the name stands in the list; at its end when it was not there yet.
[[nodiscard]] std::size_t placeOf(std::vector<std::string>& list, const std::string& name);
// Curves: sorts every series' points along x.
void sortPoints(Figure& figure);
// Whether anything in it was measured here.
[[nodiscard]] bool hasMeasured(const Figure& figure);

// Tables of the ladder's paper that hold nothing to measure beside them.
[[nodiscard]] std::vector<Figure> publishedTables(std::string_view workload, std::span<const PublishedValue> published);

}  // namespace sscope
