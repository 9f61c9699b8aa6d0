#pragma once
// Who computes filters in parts, and how the parts differ from the whole: not at all.

#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/filter/job/filter_job.h"
#include "core/parts/partition.h"
#include "tests/agreement/machine.h"

namespace sscope::test {

// The differences are sentences, empty where there is none.

// Of a part that is computed from data that are NaN, or the largest of their type, where it should not read them.
[[nodiscard]] std::string differenceOfPart(const TestMachine& machine, FilterJob job, const Volume& input,
                                           const FilterResult& whole, const Range& planes);
// Of single planes and ranges of planes of all sizes; on devices, which compile every part anew, of few.
[[nodiscard]] std::string differenceOfParts(const TestMachine& machine, const FilterJob& job, const Volume& input,
                                            std::mt19937& random);
// Of slabs of a few planes that are computed while the data arrive; tells how many there were.
[[nodiscard]] std::string differenceOfSlabs(const TestMachine& machine, const FilterJob& job, const Volume& input,
                                            int* pieces = nullptr);
// Of slabs of at most `most` planes that are read from a file and written to others.
[[nodiscard]] std::string differenceOfStream(const TestMachine& machine, const FilterJob& job, const Volume& input,
                                             std::int64_t most);
// Of `times` times this engine, which share the work.
[[nodiscard]] std::string differenceOfShares(const TestMachine& machine, FilterJob job, const Volume& input, int times);

struct PartsBank {
  std::vector<std::string> specs;
  bool arrives = false;  // parts that are not told of the whole compute it in the same way
  bool onRanks = false;  // each filter can be judged by itself
};
[[nodiscard]] const std::vector<PartsBank>& partsBanks();

struct PartsUser {
  const char* what;
  bool (*takes)(const PartsBank& bank, const VolumeShape& shape, const Engine& engine);
  std::string (*difference)(const TestMachine& machine, const FilterJob& job, const Volume& input,
                            std::mt19937& random);
};
[[nodiscard]] std::span<const PartsUser> partsUsers();

// On a device an image is one slice, and copied as such.
[[nodiscard]] inline bool cutsImages(const Engine& engine) { return !engine.info().isDevice(); }

}  // namespace sscope::test
