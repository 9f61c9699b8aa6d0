// The portable kernels, one value at a time: compiled with automatic vectorization off (core/CMakeLists.txt).

#include "core/cpu/wavelet/magic/line_kernel.h"

namespace sscope::cpu {

namespace {

using Vec = double;
constexpr std::int64_t kLanes = 1;
inline Vec loadVec(const double* from) { return *from; }
inline void storeVec(Vec value, double* to) { *to = value; }
inline Vec setVec(double value) { return value; }
inline Vec mulAdd(Vec a, Vec b, Vec c) { return a * b + c; }

#include "core/cpu/wavelet/magic/line_kernels-inl.h"

}  // namespace

const line::PortableTable& line::scalarTable() {
  static const PortableTable table = makeTable();
  return table;
}

}  // namespace sscope::cpu
