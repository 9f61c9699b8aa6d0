#include "core/filter/formula/workload/formula_reads.h"

namespace sscope {

void FormulaReads::gather(const std::array<std::int64_t, 3>& voxel, std::int64_t component,
                          std::span<double> values) const {
  const FormulaSetting& setting = workload_.setting();
  const std::vector<FormulaRead>& reads = workload_.formula().reads();
  for (std::size_t r = 0; r < reads.size(); ++r) {
    const ConstArrayView& array = inputs_[reads[r].input];
    const Box& box = setting.inputs[reads[r].input].box;
    std::array<std::int64_t, 3> at{};
    bool outside = false;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t mapped = boundaryIndex(voxel[a] + reads[r].offset[a], setting.volume[a], setting.boundary);
      outside = outside || mapped < 0;
      at[a] = mapped - box.begin[a];
    }
    if (outside) {
      values[r] = setting.constant;
      continue;
    }
    const std::int64_t offset = array.offset(at[0], at[1], at[2], array.extent[3] == 1 ? 0 : component);
    values[r] = dispatch(array.type, [&](auto tag) { return static_cast<double>(array.as<decltype(tag)>()[offset]); });
  }
}

}  // namespace sscope
