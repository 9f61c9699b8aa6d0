// The portable kernels for the vectors of every level, and the simple loop as the compiler makes it for that level.

#include "core/cpu/wavelet/magic/line_kernel.h"
#include "core/cpu/wavelet/magic/pass_method.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/wavelet/magic/line_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <vector>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Vec = hn::Vec<Tag>;
constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag()));
HWY_INLINE Vec loadVec(const double* from) { return hn::LoadU(Tag(), from); }
HWY_INLINE void storeVec(Vec value, double* to) { hn::StoreU(value, Tag(), to); }
HWY_INLINE Vec setVec(double value) { return hn::Set(Tag(), value); }
HWY_INLINE Vec mulAdd(Vec a, Vec b, Vec c) { return hn::MulAdd(a, b, c); }

#include "core/cpu/wavelet/magic/line_kernels-inl.h"

}  // namespace

const line::PortableTable& lineTable() {
  static const line::PortableTable table = makeTable();
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include "core/cpu/run/of_level.h"

namespace sscope::cpu {

const line::PortableTable& line::simdTable(SimdLevel level) {
  return SSCOPE_OF_LEVEL(level, line::scalarTable, lineTable)();
}

MagicLines plainLines(SimdLevel level) { return SSCOPE_OF_LEVEL(level, plainScalarLines, plainLines); }

}  // namespace sscope::cpu
#endif
