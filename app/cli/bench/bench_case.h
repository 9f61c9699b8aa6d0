#pragma once
// What `sscope bench` times: a workload and its input, from the options of the command line.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/setup/setup.h"
#include "core/base/control.h"
#include "core/filter/job/slider_bench.h"
#include "core/options/option.h"
#include "core/volume/volume.h"
#include "core/workload/catalog.h"
#include "core/workload/workload.h"

namespace sscope::cli {

struct BenchCaseOptions {
  std::string workload;
  std::vector<std::int64_t> shape;      // x, y[, z]; empty: the workload's default
  std::vector<std::string> parameters;  // "key=value"
  DataSource source;  // empty: noise of `shape`; for lattice workloads a gauge configuration, with a noise field
};

struct BenchCase {
  Volume input;
  std::unique_ptr<Workload> workload;
  int threads = 0;
  OptionValues variantValues;  // parameters that belong to variants, not to the workload
  std::string title;           // one line for display
  // For a configuration from a file: {"configuration": the file's name, "plaquette": its mean}.
  nlohmann::json origin = nlohmann::json::object();
};

// The workloads that can be timed, in order.
[[nodiscard]] std::vector<std::string> benchWorkloads();

// Throws Error(Usage) for unknown workloads, keys and values, naming the known ones. `variants` knows the parameters of
// variants (unroll, block shape), which are given the same way.
[[nodiscard]] BenchCase makeBenchCase(const BenchCaseOptions& options, const VariantTable& variants, VolumeIo& io,
                                      const Control& control);

// The same without data and, on the lattice, without links: for ranks, each of which makes a part of them.
struct BenchOutline {
  ArraySpec input;
  const WorkloadKind* kind = nullptr;  // null: the workload filter
  OptionValues values{};               // of the kind, complete
  std::unique_ptr<Workload> workload;  // of the workload filter
  std::uint64_t seed = 1;              // of the noise
  int threads = 0;
  OptionValues variantValues{};
  std::string title;
};
// `times` as many planes as given: along the time extent of lattices, else along the slowest axis. Throws as
// makeBenchCase, and Error(Usage) for a source, as parts of files are not made.
[[nodiscard]] BenchOutline benchOutline(const BenchCaseOptions& options, const VariantTable& variants,
                                        std::int64_t times);

// `bench job`: the bank that filter=SPEC and the other parameters of the workload filter make, and what it is used on.
struct SliderBench {
  SliderCase what;
  std::string title;
};
// Throws as makeBenchCase.
[[nodiscard]] SliderBench makeSliderBench(const BenchCaseOptions& options, VolumeIo& io, const Control& control);

// The values of --param for a catalog workload.
struct CatalogParameters {
  OptionValues values, variantValues;  // of the workload and of its variants; only those given
  int threads = 0;
};
// Throws what makeBenchCase throws.
[[nodiscard]] CatalogParameters catalogParameters(const WorkloadKind& kind, const std::vector<std::string>& parameters,
                                                  const VariantTable& variants);
// The extents of --shape for a catalog workload. Throws Error(Usage) for a volume if it supports only images.
[[nodiscard]] std::array<std::int64_t, 3> catalogShape(const WorkloadKind& kind,
                                                       const std::vector<std::int64_t>& extents);

// Every key of --param with its meaning, for --help.
[[nodiscard]] std::string benchParameterHelp(const VariantTable& variants);

}  // namespace sscope::cli
