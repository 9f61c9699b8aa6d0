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

namespace {

template <class Body>
void forEach(std::int64_t pieces, const Control& control, const Body& body) {
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, pieces), [&](const tbb::blocked_range<std::int64_t>& range) {
    for (std::int64_t piece = range.begin(); piece < range.end(); ++piece) {
      if (control.stopRequested()) return;
      body(piece);
    }
  });
  control.check();
}

std::int64_t piecesOf(std::int64_t count) { return (count + kPiece - 1) / kPiece; }

}  // namespace

void forPieces(std::int64_t count, const Control& control,
               const std::function<void(std::int64_t begin, std::int64_t end)>& body) {
  forEach(piecesOf(count), control,
          [&](std::int64_t piece) { body(piece * kPiece, std::min(count, (piece + 1) * kPiece)); });
}

namespace {

template <class Value>
Value sumOf(std::int64_t count, const Control& control,
            const std::function<Value(std::int64_t begin, std::int64_t end)>& body) {
  std::vector<Value> sums(static_cast<std::size_t>(piecesOf(count)));
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

std::vector<std::complex<double>> sumRuns(
    std::int64_t runs, std::int64_t each, const Control& control,
    const std::function<std::complex<double>(std::int64_t begin, std::int64_t end)>& body) {
  const std::int64_t pieces = piecesOf(each);
  std::vector<std::complex<double>> parts(static_cast<std::size_t>(runs * pieces));
  forEach(runs * pieces, control, [&](std::int64_t k) {
    const std::int64_t first = k / pieces * each, begin = k % pieces * kPiece;
    parts[static_cast<std::size_t>(k)] = body(first + begin, first + std::min(each, begin + kPiece));
  });
  std::vector<std::complex<double>> sums(static_cast<std::size_t>(runs));
  for (std::size_t k = 0; k < parts.size(); ++k) sums[k / static_cast<std::size_t>(pieces)] += parts[k];
  return sums;
}

std::complex<double> sumInOrder(std::span<const std::complex<double>> planes, std::int64_t perSlice) {
  const auto count = static_cast<std::size_t>(perSlice);
  std::complex<double> sum = 0;
  for (std::size_t first = 0; first < planes.size(); first += count) {
    std::complex<double> slice = 0;
    for (const std::complex<double>& plane : planes.subspan(first, count)) slice += plane;
    sum += slice;
  }
  return sum;
}

}  // namespace sscope::lattice
