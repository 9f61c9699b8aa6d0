#pragma once
// The conjugate residual's loops over numbers, the pieces of the lattice that they run on, and its passes over all
// pieces by several threads.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/lattice/ranks/halo.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/ranks/ordered_sum.h"
#include "core/measure/kernel_trace.h"
#include "core/parts/communicator.h"

namespace sscope::cpu {

// The conjugate residual's loops over contiguous complex numbers, real before imaginary part. Ranges count complex
// numbers.

using Complex = std::complex<double>;

struct ElementRange {
  std::int64_t begin = 0, end = 0;
};

// The paper's operations one by one, in plain C++ with vectorization disabled. T is double or float.
namespace plain {
void scale(Complex factor, double* y, ElementRange range);  // y <- factor y (xscal)
template <class T>
void addScaled(Complex factor, const T* x, T* y, ElementRange range);  // y <- factor x + y (xaxpy)
template <class T>
[[nodiscard]] double norm2(const T* x, ElementRange range);                       // (x|x) (xnrm2)
[[nodiscard]] Complex dot(const double* x, const double* y, ElementRange range);  // (x|y)
void gamma5(double twist, const double* in, double* out, ElementRange range);     // out <- gamma_5 out + i twist in
}  // namespace plain

// All updates between two sums in one pass, for doubles or floats; sums are doubles.
namespace fused {
// r <- r - alpha ap; gives (r|r).
template <class T>
[[nodiscard]] double residual(Complex alpha, const T* ap, T* r, ElementRange range);
// out <- gamma_5 out + i twist in; gives (in|out).
template <class T>
[[nodiscard]] Complex gamma5Dot(T twist, const T* in, T* out, ElementRange range);
template <class T>
struct Directions {
  const T *r, *ar;
  T *x, *p, *ap;
};
// x <- x + alpha p, p <- r + beta p, ap <- ar + beta ap; gives (ap|ap).
template <class T>
[[nodiscard]] double directions(Complex alpha, Complex beta, const Directions<T>& fields, ElementRange range);
}  // namespace fused

// The sites that a run of the conjugate residual computes, cut into planes of constant z and t: each has a sum of its
// own (core/lattice/ranks/ordered_sum.h). And what a run needs of other ranks.

struct CrPiece {
  ElementRange rows, elements;  // of the fields
  std::int64_t outside = 0;     // of the caller's arrays, the first element
};

struct CrPieces {
  explicit CrPieces(const lattice::Lattice& whole);
  // Fields lie on the extended lattice; the caller's time slices are `slice` elements apart.
  CrPieces(const lattice::LatticePart& part, std::int64_t slice);

  std::int64_t perSlice = 1;
  std::vector<CrPiece> all;  // in order of z, then t
  // Those that need no halo, and the others.
  std::vector<std::size_t> inner, outer;
};

class CrRanks {
 public:
  // Every rank. `part` and `communicator` outlive this.
  CrRanks(reach::Communicator& communicator, const lattice::LatticePart& part,
          const lattice::WilsonParameters& parameters, const Control& control);

  [[nodiscard]] const lattice::LatticePart& part() const { return part_; }
  // Every rank.
  [[nodiscard]] Complex total(const std::vector<Complex>& planes, const Control& control) const {
    return sum_.ofPlanes(planes, communicator_, control);
  }
  // The halo of a field on the extended lattice is asked for, and written. `Stored`: double or float.
  template <class Stored>
  [[nodiscard]] std::unique_ptr<reach::Exchange> beginHalo(const Stored* field, const Control& control);
  template <class Stored>
  void endHalo(std::unique_ptr<reach::Exchange> exchange, Stored* field, const Control& control);
  // Of an exchange of such fields, bytes that this rank sends; and the seconds it has waited in all.
  template <class Stored>
  [[nodiscard]] std::int64_t haloBytes() {
    return halo<Stored>().bytes();
  }
  [[nodiscard]] double waited() const { return waited_; }

