// The plain loops of one level along one axis, included once per instruction set.

template <class T>
void plainPass(const DwtPass<T>& job) {
  for (std::int64_t p = 0; p < job.pairs; ++p) {
    const std::int64_t u = job.target[2 * p] * job.stride, v = job.target[2 * p + 1] * job.stride;
    for (std::int64_t line = 0; line < job.lines; ++line) {
      const T* in = job.in + line * job.lineStride;
      T first = 0, second = 0;
      for (std::int64_t j = 0; j < job.terms; ++j) {
        const std::int64_t pair = ((p + j - job.offset) % job.pairs + job.pairs) % job.pairs;
        for (std::int64_t member = 0; member < 2; ++member) {
          const T value = in[job.source[2 * pair + member] * job.stride];
          first += job.u[2 * j + member] * value;
          second += job.v[2 * j + member] * value;
        }
      }
      job.out[line * job.lineStride + u] = first;
      job.out[line * job.lineStride + v] = second;
    }
  }
}
