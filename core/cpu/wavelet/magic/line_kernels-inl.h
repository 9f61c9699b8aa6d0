// The portable kernels of the magic filter, included once per instruction set with these names in scope: Vec, kLanes,
// loadVec, storeVec, setVec, mulAdd.

template <int Outputs, int Vectors>
void acrossRows(const double* taps, std::int64_t tapCount, const LineJob& job) {
  for (std::int64_t x = job.begin; x < job.end; x += Vectors * kLanes) {
    Vec sum[Outputs][Vectors];
#pragma GCC unroll 8
    for (int r = 0; r < Outputs; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v) sum[r][v] = setVec(0.0);
    // Row p meets output r with tap p - r: fewer outputs at both ends.
    const auto add = [&](std::int64_t p, int first, int last) __attribute__((always_inline)) {
      Vec value[Vectors];
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v) value[v] = loadVec(job.in[p] + x + v * kLanes);
#pragma GCC unroll 8
      for (int r = 0; r < Outputs; ++r) {
        if (r < first || r > last) continue;
        const Vec tap = setVec(taps[p - r]);
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) sum[r][v] = mulAdd(value[v], tap, sum[r][v]);
      }
    };
#pragma GCC unroll 8
    for (int p = 0; p < Outputs - 1; ++p) add(p, 0, p);
    for (std::int64_t p = Outputs - 1; p < tapCount; ++p) add(p, 0, Outputs - 1);
#pragma GCC unroll 8
    for (int p = 0; p < Outputs - 1; ++p) add(tapCount + p, p + 1, Outputs - 1);
#pragma GCC unroll 8
    for (int r = 0; r < Outputs; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v) storeVec(sum[r][v], job.out[r] + x + v * kLanes);
  }
}

template <int Outputs, int Vectors>
void alongRows(const double* taps, std::int64_t tapCount, const LineJob& job) {
  for (std::int64_t row = 0; row < job.rows; row += Vectors)
    for (std::int64_t x = job.begin; x < job.end; x += Outputs * kLanes) {
      Vec sum[Outputs][Vectors];
#pragma GCC unroll 8
      for (int r = 0; r < Outputs; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) sum[r][v] = setVec(0.0);
      for (std::int64_t k = 0; k < tapCount; ++k) {
        const Vec tap = setVec(taps[k]);
#pragma GCC unroll 8
        for (int r = 0; r < Outputs; ++r)
#pragma GCC unroll 8
          for (int v = 0; v < Vectors; ++v)
            sum[r][v] = mulAdd(loadVec(job.in[row + v] + x + r * kLanes + k), tap, sum[r][v]);
      }
#pragma GCC unroll 8
      for (int r = 0; r < Outputs; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) storeVec(sum[r][v], job.out[row + v] + x + r * kLanes);
    }
}

template <int Outputs>
void fillTable(line::PortableTable& table) {
  table.functions[0][Outputs - 1][0] = acrossRows<Outputs, 1>;
  table.functions[0][Outputs - 1][1] = acrossRows<Outputs, 2>;
  table.functions[1][Outputs - 1][0] = alongRows<Outputs, 1>;
  table.functions[1][Outputs - 1][1] = alongRows<Outputs, 2>;
  if constexpr (Outputs > 1) fillTable<Outputs - 1>(table);
}

inline line::PortableTable makeTable() {
  line::PortableTable table{};
  table.lanes = kLanes;
  fillTable<line::kPortableOutputs>(table);
  return table;
}

// Two plain loops over a line that is extended at both ends; the rest is up to the compiler.
void plainLines(const MagicPass& pass, std::int64_t begin, std::int64_t end) {
  std::vector<double> line(static_cast<std::size_t>(pass.n + pass.tapCount - 1));
  for (std::int64_t l = begin; l < end; ++l) {
    const double* in = pass.in + pass.begin(l);
    for (std::int64_t i = 0; i < pass.n + pass.tapCount - 1; ++i)
      line[static_cast<std::size_t>(i)] = in[pass.wrapped(i + pass.first) * pass.stride];
    double* out = pass.out + pass.outBegin(l);
    for (std::int64_t i = 0; i < pass.n; ++i) {
      double sum = 0;
      for (std::int64_t k = 0; k < pass.tapCount; ++k) sum += pass.taps[k] * line[static_cast<std::size_t>(i + k)];
      out[i * pass.outStride()] = sum;
    }
  }
}
