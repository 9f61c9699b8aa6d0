// Packing and storing tiles in plain C++, included into the namespace of every instruction set so that each has its own
// compiled copy. Needs <algorithm>, <array>, kernel_table.h, element_type.h and roundVectors(from, to, count,
// saturated), which rounds the first values of each row.

template <class S, class T>
inline void convertRow(const S* from, std::int64_t stride, T* to, std::int64_t count) {
  if (stride == 1) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[i]);
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[i * stride]);
  }
}

// One row of the tile; `from` is the source row's element 0, null where the row lies outside.
template <class S, class T>
inline void packRow(const PackJob& job, const S* from, T* to) {
  const auto constant = static_cast<T>(job.constant);
  const std::int64_t count = job.extent[0];
  std::fill(to + count, to + job.tileRow, T{0});
  if (from == nullptr) {
    std::fill(to, to + count, constant);
    return;
  }
  const std::int64_t* index = job.sourceIndex[0];
  const std::int64_t stride = job.sourceStride[0];
  if (job.components > 1) {
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = index[i] < 0
                  ? constant
                  : static_cast<T>(
                        from[index[i] / job.components * stride + index[i] % job.components * job.componentStride]);
    return;
  }
  const auto edge = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      to[i] = index[i] < 0 ? constant : static_cast<T>(from[index[i] * stride]);
  };
  edge(0, job.interiorBegin);
  if (job.interiorBegin < job.interiorEnd)
    convertRow(from + index[job.interiorBegin] * stride, stride, to + job.interiorBegin,
               job.interiorEnd - job.interiorBegin);
  edge(job.interiorEnd, count);
}

// When the tile's planes are adjacent in memory (a slice across the rows), iterating over planes innermost touches
// every cache line of the source once.
template <class S, class T>
inline void packAcross(const PackJob& job) {
  constexpr std::int64_t kAhead = 16;
  const auto* source = reinterpret_cast<const S*>(job.source);
  const auto constant = static_cast<T>(job.constant);
  const std::int64_t middle = std::max<std::int64_t>(job.sourceIndex[2][job.extent[2] / 2], 0);
  for (std::int64_t y = 0; y < job.extent[1]; ++y) {
    T* row = static_cast<T*>(job.tile) + y * job.tileRow;
    const std::int64_t iy = job.sourceIndex[1][y];
    for (std::int64_t z = 0; z < job.extent[2]; ++z)
      std::fill(row + z * job.tilePlane + job.extent[0], row + z * job.tilePlane + job.tileRow, T{0});
    for (std::int64_t x = 0; x < job.extent[0]; ++x) {
      // Every step is a cache miss in another page, which the hardware prefetcher does not predict.
      const std::int64_t ahead = job.sourceIndex[0][std::min(x + kAhead, job.extent[0] - 1)];
      __builtin_prefetch(source + std::max<std::int64_t>(ahead, 0) * job.sourceStride[0] +
                         std::max<std::int64_t>(iy, 0) * job.sourceStride[1] + middle * job.sourceStride[2]);
      const std::int64_t ix = job.sourceIndex[0][x];
      const S* from = source + ix * job.sourceStride[0] + iy * job.sourceStride[1];
      for (std::int64_t z = 0; z < job.extent[2]; ++z) {
        const std::int64_t iz = job.sourceIndex[2][z];
        const bool outside = ix < 0 || iy < 0 || iz < 0;
        row[z * job.tilePlane + x] = outside ? constant : static_cast<T>(from[iz * job.sourceStride[2]]);
      }
    }
  }
}

template <class S, class T>
void packTile(const PackJob& job) {
  if (job.components == 1 && job.sourceStride[0] > job.sourceStride[2] && job.extent[2] > 1) {
    packAcross<S, T>(job);
    return;
  }
  const auto* source = reinterpret_cast<const S*>(job.source);
  for (std::int64_t z = 0; z < job.extent[2]; ++z)
    for (std::int64_t y = 0; y < job.extent[1]; ++y) {
      const std::int64_t iy = job.sourceIndex[1][y], iz = job.sourceIndex[2][z];
      const bool outside = iy < 0 || iz < 0;
      const S* from = outside ? nullptr : source + iy * job.sourceStride[1] + iz * job.sourceStride[2];
      packRow(job, from, static_cast<T*>(job.tile) + z * job.tilePlane + y * job.tileRow);
    }
}

template <class T, class D>
inline std::int64_t storeRow(const T* from, D* to, std::int64_t stride, std::int64_t count) {
  std::int64_t saturated = 0;
  if (stride == 1) {
    std::int64_t i = 0;
    if constexpr (std::is_integral_v<D>) i = roundVectors(from, to, count, saturated);
    for (; i < count; ++i) {
      bool left = false;
      to[i] = roundSaturate<D>(static_cast<double>(from[i]), left);
      saturated += left ? 1 : 0;
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      bool left = false;
      to[i * stride] = roundSaturate<D>(static_cast<double>(from[i]), left);
      saturated += left ? 1 : 0;
    }
  }
  return saturated;
}

// Components that are not adjacent in memory: one value after the other.
template <class T, class D>
inline std::int64_t storeApart(const StoreJob& job, const T* from, D* to) {
  std::int64_t saturated = 0;
  for (std::int64_t i = 0; i < job.extent[0]; ++i) {
    const std::int64_t value = job.firstValue + i;
    saturated += storeRow(
        from + i, to + value / job.components * job.targetStride[0] + value % job.components * job.componentStride, 1,
        1);
  }
  return saturated;
}

template <class T, class D>
std::int64_t storeTile(const StoreJob& job) {
  std::int64_t saturated = 0;
  for (std::int64_t z = 0; z < job.extent[2]; ++z)
    for (std::int64_t y = 0; y < job.extent[1]; ++y) {
      const T* from = static_cast<const T*>(job.tile) + z * job.tilePlane + y * job.tileRow;
      D* to = reinterpret_cast<D*>(job.target) + z * job.targetStride[2] + y * job.targetStride[1];
      saturated +=
          job.components > 1 ? storeApart(job, from, to) : storeRow(from, to, job.targetStride[0], job.extent[0]);
    }
  return saturated;
}

// In the order of ElementType.
template <class T>
constexpr std::array<void (*)(const PackJob&), 8> packFunctions() {
  return {packTile<std::uint8_t, T>,  packTile<std::int8_t, T>,  packTile<std::uint16_t, T>, packTile<std::int16_t, T>,
          packTile<std::uint32_t, T>, packTile<std::int32_t, T>, packTile<float, T>,         packTile<double, T>};
}

template <class T>
constexpr std::array<std::int64_t (*)(const StoreJob&), 8> storeFunctions() {
  return {storeTile<T, std::uint8_t>, storeTile<T, std::int8_t>,   storeTile<T, std::uint16_t>,
          storeTile<T, std::int16_t>, storeTile<T, std::uint32_t>, storeTile<T, std::int32_t>,
          storeTile<T, float>,        storeTile<T, double>};
}
