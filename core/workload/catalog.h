#pragma once
// The workloads with a ladder of variants, as data for the command line, the window and the reports.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/options/option.h"
#include "core/workload/workload.h"

namespace sscope {

struct WorkloadKind {
  std::string name;         // "bank"
  std::string title;        // "Bank of dense kernels"
  std::string explanation;  // one paragraph for users
  std::string source;       // the paper
  std::vector<Option> options;
  std::array<std::int64_t, 3> shape;       // of the paper, x y z
  std::array<std::int64_t, 3> smallShape;  // for small machines
  int dimensions = 3;                      // 2: images only
  // The element type of the noise it is timed on.
  std::function<ElementType(const OptionValues&)> input;
  // Throws Error(Usage) if input and values do not fit.
  std::function<std::unique_ptr<Workload>(const ArraySpec&, const OptionValues&)> make;
  // Extents of the input for a shape, if they are not the shape with one component.
  std::function<std::array<std::int64_t, 4>(const std::array<std::int64_t, 3>&, const OptionValues&)> extent{};

  // The input of this shape; the values must be complete.
  [[nodiscard]] ArraySpec inputSpec(const std::array<std::int64_t, 3>& shape, const OptionValues& values) const;
};

template <class T>
[[nodiscard]] std::unique_ptr<Workload> makeWorkload(const ArraySpec& input, const OptionValues& values) {
  return std::make_unique<T>(input, completeOptions(T::options(), values));
}

// The workloads of all subjects (core/subjects.cpp).
[[nodiscard]] const std::vector<WorkloadKind>& workloadCatalog();
// Null for an unknown name.
[[nodiscard]] const WorkloadKind* findWorkloadKind(std::string_view name);

// Options that the ladders' workloads share.

// Adds boundary, constant and seed.
void addBoundaryOptions(std::vector<Option>& options);

// The value must be present, as after completeOptions().
[[nodiscard]] Boundary boundaryOf(const OptionValues& values);

}  // namespace sscope
