#include "core/workload/catalog.h"

#include <algorithm>

#include "core/filter/workload/bank_workload.h"
#include "core/filter/workload/conv2d_workload.h"
#include "core/filter/workload/soup_workload.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/wavelet/workload/dwt_workload.h"
#include "core/wavelet/workload/magic_workload.h"
#include "core/workload/workload_options.h"

namespace sscope {

namespace {

template <class T>
std::unique_ptr<Workload> makeOf(const ArraySpec& input, const OptionValues& values) {
  return std::make_unique<T>(input, completeOptions(T::options(), values));
}

// The shape is that of space.
std::array<std::int64_t, 4> spinorExtent(const std::array<std::int64_t, 3>& shape, const OptionValues& values) {
  return {shape[0], shape[1], shape[2] * integerOf(values, "time"), kSpinorComponents};
}

}  // namespace

const std::vector<WorkloadKind>& workloadCatalog() {
  static const std::vector<WorkloadKind> catalog{
      {"bank",
       "Bank of dense kernels",
       "N dense kernels, each size x size x size, at once on a volume. A value that is loaded once can serve all N "
       "kernels and several "
       "neighboring outputs; the ladder shows what each kind of reuse is worth.",
       "A. Hast, Efficient convolution on multi-dimensional data (part 2), 2012",
       BankWorkload::options(),
       {256, 256, 256},
       {64, 64, 64},
       3,
       [](const OptionValues& values) { return *parseElementType(textOf(values, "input")); },
       makeOf<BankWorkload>},
      {"conv2d",
       "2D convolution",
       "One non-separable filter of any width and height on an image. The ladder goes from one thread a pixel to tiles "
       "whose factor is computed from the properties of the device.",
       "U. Dastgeer and C. Kessler, A performance-portable generic component for 2D convolution computations on "
       "GPU-based systems",
       Conv2dWorkload::options(),
       {4096, 4096, 1},
       {512, 512, 1},
       2,
       [](const OptionValues&) { return ElementType::f32; },
       makeOf<Conv2dWorkload>},
      {"soup",
       "Convolution soup",
       "A 5 x 5 convolution of an 8-bit image with integer taps and one scale. There is little arithmetic, so the "
       "ladder is about moving bytes: coalescing, textures, shared memory, banks, wide loads. Every rung has a twin "
       "that only moves the data.",
       "J. Stam, Convolution Soup: a case study in CUDA optimization, GPU Technology Conference 2009",
       SoupWorkload::options(),
       {2048, 2048, 1},
       {512, 512, 1},
       2,
       [](const OptionValues&) { return ElementType::u8; },
       makeOf<SoupWorkload>},
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
       makeOf<MagicWorkload>},
      {"dirac",
       "Wilson's operator",
       "The stencil of lattice QCD: at every site of a lattice of four dimensions, eight neighbors' spinors are "
       "multiplied "
       "by 3 x 3 matrices. There is little arithmetic for the bytes that are moved; the ladder shows what finer "
       "threads, "
       "sparse spin matrices, the order of the links and, at last, half spinors are worth.",
       "A. Cassagne, B. Mortier, D. Pasqualinotto and V. Frechaud, Portage d'un code de lattice QCD sur GPU, 2013",
       DiracWorkload::options(),
       {16, 16, 16},
       {8, 8, 8},
       3,
       [](const OptionValues&) { return ElementType::f64; },
       makeOf<DiracWorkload>,
       spinorExtent},
      {"cr",
       "Conjugate residual",
       "A fixed number of iterations of a solver on Wilson's operator, all of it on the engine: the benchmark of the "
       "paper. Beside the operator of dirac there are sums over all sites and updates of whole fields; the ladder "
       "shows "
       "how much of the time the operator takes, and what it is worth to walk the fields less often.",
       "A. Cassagne, B. Mortier, D. Pasqualinotto and V. Frechaud, Portage d'un code de lattice QCD sur GPU, 2013",
       CrWorkload::options(),
       {16, 16, 16},
       {4, 4, 4},
       3,
       [](const OptionValues&) { return ElementType::f64; },
       makeOf<CrWorkload>,
       spinorExtent},
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
       makeOf<DwtWorkload>},
  };
  return catalog;
}

ArraySpec WorkloadKind::inputSpec(const std::array<std::int64_t, 3>& shape_, const OptionValues& values) const {
  return {input(values),
          extent ? extent(shape_, values) : std::array{shape_[0], shape_[1], shape_[2], std::int64_t{1}}};
}

const WorkloadKind* findWorkloadKind(std::string_view name) {
  const auto& catalog = workloadCatalog();
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const WorkloadKind& kind) { return kind.name == name; });
  return found == catalog.end() ? nullptr : &*found;
}

}  // namespace sscope
