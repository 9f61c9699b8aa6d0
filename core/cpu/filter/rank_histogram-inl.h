// Order statistics of boxes of bytes by histograms of columns, which neighbors share (Perreault and Hebert, Median
// filtering in constant time, 2007, with columns that go through the planes, too), included into the namespace of every
// instruction set. Needs <algorithm>, <cstdint> and rank_kernels.h.

// Counts of the values in every column of a box, n1 by n2 of them: 16 values together, and by themselves.
struct ColumnCounts {
  std::uint16_t* together;  // [columns][16]
  std::uint16_t* single;    // [16][columns][16]
  std::int64_t columns;

  template <int kStep>
  inline void count(const std::int8_t* row) const {
    for (std::int64_t i = 0; i < columns; ++i) {
      const auto value = static_cast<std::uint32_t>(row[i] + 128);
      std::uint16_t& some = together[16 * i + value / 16];
      std::uint16_t& one = single[16 * (value / 16 * columns + i) + value % 16];
      some = static_cast<std::uint16_t>(some + kStep);
      one = static_cast<std::uint16_t>(one + kStep);
    }
  }
};

inline void addCounts(std::uint16_t* sum, const std::uint16_t* added) {
  for (int i = 0; i < 16; ++i) sum[i] = static_cast<std::uint16_t>(sum[i] + added[i]);
}
inline void moveCounts(std::uint16_t* sum, const std::uint16_t* added, const std::uint16_t* taken) {
  for (int i = 0; i < 16; ++i) sum[i] = static_cast<std::uint16_t>(sum[i] + added[i] - taken[i]);
}

// Where counts add up to more than `left`, which becomes the rank among those there.
inline std::uint32_t placeOf(const std::uint16_t* counts, std::uint32_t& left) {
  std::uint32_t place = 0;
  while (left >= counts[place]) left -= counts[place++];
  return place;
}

// A row of outputs, every `distance`-th from `first` on. Counts of single values follow only where they are looked at.
inline void searchRow(const HistogramJob& job, const ColumnCounts& columns, std::int64_t first, std::int64_t outputs,
                      std::int8_t* out) {
  const std::int64_t along = job.size[0], d = job.tapDistance, last = (along - 1) * d;
  alignas(64) std::uint16_t together[16] = {}, single[16][16];
  std::int64_t counted[16];  // for which output
  std::fill_n(counted, 16, std::int64_t{-1});
  for (std::int64_t i = 0; i < along; ++i) addCounts(together, columns.together + 16 * (first + i * d));
  for (std::int64_t x = first; x < outputs; x += d) {
    if (x > first) moveCounts(together, columns.together + 16 * (x + last), columns.together + 16 * (x - d));
    auto left = static_cast<std::uint32_t>(job.rank);
    const std::uint32_t range = placeOf(together, left);
    const std::uint16_t* of = columns.single + 16 * columns.columns * range;
    std::uint16_t* counts = single[range];
    const std::int64_t before = counted[range];
    if (before < 0 || 2 * (x - before) > along * d) {
      std::fill_n(counts, 16, std::uint16_t{0});
      for (std::int64_t i = 0; i < along; ++i) addCounts(counts, of + 16 * (x + i * d));
    } else {
      for (std::int64_t at = before + d; at <= x; at += d)
        moveCounts(counts, of + 16 * (at + last), of + 16 * (at - d));
    }
    counted[range] = x;
    out[x] = static_cast<std::int8_t>(static_cast<std::int32_t>(16 * range + placeOf(counts, left)) - 128);
  }
}

// Row by row down one slice, up the next: each step takes a row of values out of the columns and another one in.
inline void histogram(const HistogramJob& job) {
  for (std::int64_t begin = 0; begin < job.outputs; begin += kHistogramOutputs) {
    const std::int64_t outputs = std::min(kHistogramOutputs, job.outputs - begin);
    ColumnCounts columns{job.counts, nullptr, outputs + (job.size[0] - 1) * job.tapDistance};
    columns.single = columns.together + 16 * columns.columns;
    std::fill_n(job.counts, 16 * 17 * columns.columns, std::uint16_t{0});
    const auto row = [&](std::int64_t y, std::int64_t z) { return job.in + z * job.plane + y * job.row + begin; };
    for (std::int64_t k = 0; k < job.size[2]; ++k)
      for (std::int64_t j = 0; j < job.size[1]; ++j) columns.count<1>(row(j, k));
    std::int64_t y = 0, step = 1;
    for (std::int64_t z = 0; z < job.planes; ++z, step = -step) {
      job.control->check();
      for (std::int64_t j = 0; z > 0 && j < job.size[1]; ++j) {
        columns.count<-1>(row(y + j, z - 1));
        columns.count<1>(row(y + j, z - 1 + job.size[2]));
      }
      for (std::int64_t i = 0; i < job.rows; ++i) {
        for (std::int64_t k = 0; i > 0 && k < job.size[2]; ++k) {
          columns.count<-1>(row(step > 0 ? y : y + job.size[1] - 1, z + k));
          columns.count<1>(row(step > 0 ? y + job.size[1] : y - 1, z + k));
        }
        if (i > 0) y += step;
        std::int8_t* out = job.out + z * job.outPlane + y * job.outRow + begin;
        for (std::int64_t first = 0; first < std::min(job.tapDistance, outputs); ++first)
          searchRow(job, columns, first, outputs, out);
      }
    }
  }
}
