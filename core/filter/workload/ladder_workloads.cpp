#include "core/filter/workload/ladder_workloads.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/filter/stencil.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"

namespace sscope {

namespace {

std::vector<Operator> noiseKernels(const ArraySpec& input, const OptionValues& values) {
  const std::int64_t size = integerOf(values, "size"), count = integerOf(values, "filters");
  NoiseSource noise(static_cast<std::uint64_t>(integerOf(values, "seed")));
  std::vector<Operator> filters;
  for (std::int64_t i = 0; i < count; ++i) {
    Stencil filter;
    filter.dense = boxOfTaps({size, size, input.extent[2] > 1 ? size : 1});
    const auto taps = static_cast<double>(filter.dense.count());
    for (double& weight : filter.dense.weights) weight = static_cast<float>((2 * noise.next() - 1) / taps);
    filters.emplace_back("kernel " + std::to_string(i + 1), std::move(filter));
  }
  return filters;
}

}  // namespace

const std::vector<Option>& BankWorkload::options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> list{
        integerOption("filters", "Filters", 8, 1, 256, "the number of kernels that are applied at once"),
        integerOption("size", "Size", 7, 1, 15, "extent of the kernels along every axis"),
        choiceOption("output", "Output", {"f32", "u8"}, "element type of the results"),
        choiceOption("input", "Input", {"u8", "i8", "u16", "i16", "f32"}, "element type of the filtered noise"),
    };
    addBoundaryOptions(list);
    return list;
  }();
  return options;
}

BankWorkload::BankWorkload(const ArraySpec& input, const OptionValues& values)
    : FilterWorkload(noiseKernels(input, values), boundaryOf(values), realOf(values, "constant"), input,
                     *parseElementType(textOf(values, "output"))),
      size_(integerOf(values, "size")) {}

nlohmann::json BankWorkload::parameters() const {
  return {{"filters", operators().size()},
          {"size", size_},
          {"boundary", std::string(toString(boundary()))},
          {"output", std::string(toString(outputType()))}};
}

std::unique_ptr<Workload> BankWorkload::cutTo(const Box& region) const {
  auto own = std::make_unique<BankWorkload>(*this);
  static_cast<FilterWorkload&>(*own) = cut(region);
  return own;
}

namespace {

std::vector<Operator> noiseKernel(const OptionValues& values) {
  Stencil filter;
  filter.dense = boxOfTaps({integerOf(values, "width"), integerOf(values, "height"), 1});
  NoiseSource noise(static_cast<std::uint64_t>(integerOf(values, "seed")));
  double sum = 0;
  for (double& weight : filter.dense.weights) sum += weight = 0.0625 + noise.next();
  for (double& weight : filter.dense.weights) weight = static_cast<float>(weight / sum);
  return {{"filter", std::move(filter)}};
}

}  // namespace

const std::vector<Option>& Conv2dWorkload::options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> list{
        integerOption("width", "Width", 7, 1, 31, "extent of the filter along x"),
        integerOption("height", "Height", 7, 1, 31, "extent of the filter along y"),
    };
    addBoundaryOptions(list);
    return list;
  }();
  return options;
}

Conv2dWorkload::Conv2dWorkload(const ArraySpec& input, const OptionValues& values)
    : FilterWorkload(noiseKernel(values), boundaryOf(values), realOf(values, "constant"), input, ElementType::f32) {
  if (input.type != ElementType::f32 || input.extent[2] != 1 || input.extent[3] != 1)
    throw Error(ErrorKind::Usage, "conv2d works on one image of f32", "give x and y only");
}

nlohmann::json Conv2dWorkload::parameters() const {
  return {{"width", taps().size[0]}, {"height", taps().size[1]}, {"boundary", std::string(toString(boundary()))}};
}

std::unique_ptr<Workload> Conv2dWorkload::cutTo(const Box& region) const {
  auto own = std::make_unique<Conv2dWorkload>(*this);
  static_cast<FilterWorkload&>(*own) = cut(region);
  return own;
}

namespace {

std::vector<Operator> integerKernel(const OptionValues& values) {
  Stencil filter;
  filter.dense = boxOfTaps({SoupWorkload::kSize, SoupWorkload::kSize, 1});
  NoiseSource noise(static_cast<std::uint64_t>(integerOf(values, "seed")));
  for (double& weight : filter.dense.weights) weight = std::floor(40 * noise.next()) - 8;
  // A sum of at least one keeps the scale finite for every seed.
  double sum = 0;
  for (const double weight : filter.dense.weights) sum += weight;
  if (sum < 1) filter.dense.weights[12] += 1 - sum;
  return {{"soup", std::move(filter)}};
}

}  // namespace

const std::vector<Option>& SoupWorkload::options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> list;
    addBoundaryOptions(list);
    return list;
  }();
  return options;
}

SoupWorkload::SoupWorkload(const ArraySpec& input, const OptionValues& values)
    : FilterWorkload(integerKernel(values), boundaryOf(values),
                     std::clamp(std::round(realOf(values, "constant")), 0.0, 255.0), input, ElementType::u8) {
  if (input.type != ElementType::u8 || input.extent[2] != 1 || input.extent[3] != 1)
    throw Error(ErrorKind::Usage, "soup works on one image of u8", "give x and y only");
  int sum = 0;
  for (const int tap : taps()) sum += tap;
  scale_ = 1.0F / static_cast<float>(sum);
}

nlohmann::json SoupWorkload::parameters() const {
  return {{"size", kSize}, {"boundary", std::string(toString(boundary()))}};
}

void SoupWorkload::reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                             std::span<double> values, const Control& control) const {
  FilterWorkload::reference(inputs, output, box, values, control);
  // Infinities and NaN cannot occur: the data are integers.
  for (double& value : values)
    value = std::clamp(std::nearbyint(static_cast<double>(static_cast<float>(value) * scale_)), 0.0, 255.0);
}

std::array<int, 25> SoupWorkload::taps() const {
  std::array<int, 25> taps{};
  const std::vector<double>& weights = stencil(0).dense.weights;
  std::transform(weights.begin(), weights.end(), taps.begin(), [](double w) { return static_cast<int>(w); });
  return taps;
}

std::unique_ptr<Workload> SoupWorkload::cutTo(const Box& region) const {
  auto own = std::make_unique<SoupWorkload>(*this);
  static_cast<FilterWorkload&>(*own) = cut(region);
  return own;
}

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
       "tiles whose factor is computed from the properties of the device.",
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
