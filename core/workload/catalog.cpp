#include "core/workload/catalog.h"

#include <algorithm>

namespace sscope {

ArraySpec WorkloadKind::inputSpec(const std::array<std::int64_t, 3>& shape_, const OptionValues& values) const {
  return {input(values),
          extent ? extent(shape_, values) : std::array{shape_[0], shape_[1], shape_[2], std::int64_t{1}}};
}

const WorkloadKind* findWorkloadKind(std::string_view name) {
  const auto& catalog = workloadCatalog();
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const WorkloadKind& kind) { return kind.name == name; });
  return found == catalog.end() ? nullptr : &*found;
}

}  // namespace sscope
