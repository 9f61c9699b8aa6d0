#include "core/lattice/vector_space.h"

#include "core/lattice/parallel.h"
#include "core/lattice/wilson.h"

namespace sscope::lattice {

namespace {

// The real numbers of a piece of a field. Pieces are counted in sites, so that one of them is a fixed number of bytes
// here too.
struct Numbers {
  std::int64_t begin, end;
};
constexpr std::int64_t kNumbersOfSite = 2 * kSpinorElements;
// The sums below process this many numbers at once, which fill the processor's vectors and divide the numbers of a
// site.
constexpr int kLanes = 8;

const double* numbers(const SpinorField& field) { return reinterpret_cast<const double*>(field.data()); }
double* numbers(SpinorField& field) { return reinterpret_cast<double*>(field.data()); }

std::int64_t sitesOf(const SpinorField& field) { return static_cast<std::int64_t>(field.size() / kSpinorElements); }
Numbers numbersOf(std::int64_t begin, std::int64_t end) { return {begin * kNumbersOfSite, end * kNumbersOfSite}; }

// one(number of x, number of y) for all complex numbers.
template <class Update>
void update(SpinorField& y, const SpinorField& x, const Control& control, const Update& one) {
  const double* from = numbers(x);
  double* to = numbers(y);
  forPieces(sitesOf(y), control, [&](std::int64_t first, std::int64_t last) {
    const auto [begin, end] = numbersOf(first, last);
    for (std::int64_t k = begin; k < end; k += 2) one(from + k, to + k);
  });
}

Complex dotOf(const double* a, const double* b, Numbers range) {
  double same[kLanes] = {}, crossed[kLanes] = {};  // even lanes: re im, odd ones: im re
  for (std::int64_t k = range.begin; k < range.end; k += kLanes)
    for (int j = 0; j < kLanes; ++j) {
      same[j] += a[k + j] * b[k + j];
      crossed[j] += a[k + j] * b[k + (j ^ 1)];
    }
  double re = 0, im = 0;
  for (int j = 0; j < kLanes; j += 2) {
    re += same[j] + same[j + 1];
    im += crossed[j] - crossed[j + 1];
  }
  return {re, im};
}

double norm2Of(const double* a, Numbers range) {
  double sums[kLanes] = {};
  for (std::int64_t k = range.begin; k < range.end; k += kLanes)
    for (int j = 0; j < kLanes; ++j) sums[j] += a[k + j] * a[k + j];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

}  // namespace

std::int64_t VectorSpace::planes() const {
  return own_.volume() == 0 ? 1 : std::int64_t{own_.extent(2)} * own_.extent(3);
}

Complex VectorSpace::total(std::span<const Complex> own, const Control& /*control*/) const {
  return sumInOrder(own, own_.volume() == 0 ? 1 : own_.extent(2));
}

Complex VectorSpace::dot(const SpinorField& a, const SpinorField& b, const Control& control) const {
  return total(sumRuns(planes(), sitesOf(a) / planes(), control,
                       [&](std::int64_t begin, std::int64_t end) {
                         return dotOf(numbers(a), numbers(b), numbersOf(begin, end));
                       }),
               control);
}

double VectorSpace::norm2(const SpinorField& a, const Control& control) const {
  return total(sumRuns(planes(), sitesOf(a) / planes(), control,
                       [&](std::int64_t begin, std::int64_t end) {
                         return Complex(norm2Of(numbers(a), numbersOf(begin, end)));
                       }),
               control)
      .real();
}

void VectorSpace::hashFill(SpinorField& field, std::uint64_t seed) const { lattice::hashFill(field, seed); }

Complex dot(const SpinorField& a, const SpinorField& b, const Control& control) {
  return sumComplexPieces(sitesOf(a), control, [&](std::int64_t begin, std::int64_t end) {
    return dotOf(numbers(a), numbers(b), numbersOf(begin, end));
  });
}

double norm2(const SpinorField& a, const Control& control) {
  return sumPieces(sitesOf(a), control,
                   [&](std::int64_t begin, std::int64_t end) { return norm2Of(numbers(a), numbersOf(begin, end)); });
}

void addScaled(Complex alpha, const SpinorField& x, SpinorField& y, const Control& control) {
  update(y, x, control, [re = alpha.real(), im = alpha.imag()](const double* from, double* to) {
    to[0] += re * from[0] - im * from[1];
    to[1] += re * from[1] + im * from[0];
  });
}

void scaleAdd(const SpinorField& x, Complex beta, SpinorField& y, const Control& control) {
  update(y, x, control, [re = beta.real(), im = beta.imag()](const double* from, double* to) {
    const double a = to[0], b = to[1];
    to[0] = from[0] + (re * a - im * b);
    to[1] = from[1] + (re * b + im * a);
  });
}

void applyGamma5(SpinorField& psi, const Control& control) {
  forPieces(sitesOf(psi), control, [&](std::int64_t begin, std::int64_t end) {
    for (auto k = static_cast<std::size_t>(begin) * kSpinorElements;
         k < static_cast<std::size_t>(end) * kSpinorElements; ++k)
      psi[k] *= kGamma5[k % kSpins];
  });
}

}  // namespace sscope::lattice
