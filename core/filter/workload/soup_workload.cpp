#include "core/filter/workload/soup_workload.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/filter/taps.h"
#include "core/workload/noise.h"
#include "core/workload/workload_options.h"

namespace sscope {

namespace {

std::vector<Operator> integerKernel(const OptionValues& values) {
  Stencil filter;
  filter.dense = boxOfTaps({SoupWorkload::kSize, SoupWorkload::kSize, 1});
  NoiseSource noise(static_cast<std::uint64_t>(integerOf(values, "seed")));
  for (double& weight : filter.dense.weights) weight = std::floor(40 * noise.next()) - 8;
  // A sum of one at least keeps the scale finite whatever the seed.
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

}  // namespace sscope
