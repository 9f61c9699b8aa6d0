#include "core/filter/formula/workload/formula_reads.h"

#include <algorithm>

namespace sscope {

void FormulaReads::gather(const std::array<std::int64_t, 3>& voxel, std::size_t count, std::int64_t component,
                          std::size_t stride, std::span<double> values) const {
  const std::vector<FormulaRead>& reads = workload_.formula().reads();
  for (std::size_t r = 0; r < reads.size(); ++r)
    gatherOne(reads[r], voxel, component, values.subspan(r * stride, count));
}

void FormulaReads::gatherOne(const FormulaRead& read, const std::array<std::int64_t, 3>& voxel, std::int64_t component,
                             std::span<double> values) const {
  const FormulaSetting& setting = workload_.setting();
  const ConstArrayView& array = inputs_[read.input];
  const Box& box = setting.inputs[read.input].box;
  if (array.data == nullptr) {
    std::ranges::fill(values, 0.0);
    return;
  }
  const auto mapped = [&](std::size_t a, std::int64_t i) {
    return boundaryIndex(i + read.offset[a], setting.volume[a], setting.boundary);
  };
  const std::int64_t y = mapped(1, voxel[1]), z = mapped(2, voxel[2]);
  if (y < 0 || z < 0) {
    std::ranges::fill(values, constant_);
    return;
  }
  const std::int64_t one = array.extent[3] == 1 ? 0 : component;
  dispatch(array.type, [&](auto tag) {
    const auto* data = array.as<decltype(tag)>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t x = mapped(0, voxel[0] + static_cast<std::int64_t>(i));
      values[i] =
          x < 0 ? constant_
                : static_cast<double>(data[array.offset(x - box.begin[0], y - box.begin[1], z - box.begin[2], one)]);
    }
  });
}

}  // namespace sscope
