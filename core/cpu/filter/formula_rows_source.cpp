#include "core/cpu/filter/formula_rows_source.h"

#include <algorithm>
#include <type_traits>

#include "core/boundary/boundary.h"

namespace sscope::cpu {

template <class T>
FormulaRowsOf<T>::FormulaRowsOf(const FormulaWorkload& workload, std::size_t input, std::int64_t dz)
    : input_(input), dz_(dz), components_(workload.components()), constant_(workload.setting().constant) {
  const FormulaSetting& setting = workload.setting();
  bool first = true;
  for (const FormulaRead& read : workload.formula().reads()) {
    if (read.input != input || read.offset[2] != dz) continue;
    lowX_ = first ? read.offset[0] : std::min(lowX_, read.offset[0]);
    highX_ = first ? read.offset[0] : std::max(highX_, read.offset[0]);
    lowY_ = first ? read.offset[1] : std::min(lowY_, read.offset[1]);
    highY_ = first ? read.offset[1] : std::max(highY_, read.offset[1]);
    first = false;
  }
  own_ = setting.inputs[input].spec.extent[3];
  firstX_ = (setting.region.begin[0] + lowX_) * components_;
  volumeX_ = setting.volume[0] * components_;
  const std::array<std::int64_t, 3> low{lowX_, lowY_, dz}, high{highX_, highY_, dz};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::int64_t i = setting.region.begin[a] + low[a]; i < setting.region.end[a] + high[a]; ++i) {
      const std::int64_t mapped = boundaryIndex(i, setting.volume[a], setting.boundary);
      const std::int64_t index = mapped < 0 ? -1 : mapped - setting.inputs[input].box.begin[a];
      const std::int64_t values = a == 0 ? components_ : 1;
      for (std::int64_t c = 0; c < values; ++c) index_[a].push_back(index < 0 ? -1 : index * values + c);
    }
}

template <class T>
typename FormulaRowsOf<T>::Held FormulaRowsOf<T>::hold(ScratchCarver& carver, std::int64_t block, std::int64_t lanes,
                                                       std::int64_t tallest) const {
  Held result;
  for (std::int64_t r = 0; r < held(); ++r) result.buffers.push_back(carver.take<T>(rowElements(block, lanes)));
  result.rows.resize(result.buffers.size() + static_cast<std::size_t>(tallest));
  return result;
}

template <class T>
const T* FormulaRowsOf<T>::direct(const ConstArrayView& array, const Block& block, std::int64_t iy,
                                  std::int64_t iz) const {
  const auto& [nx, ny, nz, nc] = array.extent;
  const bool dense = array.stride[0] == nc && array.stride[1] == nx * nc && array.stride[2] == nx * ny * nc &&
                     (nc == 1 || array.stride[3] == 1);
  if (array.type != ElementTypeOf<T>::value || !dense || own_ != components_ || iy < 0 || iz < 0) return nullptr;
  const std::int64_t count = block.count + (highX_ - lowX_) * components_;
  const std::int64_t begin = firstX_ + block.firstValue;
  if (begin < 0 || begin + count > volumeX_) return nullptr;
  const std::int64_t at =
      index_[0][static_cast<std::size_t>(block.firstValue)] + iy * array.stride[1] + iz * array.stride[2];
  if (at + count + block.lanes > array.elements()) return nullptr;  // whole vectors are read
  return array.as<T>() + at;
}

template <class T>
void FormulaRowsOf<T>::fetchRow(const ConstArrayView& array, const PrecisionKernels<T>& kernels, const Block& block,
                                std::int64_t y, Held& held) const {
  const std::size_t place = slot(block, y);
  T* const buffer = held.buffers[static_cast<std::uint32_t>(place) % static_cast<std::uint32_t>(held.buffers.size())];
  // `y` is that of the region plus the offset; indices begin with the lowest.
  const std::int64_t* const iy = &index_[1][static_cast<std::size_t>(y - lowY_)];
  const std::int64_t* const iz = &index_[2][static_cast<std::size_t>(block.z)];
  held.rows[place] = direct(array, block, *iy, *iz);
  if (held.rows[place] != nullptr) return;
  PackJob job;
  job.source = array.data;
  job.sourceStride = {array.stride[0], array.stride[1], array.stride[2]};
  job.sourceIndex = {index_[0].data() + block.firstValue, iy, iz};
  job.constant = constant_;
  job.extent = {block.count + (highX_ - lowX_) * components_, 1, 1};
  if (components_ > 1) {
    if (own_ == components_ && array.stride[0] == own_ && array.stride[3] == 1) {
      job.sourceStride[0] = 1;
    } else {
      job.components = components_;
      job.componentStride = own_ == 1 ? 0 : array.stride[3];
    }
  }
  const std::int64_t begin = firstX_ + block.firstValue;
  job.interiorBegin = std::clamp<std::int64_t>(-begin, 0, job.extent[0]);
  job.interiorEnd = std::clamp<std::int64_t>(volumeX_ - begin, job.interiorBegin, job.extent[0]);
  job.tile = buffer;
  job.tileRow = (job.extent[0] + 2 * block.lanes) / block.lanes * block.lanes;
  kernels.pack[static_cast<std::size_t>(array.type)](job);
  held.rows[place] = buffer;
}

template <class T>
void FormulaRowsOf<T>::fetch(const ConstArrayView& array, const PrecisionKernels<T>& kernels, const Block& block,
                             Held& held) const {
  for (std::int64_t y = block.y == block.top ? block.y + lowY_ : block.y + highY_; y <= block.y + highY_; ++y)
    fetchRow(array, kernels, block, y, held);
}

template class FormulaRowsOf<float>;
template class FormulaRowsOf<double>;

}  // namespace sscope::cpu
