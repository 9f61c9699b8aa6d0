#pragma once
// The inner loops of the wavelet transform, compiled once per instruction set.

#include <cstdint>

#include "core/cpu/run/simd_level.h"

namespace sscope::cpu {

// Two filters over the same lines: first[x] = sum over k < terms of taps[k] * source[k][x], second[x] the same with
// taps[terms + k], for x < count. Outputs overlap neither the sources nor each other.
template <class T>
struct DwtLines {
  const T* const* source = nullptr;
  std::int64_t terms = 0;
  const T* taps = nullptr;
  std::int64_t count = 0;
  T* first = nullptr;
  T* second = nullptr;
  bool streamFirst = false, streamSecond = false;  // non-temporal stores for whole aligned vectors
};

// One level along one axis, straight from the definition. Strides count elements; the axis has 2 * pairs samples.
template <class T>
struct DwtPass {
  const T* in = nullptr;
  T* out = nullptr;
  std::int64_t pairs = 0, stride = 1;      // along the axis
  std::int64_t lines = 1, lineStride = 1;  // across it
  const std::int64_t* source = nullptr;    // [2p + m]: the position along the axis of member m of pair p
  const std::int64_t* target = nullptr;
  std::int64_t terms = 1, offset = 0;  // of Polyphase
  const T* u = nullptr;
  const T* v = nullptr;
};

template <class T>
struct DwtKernels {
  void (*lines)(const DwtLines<T>& job) = nullptr;
  // first[i] = in[2i], second[i] = in[2i + 1], and back.
  void (*split)(const T* in, std::int64_t pairs, T* first, T* second) = nullptr;
  void (*join)(const T* first, const T* second, std::int64_t pairs, T* out) = nullptr;
  void (*pass)(const DwtPass<T>& job) = nullptr;
  void (*finishStreaming)() = nullptr;  // makes streamed stores visible to other threads
};

// The kernels of an available level (absentReason() empty), for float and double.
template <class T>
[[nodiscard]] const DwtKernels<T>& dwtKernels(SimdLevel level);
template <class T>
[[nodiscard]] const DwtKernels<T>& scalarDwtKernels();

}  // namespace sscope::cpu
