#include "tests/lattice/flow_reference.h"

#include <utility>

#include "core/lattice/fields.h"
#include "core/lattice/parallel.h"

namespace sscope {

using namespace lattice;

namespace {

// exponent <- old exponent + now epsilon Z(field); then field <- exp(exponent) field.
void stage(GaugeField& field, std::vector<Matrix3>& exponent, double old, double now, double epsilon) {
  const std::int64_t volume = field.lattice().volume();
  forPieces(volume, {}, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t x = begin; x < end; ++x)
      for (int mu = 0; mu < kDirections; ++mu) {
        Matrix3& sum = exponent[static_cast<std::size_t>(kDirections * x + mu)];
        const Matrix3 force = antihermitianTraceless(field.link(x, mu) * staples(field, x, mu));
        sum *= old;
        sum += (-now * epsilon) * force;
      }
  });
  forPieces(volume, {}, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t x = begin; x < end; ++x)
      for (int mu = 0; mu < kDirections; ++mu) {
        Matrix3& link = field.link(x, mu);
        link = exponential(exponent[static_cast<std::size_t>(kDirections * x + mu)]) * link;
      }
  });
}

}  // namespace

GaugeField flowStepReference(GaugeField field, double epsilon) {
  std::vector<Matrix3> exponent(field.links().size());
  // W1 = exp(Z0 / 4) W0; W2 = exp(8/9 Z1 - 17/36 Z0) W1; W3 = exp(3/4 Z2 - (8/9 Z1 - 17/36 Z0)) W2.
  stage(field, exponent, 0, 1.0 / 4, epsilon);
  stage(field, exponent, -17.0 / 9, 8.0 / 9, epsilon);
  stage(field, exponent, -1, 3.0 / 4, epsilon);
  return field;
}

}  // namespace sscope
