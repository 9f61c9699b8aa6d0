// Included once per level. Two plain loops over a line that is extended at both ends; the rest is up to the compiler.
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
