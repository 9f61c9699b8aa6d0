#pragma once
// The figures of the wavelet ladders' papers, their points, and the accuracy and cost of the filter's orders.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ladder/ladder_kind.h"
#include "core/measure/measurement.h"
#include "core/report/figure.h"

namespace sscope {

// Accuracy and cost of the magic filter's orders.

// The magnitude of |W(w)|^2 - 1, the error of the filter followed by its adjoint, for a wave of `samplesPerWave` >= 2
// samples.
[[nodiscard]] double magicOrderError(int order, double samplesPerWave);

// Whether they include several orders.
[[nodiscard]] bool hasSeveralOrders(std::span<const Measurement> measurements);

// The error at eight samples per wave over the median time, one curve for each engine and variant with several orders
// along all axes on one shape.
[[nodiscard]] Figure magicOrdersFigure(std::span<const Measurement> measurements);

// The same as text, also for four and sixteen samples per wave; empty unless there are several orders.
[[nodiscard]] std::string magicOrdersTable(std::span<const Measurement> measurements);

// The figures of the magic filter's paper, and the ladders of magic and dwt.
[[nodiscard]] std::vector<Figure> magicFigures(std::string_view workload, std::span<const Measurement> measurements,
                                               std::span<const PublishedValue> published);

[[nodiscard]] std::vector<LadderKind> waveletLadderKinds();

}  // namespace sscope
