#pragma once
// Loops and sums over sites on all cores. Sums are taken in the order of the pieces, so that they do not depend on the
// number of threads.

#include <complex>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/control.h"

namespace sscope::lattice {

// Calls body(begin, end) for pieces of 0..count on all cores. Throws Canceled; then some pieces were not visited.
void forPieces(std::int64_t count, const Control& control,
               const std::function<void(std::int64_t begin, std::int64_t end)>& body);
// The sum of the pieces' results.
[[nodiscard]] double sumPieces(std::int64_t count, const Control& control,
                               const std::function<double(std::int64_t begin, std::int64_t end)>& body);
[[nodiscard]] std::complex<double> sumComplexPieces(
    std::int64_t count, const Control& control,
    const std::function<std::complex<double>(std::int64_t begin, std::int64_t end)>& body);
// The sums of `runs` consecutive runs of `each` elements; pieces are within a run.
[[nodiscard]] std::vector<std::complex<double>> sumRuns(
    std::int64_t runs, std::int64_t each, const Control& control,
    const std::function<std::complex<double>(std::int64_t begin, std::int64_t end)>& body);

// Sums of planes, one after the other along z, `perSlice` of them in a time slice: those of a slice added in order of
// z, and the slices' in order of t.
[[nodiscard]] std::complex<double> sumInOrder(std::span<const std::complex<double>> planes, std::int64_t perSlice);

}  // namespace sscope::lattice
