#pragma once
// One rank on each of several engines of this machine, each on a thread of its own, that share a lattice.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/lattice/ranks/joined_parts.h"
#include "core/parts/thread_ranks.h"

namespace sscope::lattice {

// `Rank`: RankDirac or RankCr.
template <class Rank>
class JoinedRanks {
 public:
  // make(communicator, part, engine, options, control) gives the rank of a part, on its thread. Throws what it throws,
  // and as latticeParts().
  template <class Make>
  JoinedRanks(const Lattice& whole, std::span<Engine* const> engines, std::span<const double> weights,
              const PrepareOptions& options, const Control& control, const Make& make)
      : engines_(engines.begin(), engines.end()), threads_(static_cast<int>(engines.size())), ranks_(engines.size()) {
    const std::vector<LatticePart> parts = partsFor(whole, engines.size(), weights);
    const std::vector<PrepareOptions> shares = threadSharesOf(engines_, options);
    threads_.run(control, [&](reach::Communicator& communicator, const Control& own) {
      const auto rank = static_cast<std::size_t>(communicator.rank());
      ranks_[rank] = make(communicator, parts[rank], *engines_[rank], shares[rank], own);
    });
  }

  [[nodiscard]] std::size_t size() const { return ranks_.size(); }

  // Of the reports of a run, in the order of the engines, with the share of each; planes are those of constant z and t.
  [[nodiscard]] RunReport reportOf(std::span<const RunReport> reports, const sscope::Work& work) const {
    RunReport all = joinedReport(engines_, reports, work);
    const std::vector<std::string> names = namesOfParts(all.engine);
    for (std::size_t k = 0; k < ranks_.size(); ++k) {
      const LatticePart& part = ranks_[k]->part();
      const auto sites = static_cast<double>(part.own.volume());
      note({names[k], static_cast<double>(part.own.extent(2)) * part.own.extent(3),
            sites / static_cast<double>(part.whole.volume()), reports[k].phases.total},
           all.launch);
    }
    return all;
  }

  // work(communicator, rank, first, slice, control) on each rank's thread: the rank's part begins at element `first` of
  // the whole field, whose time slices are `slice` elements apart.
  template <class Work>
  void run(const Control& control, const Work& work) {
    threads_.run(control, [&](reach::Communicator& communicator, const Control& own) {
      Rank& rank = *ranks_[static_cast<std::size_t>(communicator.rank())];
      const LatticePart& part = rank.part();
      const std::int64_t slice = kSpinorElements * part.whole.spatialVolume();
      work(communicator, rank, part.begin[3] * slice + kSpinorElements * part.firstInSlice(), slice, own);
    });
  }

  [[nodiscard]] std::int64_t scratchBytes() const {
    std::int64_t sum = 0;
    for (const auto& rank : ranks_) sum += rank->scratchBytes();
    return sum;
  }

  // "cpu:avx512: 8x8x8x4, ...; opencl:0: ...".
  [[nodiscard]] std::string description() const {
    std::string text;
    for (std::size_t k = 0; k < ranks_.size(); ++k)
      text += (k > 0 ? "; " : "") + engines_[k]->info().id + ": " + ranks_[k]->part().own.text() + ", " +
              ranks_[k]->description();
    return text;
  }

 private:
  std::vector<Engine*> engines_;
  reach::ThreadRanks threads_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace sscope::lattice
