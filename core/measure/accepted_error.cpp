#include "core/measure/accepted_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/base/arithmetic.h"
#include "core/workload/workload.h"

namespace sscope {

double Tolerance::scaleOf(double magnitude, double reference) const {
  return std::min(std::max(magnitude, std::abs(reference)), std::numeric_limits<double>::max()) + floor;
}

Tolerance toleranceOf(const Workload& workload, std::size_t output, ElementType type, const VerifyOptions& options) {
  const std::int64_t terms = workload.termsPerOutput();
  const bool wide = type == ElementType::f64, own = options.bound > 0;
  const double certain = options.writtenOut ? static_cast<double>(terms) * (wide ? 0x1p-53 : 0x1p-24) : 0;
  Tolerance tolerance;
  tolerance.relative = own ? options.bound : acceptedNormError(type, terms, certain);
  tolerance.element = own ? options.elementBound : acceptedElementError(type, terms, certain);
  // Engines may flush every product and every sum to zero.
  const double smallest =
      wide && !own ? std::numeric_limits<double>::min() : static_cast<double>(std::numeric_limits<float>::min());
  tolerance.floor = 2 * static_cast<double>(terms) * smallest / tolerance.relative;
  tolerance.overflow =
      (wide && !own ? std::numeric_limits<double>::max() : static_cast<double>(std::numeric_limits<float>::max())) /
      static_cast<double>(std::max<std::int64_t>(terms, 1));
  tolerance.scale = workload.errorScale();
  tolerance.exact = workload.judgment(output) == Judgment::Equal;
  tolerance.enclosed = workload.judgment(output) == Judgment::Enclosed;
  return tolerance;
}

std::vector<double> joinedComponents(std::vector<double> magnitude, std::size_t components) {
  for (std::size_t first = 0; first < magnitude.size(); first += components) {
    ScaledNorm norm;
    for (std::size_t c = 0; c < components; ++c) norm.add(magnitude[first + c]);
    std::fill_n(magnitude.begin() + static_cast<std::ptrdiff_t>(first), components, norm.value());
  }
  return magnitude;
}

std::vector<double> acceptedErrors(const Workload& workload, std::span<const ConstArrayView> inputs, std::size_t output,
                                   const Box& box, const VerifyOptions& options, const Control& control) {
  if (options.writtenOut)
    if (const std::unique_ptr<Workload> dense = workload.writtenOut())
      return acceptedErrors(*dense, inputs, output, box, options, control);
  const ArraySpec spec = workload.outputs().at(output);
  const Tolerance tolerance = toleranceOf(workload, output, spec.type, options);
  const auto components = static_cast<std::size_t>(spec.extent[3]);
  std::vector<double> accepted(static_cast<std::size_t>(box.voxels()) * components);
  if (isInteger(spec.type) || tolerance.exact) return accepted;
  if (tolerance.scale == ErrorScale::Whole) {
    std::ranges::fill(accepted, std::numeric_limits<double>::infinity());
    return accepted;
  }
  std::vector<double> reference(accepted.size()), magnitude(accepted.size());
  workload.referenceBoth(inputs, output, box, reference, magnitude, control);
  control.check();
  if (tolerance.scale == ErrorScale::Voxel) magnitude = joinedComponents(std::move(magnitude), components);
  for (std::size_t i = 0; i < accepted.size(); ++i)
    accepted[i] =
        std::isnan(magnitude[i]) ? magnitude[i] : tolerance.element * tolerance.scaleOf(magnitude[i], reference[i]);
  return accepted;
}

}  // namespace sscope
