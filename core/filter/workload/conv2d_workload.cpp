#include "core/filter/workload/conv2d_workload.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/filter/taps.h"
#include "core/workload/noise.h"
#include "core/workload/workload_options.h"

namespace sscope {

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

}  // namespace sscope
