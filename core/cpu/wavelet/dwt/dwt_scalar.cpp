// cpu:scalar's part of the wavelet transform, compiled with automatic vectorization off.

#include "core/cpu/wavelet/dwt/dwt_kernels.h"

namespace sscope::cpu {

namespace {

#include "core/cpu/wavelet/dwt/pass-inl.h"

template <class T>
void lines(const DwtLines<T>& job) {
  for (std::int64_t x = 0; x < job.count; ++x) {
    T first = 0, second = 0;
    for (std::int64_t k = 0; k < job.terms; ++k) {
      const T value = job.source[k][x];
      first += job.taps[k] * value;
      second += job.taps[job.terms + k] * value;
    }
    job.first[x] = first;
    job.second[x] = second;
  }
}

template <class T>
void split(const T* in, std::int64_t pairs, T* first, T* second) {
  for (std::int64_t i = 0; i < pairs; ++i) {
    first[i] = in[2 * i];
    second[i] = in[2 * i + 1];
  }
}

template <class T>
void join(const T* first, const T* second, std::int64_t pairs, T* out) {
  for (std::int64_t i = 0; i < pairs; ++i) {
    out[2 * i] = first[i];
    out[2 * i + 1] = second[i];
  }
}

}  // namespace

template <class T>
const DwtKernels<T>& scalarDwtKernels() {
  static const DwtKernels<T> kernels{lines<T>, split<T>, join<T>, plainPass<T>, [] {}};
  return kernels;
}
template const DwtKernels<float>& scalarDwtKernels<float>();
template const DwtKernels<double>& scalarDwtKernels<double>();

}  // namespace sscope::cpu
