#pragma once
// How each operator of a bank is computed.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cpu/filter/tile_space.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope::cpu {

enum class Method : std::uint8_t { Dense, Separable, Selection, Bisection };

// A way to compute operators of some kind.
struct MethodRow {
  Method method;
  std::string_view name;  // as in reports and as a variant: "dense"
  bool (*takes)(const Operator& op);
  // Estimated time per output, in multiply-adds of a dense filter; only ratios matter.
  double (*cost)(const Operator& op, Precision precision);
};
[[nodiscard]] std::span<const MethodRow> methodRows();
[[nodiscard]] std::string_view toString(Method method);

// What the user asked for; automatic: the cheapest for each.
using MethodRequest = std::optional<Method>;

struct MethodChoice {
  std::vector<Method> methods;  // per operator
  std::string why;              // empty when there was nothing to choose
};

// Operators that the requested method does not take are computed by their cheapest.
[[nodiscard]] MethodChoice chooseMethods(const FilterWorkload& workload, MethodRequest request);

// Empty when the variant can run this workload, else why not.
[[nodiscard]] std::string unsupportedReason(const FilterWorkload& workload, MethodRequest request);

// The order of axes in which vectors are long and the kernels have the most to share.
[[nodiscard]] AxisOrder denseOrder(const FilterWorkload& workload, const std::vector<std::size_t>& filters);
[[nodiscard]] AxisOrder separableOrder(const FilterWorkload& workload, std::size_t filter);

}  // namespace sscope::cpu
