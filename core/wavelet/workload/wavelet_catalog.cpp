#include "core/wavelet/workload/wavelet_catalog.h"

#include "core/wavelet/workload/dwt_workload.h"
#include "core/wavelet/workload/magic_workload.h"
#include "core/workload/catalog.h"

namespace sscope {

std::vector<WorkloadKind> waveletLadders() {
  return {
      {"magic",
       "Magic filter",
       "A periodic convolution with 16 taps along each of the three axes, in double precision: what BigDFT does to go "
       "from the coefficients of Daubechies wavelets to values at points. There is much arithmetic for every element "
       "that is moved; the ladder shows what unrolling, two-element vectors, transposition and caches are worth.",
       "B. Videau, V. Marangozova-Martin, L. Genovese and T. Deutsch, Optimizing 3D convolutions for wavelet "
       "transforms on CPUs with SSE units and GPUs, RR-LIG-032, 2013",
       MagicWorkload::options(),
       {128, 126, 130},
       {64, 62, 66},
       3,
       [](const OptionValues&) { return ElementType::f64; },
       makeWorkload<MagicWorkload>},
      {"dwt",
       "Wavelet transform",
       "The periodized orthogonal wavelet transform along every axis, and its inverse: Daubechies' wavelets and "
       "symlets "
       "of 2 to 20 taps, any number of levels. Every pass halves what the next one reads, so there is less and less "
       "arithmetic for the bytes that are moved; the ladder shows what fused passes and vectors are worth.",
       "I. Daubechies, Ten Lectures on Wavelets, 1992",
       DwtWorkload::options(),
       {256, 256, 256},
       {64, 64, 64},
       3,
       [](const OptionValues& values) { return *parseElementType(textOf(values, "input")); },
       makeWorkload<DwtWorkload>},
  };
}

}  // namespace sscope
