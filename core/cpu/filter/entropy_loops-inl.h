// Entropies of rows by a histogram that moves along, included into the namespace of every instruction set. Needs
// <algorithm>, <cstdint>, <limits>, rank_window.h and entropy_kernels.h. From one output to the next, each line of
// the window loses its first value and gets the one behind its last; the sum changes with the counts, and is exact.

inline void entropies(const EntropyJob& job) {
  const std::int64_t d = job.tapDistance;
  std::uint32_t* counts = job.counts;
  for (std::int64_t first = 0; first < std::min(d, job.outputs); ++first) {
    std::fill_n(counts, job.bins + 1, 0U);
    std::int64_t sum = 0;
    for (std::int64_t line = 0; line < job.lines; ++line)
      for (std::int64_t at = job.begins[line]; at < job.ends[line]; at += d)
        sum += job.steps[counts[job.in[first + at]]++];
    for (std::int64_t x = first;; x += d) {
      job.out[x] =
          counts[job.bins] > 0 ? std::numeric_limits<double>::quiet_NaN() : entropyOf(job.total, sum, job.members);
      if (x + d >= job.outputs) break;
      const std::uint16_t* in = job.in + x;
      for (std::int64_t line = 0; line < job.lines; ++line) {
        sum -= job.steps[--counts[in[job.begins[line]]]];
        sum += job.steps[counts[in[job.ends[line]]]++];
      }
    }
  }
}
