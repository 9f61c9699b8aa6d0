#include "core/report/extents.h"

#include "core/workload/catalog.h"

namespace sscope {

namespace {

std::vector<std::int64_t> ofShape(const std::array<std::int64_t, 3>& shape, bool image) {
  std::vector<std::int64_t> extents{shape[0], shape[1]};
  if (!image) extents.push_back(shape[2]);
  return extents;
}

}  // namespace

std::vector<std::int64_t> extentsOf(const Measurement& measurement) {
  if (const auto lattice = measurement.params.find("lattice");
      lattice != measurement.params.end() && lattice->is_array())
    return lattice->get<std::vector<std::int64_t>>();
  const WorkloadKind* kind = findWorkloadKind(measurement.workload);
  return ofShape(measurement.shape, kind != nullptr ? kind->dimensions == 2 : measurement.shape[2] == 1);
}

std::vector<std::int64_t> extentsOf(const WorkloadKind& kind, const std::array<std::int64_t, 3>& shape,
                                    const OptionValues& values) {
  std::vector<std::int64_t> extents = ofShape(shape, kind.dimensions == 2);
  if (findOption(kind.options, "time") != nullptr)
    extents.push_back(integerOf(completeOptions(kind.options, values), "time"));
  return extents;
}

std::string extentsText(const std::vector<std::int64_t>& extents, const std::string& times) {
  std::string text;
  for (const std::int64_t extent : extents) text += (text.empty() ? "" : times) + std::to_string(extent);
  return text;
}

}  // namespace sscope
