#pragma once
// Passes of the conjugate residual over all sites, by several threads, with their sums and times.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <memory>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/cpu/lattice/cr_pieces.h"
#include "core/measure/kernel_trace.h"

namespace sscope::cpu {

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
