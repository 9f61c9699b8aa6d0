#include "core/filter/workload/filter_catalog.h"

#include "core/filter/workload/bank_workload.h"
#include "core/filter/workload/conv2d_workload.h"
#include "core/filter/workload/soup_workload.h"
#include "core/workload/catalog.h"

namespace sscope {

std::vector<WorkloadKind> filterLadders() {
  return {
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
       makeWorkload<BankWorkload>},
      {"conv2d",
       "2D convolution",
       "One non-separable filter of any width and height on an image. The ladder goes from one thread per pixel to "
       "tiles "
       "whose factor is computed from the properties of the device.",
       "U. Dastgeer and C. Kessler, A performance-portable generic component for 2D convolution computations on "
       "GPU-based systems",
       Conv2dWorkload::options(),
       {4096, 4096, 1},
       {512, 512, 1},
       2,
       [](const OptionValues&) { return ElementType::f32; },
       makeWorkload<Conv2dWorkload>},
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
       makeWorkload<SoupWorkload>},
  };
}

}  // namespace sscope
