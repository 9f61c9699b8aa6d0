#pragma once
// The case (core/compare/case.h) that the options of `sscope bench`, `sscope compare` and `sscope-mpi bench` describe.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/filter/bank_options.h"
#include "app/setup/setup.h"
#include "core/base/control.h"
#include "core/compare/case.h"
#include "core/options/option.h"
#include "core/workload/catalog.h"

namespace sscope::cli {

inline constexpr const char* kFilterWorkload = "filter";

struct CaseOptions {
  std::string workload = kFilterWorkload;  // that, or a name in the catalog
  std::vector<std::string> parameters;     // "key=value"
  // The filters of the workload filter as `sscope filter` takes them. Not given: `parameters` name them.
  std::optional<BankOptions> bank;
  std::vector<std::int64_t> shape;  // of noise: x, y[, z]; empty: the workload's
  std::string type;                 // of noise that is filtered; empty: f32
  // Empty: noise. A file is a gauge configuration for lattice workloads, which compute on a noise field.
  DataSource source;
};

// The workloads that can be timed, in order.
[[nodiscard]] std::vector<std::string> benchWorkloads();

// Reads the data, or makes the noise. Throws Error(Usage) for unknown workloads, keys and values, naming the known
// ones, and for what does not fit together. `variants` knows the parameters of variants (unroll, block shape), which
// are given like those of the workload.
[[nodiscard]] compare::Case makeCase(const CaseOptions& options, const VariantTable& variants, VolumeIo& io,
                                     const Control& control);

// The case without data and workload, for ranks, each of which makes its part of both. It has `times` as many planes as
// given: along the time extent of lattices, else along the slowest axis. Throws as makeCase, and Error(Usage) for a
// source, as ranks make noise alone.
[[nodiscard]] compare::Case outlinedCase(const CaseOptions& options, const VariantTable& variants, std::int64_t times);

// Files that the case is read from, which nothing must replace.
[[nodiscard]] std::vector<std::string> filesOf(const CaseOptions& options);

// The values of --param for a catalog workload.
struct CatalogParameters {
  OptionValues values, variantValues;  // of the workload and of its variants; only those given
  int threads = 0;
};
// Throws what makeCase throws.
[[nodiscard]] CatalogParameters catalogParameters(const WorkloadKind& kind, const std::vector<std::string>& parameters,
                                                  const VariantTable& variants);
// The extents of --shape. Throws Error(Usage) for a volume if the workload supports only images.
[[nodiscard]] std::array<std::int64_t, 3> shapeOf(const std::string& workload, int dimensions,
                                                  const std::vector<std::int64_t>& extents);

// Every key of --param with its meaning, for --help.
[[nodiscard]] std::string benchParameterHelp(const VariantTable& variants);

}  // namespace sscope::cli
