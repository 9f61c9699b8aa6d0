#include "core/lattice/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace sscope::lattice {

namespace {
constexpr std::int64_t kPiece = 512;  // sites: well below a millisecond of any work done here
}

void forPieces(std::int64_t count, const Control& control,
               const std::function<void(std::int64_t begin, std::int64_t end)>& body) {
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, (count + kPiece - 1) / kPiece),
                    [&](const tbb::blocked_range<std::int64_t>& range) {
                      for (std::int64_t piece = range.begin(); piece < range.end(); ++piece) {
                        if (control.stopRequested()) return;
                        body(piece * kPiece, std::min(count, (piece + 1) * kPiece));
                      }
                    });
  control.check();
}

namespace {

template <class Value>
Value sumOf(std::int64_t count, const Control& control,
            const std::function<Value(std::int64_t begin, std::int64_t end)>& body) {
  std::vector<Value> sums(static_cast<std::size_t>((count + kPiece - 1) / kPiece));
  forPieces(count, control, [&](std::int64_t begin, std::int64_t end) {
    sums[static_cast<std::size_t>(begin / kPiece)] = body(begin, end);
  });
  return std::accumulate(sums.begin(), sums.end(), Value(0));
}

}  // namespace

double sumPieces(std::int64_t count, const Control& control,
                 const std::function<double(std::int64_t begin, std::int64_t end)>& body) {
  return sumOf(count, control, body);
}

std::complex<double> sumComplexPieces(
    std::int64_t count, const Control& control,
    const std::function<std::complex<double>(std::int64_t begin, std::int64_t end)>& body) {
  return sumOf(count, control, body);
}

}  // namespace sscope::lattice
