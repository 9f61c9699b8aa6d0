#pragma once
// What `sscope compare` computes and on what: from its options, or from a capsule.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/filter/bank_options.h"
#include "app/setup/setup.h"
#include "core/base/control.h"
#include "core/compare/comparison.h"
#include "core/options/option.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope::cli {

struct CompareSource {
  DataSource data;                      // empty: noise
  std::vector<std::int64_t> shape;      // of the noise; empty: a default
  std::string type;                     // of the noise for filters; empty: f32
  BankOptions bank;                     // no filters: one gaussian
  std::string workload;                 // of the catalog, instead of filters; empty: filters
  std::vector<std::string> parameters;  // its "key=value"
};

struct CompareCase {
  compare::CaseRecipe recipe;  // complete
  std::shared_ptr<const Volume> input;
  std::shared_ptr<const Workload> workload;
  OptionValues variantValues;  // parameters that belong to variants
  int threads = 0;             // as a parameter says
};

// Throws Error(Usage) for what does not fit together, and what reading and making the data throws.
[[nodiscard]] CompareCase makeCompareCase(const CompareSource& source, Workshop& workshop, const Control& control);

// The same as a capsule has, with its data made again, or read from `file` where they came from one. Throws
// Error(NotFound) where that has to be named, and as compare::requireSame.
[[nodiscard]] CompareCase replayedCase(const compare::Comparison& capsule, const std::string& file, Workshop& workshop,
                                       const Control& control);

// Files that are read, which nothing must replace.
[[nodiscard]] std::vector<std::string> filesOf(const CompareSource& source);

}  // namespace sscope::cli
