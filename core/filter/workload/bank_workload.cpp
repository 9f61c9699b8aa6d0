#include "core/filter/workload/bank_workload.h"

#include <nlohmann/json.hpp>

#include "core/filter/taps.h"
#include "core/workload/noise.h"
#include "core/workload/workload_options.h"

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
        integerOption("filters", "Filters", 8, 1, 256, "how many kernels are applied at once"),
        integerOption("size", "Size", 7, 1, 15, "extent of the kernels along every axis"),
        choiceOption("output", "Output", {"f32", "u8"}, "element type of the results"),
        choiceOption("input", "Input", {"u8", "i8", "u16", "i16", "f32"}, "element type of the noise that is filtered"),
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

}  // namespace sscope
