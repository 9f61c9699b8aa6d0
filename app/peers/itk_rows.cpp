#include <itkBilateralImageFilter.h>
#include <itkDiscreteGaussianImageFilter.h>
#include <itkNeighborhoodOperatorImageFilter.h>
#include <itkSmoothingRecursiveGaussianImageFilter.h>
#include <itkVersion.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "app/peers/itk_run.h"
#include "app/peers/rows.h"
#include "core/filter/stencil.h"

namespace sscope::peers {

namespace {

using Image = itk::Image<float, 3>;

// The standard deviation of an axis' taps when they are a sampled gaussian, 0 for an untouched axis.
std::optional<double> gaussianSigma(const AxisTaps& taps) {
  if (taps.identity()) return 0.0;
  const std::int64_t radius = taps.anchor;
  if (radius < 1 || taps.size() != 2 * radius + 1) return std::nullopt;
  const double center = taps.weights[static_cast<std::size_t>(radius)];
  const double ratio = taps.weights[static_cast<std::size_t>(radius) + 1] / center;
  if (!(ratio > 0 && ratio < 1)) return std::nullopt;
  const double sigma = std::sqrt(-0.5 / std::log(ratio));
  for (std::int64_t i = -radius; i <= radius; ++i) {
    const double x = static_cast<double>(i) / sigma;
    const double expected = center * std::exp(-0.5 * x * x);
    if (!(std::abs(taps.weights[static_cast<std::size_t>(i + radius)] - expected) <= 1e-9 * center))
      return std::nullopt;
  }
  return sigma;
}

std::optional<std::array<double, 3>> gaussianSigmas(const Stencil& filter) {
  if (filter.terms.size() != 1) return std::nullopt;
  std::array<double, 3> sigmas{};
  for (std::size_t a = 0; a < 3; ++a) {
    const auto sigma = gaussianSigma(filter.terms[0].axis[a]);
    if (!sigma) return std::nullopt;
    sigmas[a] = *sigma;
  }
  return sigmas;
}

std::string gaussianRestriction(const FilterWorkload& workload) {
  if (!gaussianSigmas(workload.stencil(0))) return "the filter is not a plain gaussian";
  if (workload.boundary() != Boundary::nearest) return "its boundary is nearest";
  return {};
}

PeerFunction discreteGaussian(const FilterWorkload& workload, int threads) {
  using Filter = itk::DiscreteGaussianImageFilter<Image, Image>;
  const Filter::ArrayType::ValueType error = std::clamp(workload.stencil(0).lostTailMass, 1e-6, 0.1);
  const auto sigmas = *gaussianSigmas(workload.stencil(0));
  return [=, spec = workload.input()](const std::byte* in, std::byte* out, const Control& control) {
    const auto filter = Filter::New();
    Filter::ArrayType variance;
    for (unsigned a = 0; a < 3; ++a) variance[a] = sigmas[a] * sigmas[a];
    filter->SetVariance(variance);
    filter->SetMaximumError(error);
    filter->SetMaximumKernelWidth(2049);
    filter->SetUseImageSpacing(false);
    return runItk(*filter, spec, in, out, threads, control);
  };
}

PeerFunction recursiveGaussian(const FilterWorkload& workload, int threads) {
  using Filter = itk::SmoothingRecursiveGaussianImageFilter<Image, Image>;
  const auto sigmas = *gaussianSigmas(workload.stencil(0));
  return [=, spec = workload.input()](const std::byte* in, std::byte* out, const Control& control) {
    const auto filter = Filter::New();
    Filter::SigmaArrayType sigma;
    for (unsigned a = 0; a < 3; ++a) sigma[a] = sigmas[a];
    filter->SetSigmaArray(sigma);
    filter->SetNormalizeAcrossScale(false);
    return runItk(*filter, spec, in, out, threads, control);
  };
}

PeerFunction neighborhoodOperator(const FilterWorkload& workload, int threads) {
  using Filter = itk::NeighborhoodOperatorImageFilter<Image, Image, float>;
  const DenseTaps dense = workload.stencil(0).expanded();
  itk::Neighborhood<float, 3> taps;
  itk::Size<3> radius;
  for (unsigned a = 0; a < 3; ++a) radius[a] = static_cast<itk::SizeValueType>(dense.anchor[a]);
  taps.SetRadius(radius);
  for (std::size_t i = 0; i < dense.weights.size(); ++i) taps[i] = static_cast<float>(dense.weights[i]);
  return [=, spec = workload.input()](const std::byte* in, std::byte* out, const Control& control) {
    const auto filter = Filter::New();
    filter->SetOperator(taps);
    return runItk(*filter, spec, in, out, threads, control);
  };
}

// The standard deviation of distance; 0 where the filter is no bilateral one with the same sigma and radius everywhere.
double bilateralSigma(const FilterWorkload& workload) {
  const RangeWindow* window = workload.operators()[0].range();
  if (window == nullptr || window->patchCount() > 1 || !(window->falloff[0] > 0)) return 0;
  for (std::size_t a = 1; a < 3; ++a)
    if (window->falloff[a] != window->falloff[0] || window->reach[a] != window->reach[0]) return 0;
  return std::sqrt(0.5 / window->falloff[0]);
}

PeerFunction bilateral(const FilterWorkload& workload, int threads) {
  using Filter = itk::BilateralImageFilter<Image, Image>;
  const double sigma = bilateralSigma(workload), range = workload.operators()[0].range()->range;
  const auto radius = static_cast<itk::SizeValueType>(workload.operators()[0].range()->reach[0]);
  return [=, spec = workload.input()](const std::byte* in, std::byte* out, const Control& control) {
    const auto filter = Filter::New();
    filter->SetDomainSigma(sigma);
    filter->SetRangeSigma(range);
    filter->AutomaticKernelSizeOff();
    filter->SetRadius(radius);
    return runItk(*filter, spec, in, out, threads, control);
  };
}

}  // namespace

std::vector<PeerRow> itkRows() {
  PeerRow row;
  row.engine = "peer:itk";
  row.source = "ITK";

  PeerRow discrete = row;
  discrete.name = "discrete-gaussian";
  discrete.explanation =
      "itk::DiscreteGaussianImageFilter, cut off at the same lost mass. Its taps are Lindeberg's discrete gaussian, "
      "not the sampled one: another filter by its definition, whose difference is reported, not judged.";
  discrete.otherDefinition = true;
  discrete.restriction = gaussianRestriction;
  discrete.make = discreteGaussian;

  PeerRow recursive = row;
  recursive.name = "recursive-gaussian";
  recursive.explanation =
      "itk::SmoothingRecursiveGaussianImageFilter: Deriche's recursive approximation of the gaussian, whose cost does "
      "not depend on sigma. An approximation: its error against the taps is reported, not expected to pass.";
  recursive.restriction = [](const FilterWorkload& workload) -> std::string {
    if (const std::string reason = gaussianRestriction(workload); !reason.empty()) return reason;
    const auto sigmas = *gaussianSigmas(workload.stencil(0));
    for (std::size_t a = 0; a < 3; ++a) {
      if (sigmas[a] == 0) return "it smooths all three axes";
      if (workload.input().extent[a] < 4) return "it needs at least 4 voxels along each axis";
    }
    return {};
  };
  recursive.make = recursiveGaussian;

  PeerRow neighborhood = row;
  neighborhood.name = "neighborhood-operator";
  neighborhood.explanation = "itk::NeighborhoodOperatorImageFilter: the dense sum over a neighborhood iterator.";
  neighborhood.restriction = [](const FilterWorkload& workload) -> std::string {
    if (workload.boundary() != Boundary::nearest) return "its boundary is nearest";
    const auto size = workload.operators()[0].size(), anchor = workload.operators()[0].anchor();
    for (std::size_t a = 0; a < 3; ++a)
      if (size[a] != 2 * anchor[a] + 1) return "its taps are centered";
    // Nobody would run it so, and it would take minutes beside passes.
    const Stencil& stencil = workload.stencil(0);
    if (stencil.separable() && stencil.denseTaps() > 4 * stencil.separableTaps())
      return "it sums " + std::to_string(stencil.denseTaps()) + " products a voxel where passes sum " +
             std::to_string(stencil.separableTaps());
    return {};
  };
  neighborhood.make = neighborhoodOperator;
  PeerRow likeness = row;
  likeness.name = "bilateral";
  likeness.explanation =
      "itk::BilateralImageFilter. Its gaussian of differences is a table of 100 numbers that "
      "ends at 4 standard deviations: its error against the formula is reported, not expected to pass.";
  likeness.linear = false;
  likeness.restriction = [](const FilterWorkload& workload) -> std::string {
    if (bilateralSigma(workload) == 0) return "the filter is not bilateral, alike along all three axes";
    return workload.boundary() == Boundary::nearest ? "" : "its boundary is nearest";
  };
  likeness.make = bilateral;
  std::vector<PeerRow> rows{discrete, recursive, neighborhood, likeness};
  for (PeerRow& one : itkRankRows()) rows.push_back(std::move(one));
  return rows;
}

std::string itkName() { return std::string("ITK ") + itk::Version::GetITKVersion(); }

}  // namespace sscope::peers