 private:
  template <class Stored>
  [[nodiscard]] lattice::BasicSpinorHalo<Stored>& halo();

  reach::Communicator& communicator_;
  const lattice::LatticePart& part_;
  lattice::WilsonParameters parameters_;
  lattice::OrderedSum sum_;
  std::optional<lattice::BasicSpinorHalo<double>> doubles_;
  std::optional<lattice::BasicSpinorHalo<float>> floats_;
  double waited_ = 0;
};

// Passes of the conjugate residual over all sites, by several threads, with their sums and times.

class CrSweeps {
 public:
  // `ranks`, not null: this is one of them. `trace`, not null: passes are recorded in it. All outlive this.
  CrSweeps(const CrPieces& pieces, CrRanks* ranks, int threads, tbb::task_arena& arena, KernelTrace* trace,
           const Control& control)
      : pieces_(pieces),
        ranks_(ranks),
        threads_(threads),
        arena_(arena),
        trace_(trace),
        control_(control),
        sums_(pieces.all.size()) {}

  [[nodiscard]] bool oneOfSeveral() const { return ranks_ != nullptr; }

  // The sum of body(piece) over all pieces, those of all ranks.
  template <class Body>
  Complex sum(const char* name, Body&& body) {
    visit(
        name, sums_.size(), [](std::size_t k) { return k; }, body);
    return total();
  }
  // body(piece) for the pieces of this rank.
  template <class Body>
  void each(const char* name, Body&& body) {
    visit(
        name, sums_.size(), [](std::size_t k) { return k; },
        [&](const CrPiece& piece) {
          body(piece);
          return Complex(0);
        });
  }
  // body(piece), which applies the operator to `field`: meanwhile its halo arrives. `Stored`: double or float. What
  // body gives is summed by total().
  template <class Stored, class Body>
  void hops(const char* name, Stored* field, Body&& body);

  // The sum of what the last pass gave, on all ranks.
  [[nodiscard]] Complex total() const {
    return ranks_ != nullptr ? ranks_->total(sums_, control_) : lattice::sumInOrder(sums_, pieces_.perSlice);
  }

 private:
  // sums_[k] <- body(piece k) for k = at(0), at(1), ... Each thread processes its part in order.
  template <class At, class Body>
  void visit(const char* name, std::size_t count, At&& at, Body&& body);
  void record(const char* name, double start) {
    if (trace_ != nullptr) trace_->spans.push_back({name, start, clock_.seconds(), 0});
  }

  const CrPieces& pieces_;
  CrRanks* ranks_;
  int threads_;
  tbb::task_arena& arena_;
  KernelTrace* trace_;
  const Control& control_;
  std::vector<Complex> sums_;  // of pieces
  Stopwatch clock_;
};

template <class At, class Body>
void CrSweeps::visit(const char* name, std::size_t count, At&& at, Body&& body) {
  const double start = clock_.seconds();
  const auto threads = static_cast<std::size_t>(threads_);
  arena_.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, threads, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t part = range.begin(); part != range.end(); ++part)
            for (std::size_t k = count * part / threads; k < count * (part + 1) / threads; ++k) {
              control_.check();
              sums_[at(k)] = body(pieces_.all[at(k)]);
            }
        },
        tbb::simple_partitioner());
  });
  record(name, start);
}

template <class Stored, class Body>
void CrSweeps::hops(const char* name, Stored* field, Body&& body) {
  const auto some = [&](const std::vector<std::size_t>& which) {
    if (!which.empty())
      visit(
          name, which.size(), [&](std::size_t k) { return which[k]; }, body);
  };
  std::unique_ptr<reach::Exchange> halo;
  if (ranks_ != nullptr) halo = ranks_->beginHalo(field, control_);
  some(pieces_.inner);
  if (ranks_ != nullptr) {
    const double start = clock_.seconds();
    ranks_->endHalo(std::move(halo), field, control_);
    record("halo", start);
    some(pieces_.outer);
  }
}

}  // namespace sscope::cpu
