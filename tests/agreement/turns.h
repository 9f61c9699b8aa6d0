#pragma once
// Which engines take which case, in tests that prove the same of every engine: of what runs around kernels, such as
// slabs, streams and programs, rather than of the kernels themselves (filter_agreement_test.cpp).

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "tests/support/sampling.h"

namespace sscope::test {

// The levels of the processor take turns with the cases. Devices, which compile for most cases anew, take one of
// `deviceShares`, or every case where there are no others. Every engine takes every case where everything is wanted.
class Turns {
 public:
  Turns(std::vector<Engine*> engines, std::size_t deviceShares, const std::string& test)
      : engines_(std::move(engines)), shares_(deviceShares), sampling_(Sampling::ofRun().named(test)) {
    for (const Engine* engine : engines_)
      if (!engine->info().isDevice()) levels_.push_back(engine);
  }

  [[nodiscard]] bool takes(const Engine& engine, std::size_t number) const {
    if (engine.info().isDevice()) return levels_.empty() || inShare(number, shares_, sampling_);
    const auto level = std::ranges::find(levels_, &engine) - levels_.begin();
    return inShare(number + static_cast<std::size_t>(level), levels_.size(), sampling_);
  }
  // Of a row that is written for one engine, always.
  [[nodiscard]] bool takes(const Engine& engine, std::size_t number, const Variant& row) const {
    return !row.onlyOn.empty() || takes(engine, number);
  }
  [[nodiscard]] std::vector<Engine*> of(std::size_t number) const {
    std::vector<Engine*> taking = engines_;
    std::erase_if(taking, [&](const Engine* engine) { return !takes(*engine, number); });
    return taking;
  }
  [[nodiscard]] const Sampling& sampling() const { return sampling_; }
  // For cases whose product no run takes.
  [[nodiscard]] Sampling pairs() const { return {sampling_.seed, false}; }

 private:
  std::vector<Engine*> engines_;
  std::vector<const Engine*> levels_;
  std::size_t shares_;
  Sampling sampling_;
};

}  // namespace sscope::test
