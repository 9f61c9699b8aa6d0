#pragma once
// Accuracy and cost of the magic filter's orders.

#include <span>
#include <string>

#include "core/measure/measurement.h"
#include "core/report/figure.h"

namespace sscope {

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

}  // namespace sscope
