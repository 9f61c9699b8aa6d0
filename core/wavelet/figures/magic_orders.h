#pragma once
// The magic filter's orders: what each is worth and what it costs.

#include <span>
#include <string>

#include "core/ladder/figure.h"
#include "core/measure/measurement.h"

namespace sscope {

// How far the filter and its adjoint after it change a wave of so many samples: the magnitude of |W(w)|^2 - 1, of the
// taps. samplesPerWave >= 2.
[[nodiscard]] double magicOrderError(int order, double samplesPerWave);

// Whether rows of several orders are among them.
[[nodiscard]] bool hasSeveralOrders(std::span<const Measurement> measurements);

// The error at eight samples a wave over the median time, a curve for each engine and variant that ran several orders
// along all axes on one shape.
[[nodiscard]] Figure magicOrdersFigure(std::span<const Measurement> measurements);

// The same as text, with four and sixteen samples a wave beside it; empty without several orders.
[[nodiscard]] std::string magicOrdersTable(std::span<const Measurement> measurements);

}  // namespace sscope
