#include "core/reach/rank_share.h"

#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "core/measure/judged_parts.h"
#include "core/workload/noise.h"

namespace sscope::reach {

std::string wrongHalo(std::span<const WantedPlanes> wanted, const std::byte* slots, std::int64_t planeBytes,
                      ElementType type, std::uint64_t seed, const Control& control) {
  const std::int64_t elements = planeBytes / static_cast<std::int64_t>(bytesOf(type));
  for (const WantedPlanes& run : wanted) {
    std::vector<std::byte> planes(static_cast<std::size_t>(run.count * planeBytes));
    fillNoise({{run.begin * elements, run.count * elements, planes.data()}}, type, seed, control);
    if (std::memcmp(planes.data(), slots + run.slot * planeBytes, planes.size()) != 0)
      return "the planes " + std::to_string(run.begin) + " to " + std::to_string(run.begin + run.count - 1) +
             " that were received are wrong";
  }
  return {};
}

namespace {

std::vector<double> numbersOf(const Verification& own) {
  std::vector<double> numbers{static_cast<double>(verdictOf(own)),
                              own.relativeL2,
                              own.maximumUlp,
                              own.largestShare,
                              own.full ? 1.0 : 0.0,
                              static_cast<double>(own.compared),
                              static_cast<double>(own.unjudged),
                              static_cast<double>(own.ties),
                              static_cast<double>(own.meaningless),
                              static_cast<double>(own.stoodOut)};
  for (const Verification::Output& output : own.outputs) {
    numbers.push_back(static_cast<double>(output.compared));
    numbers.push_back(static_cast<double>(output.unjudged));
    numbers.push_back(static_cast<double>(output.overflown));
  }
  return numbers;
}

Verification fromNumbers(std::span<const double> numbers, const Verification& own) {
  const auto count = [&](std::size_t i) { return std::llround(numbers[i]); };
  const auto verdict = static_cast<Verdict>(count(0));
  Verification found;
  found.verified = verdict == Verdict::Verified;
  found.undecided = verdict == Verdict::Undecided;
  if (verdict == Verdict::Wrong) found.failure = own.failure.empty() ? "the result of another rank" : own.failure;
  found.relativeL2 = numbers[1];
  found.maximumUlp = numbers[2];
  found.largestShare = numbers[3];
  found.full = count(4) != 0;
  found.compared = count(5);
  found.unjudged = count(6);
  found.ties = count(7);
  found.meaningless = count(8);
  found.stoodOut = count(9);
  for (std::size_t i = 10; const Verification::Output& output : own.outputs) {
    found.outputs.push_back({count(i), count(i + 1), count(i + 2), output.name});
    i += 3;
  }
  if (found.undecided) found.failure = whyUndecided(found);
  found.coverage = coverageOf({}, found);
  return found;
}

}  // namespace

ResultLosses ofAllRanks(const ResultLosses& own, Communicator& ranks, const Control& control) {
  ResultLosses sum = own;
  const std::array counts{&sum.saturated,     &sum.nonFinite,      &sum.input.nonFinite,
                          &sum.input.nonzero, &sum.input.vanished, &sum.input.rounded};
  std::array<double, counts.size()> mine{};
  for (std::size_t i = 0; i < counts.size(); ++i) mine[i] = static_cast<double>(*counts[i]);
  const std::vector<double> all = ranks.gather(mine, control);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    double value = 0;
    for (std::size_t k = i; k < all.size(); k += counts.size()) value += all[k];
    *counts[i] = std::llround(value);
  }
  return sum;
}

Verification worstOfRanks(const Verification& own, Communicator& ranks, const Control& control) {
  const std::vector<double> mine = numbersOf(own);
  const std::vector<double> all = ranks.gather(mine, control);
  Verification worst;
  for (std::size_t k = 0; k < all.size(); k += mine.size())
    worst = joined(worst, fromNumbers(std::span(all).subspan(k, mine.size()), own));
  if (own.coverage != coverageOf({}, own)) worst.coverage = own.coverage;  // coverage in other words
  return worst;
}

}  // namespace sscope::reach
