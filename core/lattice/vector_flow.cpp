#include "core/lattice/vector_flow.h"

#include <cmath>

namespace sscope::cpu {

namespace {

// Links that would push each other out of the caches are written past them.
constexpr std::int64_t kStreamingBytes = 16 << 20;

// Unitary links: a plaquette's projection has eigenvalues of at most 4/3, a force six of them.
constexpr double kLargestForce = 8;
// Terms of the series until what follows is below the last digit, for an exponent of at most this norm.
int termsFor(double norm) {
  double term = norm;
  int k = 1;
  while (term > 1e-18) term *= norm / ++k;
  return k;
}
// So that the series is short and nothing cancels.
int halvingsFor(double norm) { return norm > 1 ? static_cast<int>(std::ceil(std::log2(norm))) : 0; }

}  // namespace

VectorFlow::VectorFlow(const lattice::Lattice& lattice, const LinkKernels& kernels)
    : kernels_(kernels),
      shape_(lattice, kernels_.lanes),
      links_{LinkBlocks(shape_), LinkBlocks(shape_), LinkBlocks(shape_)},
      exponents_(shape_.rows() * shape_.rowDoubles(lattice::kDirections * kAlgebraNumbers)),
      walk_(shape_) {}

void VectorFlow::setLinks(const lattice::GaugeField& field, const Control& control) {
  const int other = (current_ + 1) % 3;
  links_[other].copyFrom(field, control);
  current_ = other;
}

void VectorFlow::step(double epsilon, const Control& control) {
  const int before = current_, one = (before + 1) % 3, two = (before + 2) % 3;
  const auto stage = [&](double old, double now, bool keepsExponent, int from, int to, double norm) {
    const int halvings = halvingsFor(norm);
    run({old, -now * epsilon, keepsExponent, from, to, termsFor(std::ldexp(norm, -halvings)), halvings}, control);
  };
  const double norm = kLargestForce * std::abs(epsilon);
  // W1 = exp(Z0 / 4) W0; W2 = exp(8/9 Z1 - 17/36 Z0) W1; W3 = exp(3/4 Z2 - (8/9 Z1 - 17/36 Z0)) W2.
  stage(0, 1.0 / 4, true, before, one, norm / 4);
  control.report(1.0 / 3, "flow");
  stage(-17.0 / 9, 8.0 / 9, true, one, two, norm * (8.0 / 9 + 17.0 / 36));
  control.report(2.0 / 3, "flow");
  stage(-1, 3.0 / 4, false, two, one, norm * (3.0 / 4 + 8.0 / 9 + 17.0 / 36));
  current_ = one;
}

void VectorFlow::run(const Stage& stage, const Control& control) {
  const std::int64_t exponentDoubles = shape_.rowDoubles(lattice::kDirections * kAlgebraNumbers);
  const bool streaming = links_[stage.to].bytes() > kStreamingBytes;
  walk_.run(links_[stage.from], kernels_.plaquettes, control, [&](std::int64_t row, const NeighborRows& neighbors) {
    kernels_.evolve({neighbors, stage.old, stage.now, stage.keepsExponent, streaming, stage.terms, stage.halvings,
                     exponents_.data() + row * exponentDoubles, links_[stage.to].row(row)});
  });
}

}  // namespace sscope::cpu
