#include "core/cpu/filter/mended_store.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace sscope::cpu {

namespace {

// As integers, so that compilers make vectors of it.
template <class T>
bool allFinite(const T* values, std::int64_t count) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits kExponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  Bits found = 0;
  for (std::int64_t i = 0; i < count; ++i)
    found |= static_cast<Bits>((std::bit_cast<Bits>(values[i]) & kExponent) == kExponent);
  return found == 0;
}

}  // namespace

template <class T>
MendedStore<T>::MendedStore(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                            const PrecisionKernels<T>& kernels)
    : kernels_(kernels),
      filter_(filter),
      order_(order),
      origin_(workload.region().begin),
      boundary_(workload.boundary()),
      constant_(workload.constant()) {
  MendedStore::takeWeights(workload);
}

template <class T>
bool MendedStore<T>::needed(const FilterWorkload& workload) {
  return !isInteger(workload.input().type) || !std::isfinite(static_cast<T>(workload.constant()));
}

template <class T>
void MendedStore<T>::takeWeights(const FilterWorkload& workload) {
  taps_ = workload.stencil(filter_).dense;
}

template <class T>
std::int64_t MendedStore<T>::store(const StoreJob& job, const TileSpace& space, std::int64_t component,
                                   const std::array<std::int64_t, 3>& begin, const KeptSums& /*kept*/,
                                   const TileRun& run) const {
  const ArrayView& output = run.outputs[filter_];
  const std::int64_t saturated = kernels_.store[static_cast<std::size_t>(output.type)](job);
  const std::int64_t values = space.tapDistance();
  for (std::int64_t y = 0; y < job.extent[1]; ++y) {
    const T* row = static_cast<const T*>(job.tile) + y * job.tileRow;
    if (allFinite(row, job.extent[0])) continue;
    for (std::int64_t i = 0; i < job.extent[0]; ++i) {
      if (std::isfinite(row[i])) continue;
      run.control.check();
      const std::int64_t value = begin[0] + i;
      std::array<std::int64_t, 3> at{};
      at[order_[0]] = value / values;
      at[order_[1]] = begin[1] + y;
      at[order_[2]] = begin[2];
      const std::int64_t c = values > 1 ? value % values : component;
      dispatch(output.type, [&](auto tag) {
        using D = decltype(tag);
        if constexpr (std::is_floating_point_v<D>)
          output.as<D>()[output.offset(at[0], at[1], at[2], c)] = static_cast<D>(sum(at, c, run));
      });
    }
  }
  return saturated;
}

template <class T>
double MendedStore<T>::sum(const std::array<std::int64_t, 3>& at, std::int64_t component, const TileRun& run) const {
  double sum = 0;
  const auto place = [&](std::size_t axis, std::int64_t tap) {
    return boundaryIndex(origin_[axis] + at[axis] + tap - taps_.anchor[axis], run.input.extent[axis], boundary_);
  };
  // Offsets from the row's first element on, or -1 for the constant.
  std::vector<std::int64_t> columns;
  for (std::int64_t i = 0; i < taps_.size[0]; ++i) {
    const std::int64_t x = place(0, i);
    columns.push_back(x < 0 ? -1 : x * run.input.stride[0]);
  }
  dispatch(run.input.type, [&](auto tag) {
    const auto* data = run.input.as<decltype(tag)>();
    const double* tap = taps_.weights.data();
    for (std::int64_t k = 0; k < taps_.size[2]; ++k)
      for (std::int64_t j = 0; j < taps_.size[1]; ++j) {
        const std::int64_t y = place(1, j), z = place(2, k);
        const bool outside = y < 0 || z < 0;
        const auto* line = outside ? data : data + run.input.offset(0, y, z, component);
        for (const std::int64_t column : columns)
          sum += *tap++ * (outside || column < 0 ? constant_ : static_cast<double>(line[column]));
        if (std::isnan(sum)) return;  // stays NaN
      }
  });
  return sum;
}

template class MendedStore<float>;
template class MendedStore<double>;

}  // namespace sscope::cpu
