// The engines are tested against our reference; here the reference itself is held against ITK, which shares no
// line of code with it.
#include <itkBilateralImageFilter.h>
#include <itkConstantBoundaryCondition.h>
#include <itkDerivativeImageFilter.h>
#include <itkImage.h>
#include <itkImageRegionIterator.h>
#include <itkLaplacianImageFilter.h>
#include <itkMeanImageFilter.h>
#include <itkMedianImageFilter.h>
#include <itkNeighborhoodOperatorImageFilter.h>
#include <itkPeriodicBoundaryCondition.h>
#include <itkZeroFluxNeumannBoundaryCondition.h>

#include <algorithm>
#include <cmath>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/workload/filter_reference.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

template <unsigned D>
using Image = itk::Image<double, D>;

template <unsigned D>
typename Image<D>::Pointer toItk(const Volume& volume) {
  auto image = Image<D>::New();
  typename Image<D>::SizeType size;
  size[0] = static_cast<itk::SizeValueType>(volume.shape().nx);
  size[1] = static_cast<itk::SizeValueType>(volume.shape().ny);
  if constexpr (D == 3) size[2] = static_cast<itk::SizeValueType>(volume.shape().nz);
  image->SetRegions(size);
  image->Allocate();
  std::copy_n(volume.elements<double>().data(), volume.shape().elements(), image->GetBufferPointer());
  return image;
}

std::vector<double> reference(const Operator& filter, const Volume& volume, Boundary boundary, double constant) {
  std::vector<double> values(static_cast<std::size_t>(volume.shape().elements()));
  const VolumeShape& s = volume.shape();
  filterReference(filter, boundary, constant, volume.view(), {{0, 0, 0}, {s.nx, s.ny, s.nz}}, false, values, {});
  return values;
}

template <unsigned D>
double largestDifference(const std::vector<double>& ours, const Image<D>* theirs) {
  double worst = 0;
  for (std::size_t i = 0; i < ours.size(); ++i)
    worst = test::larger(worst, std::abs(ours[i] - theirs->GetBufferPointer()[i]));
  return worst;
}

// Odd-sized taps in an ITK neighborhood.
template <unsigned D>
itk::Neighborhood<double, D> neighborhood(const DenseTaps& taps) {
  itk::Neighborhood<double, D> result;
  typename itk::Neighborhood<double, D>::RadiusType radius;
  for (unsigned a = 0; a < D; ++a) radius[a] = static_cast<itk::SizeValueType>(taps.anchor[a]);
  result.SetRadius(radius);
  for (unsigned i = 0; i < result.Size(); ++i) result[i] = taps.weights[i];
  return result;
}

template <unsigned D, class BoundaryCondition>
double withNeighborhood(const Stencil& filter, const Volume& volume, Boundary boundary, BoundaryCondition condition,
                        double constant) {
  using Operator = itk::NeighborhoodOperatorImageFilter<Image<D>, Image<D>, double>;
  auto op = Operator::New();
  op->SetInput(toItk<D>(volume));
  op->SetOperator(neighborhood<D>(filter.expanded()));
  op->OverrideBoundaryCondition(&condition);
  op->Update();
  return largestDifference<D>(reference(filter, volume, boundary, constant), op->GetOutput());
}

Volume volumeFor(int dimensions) {
  return test::randomVolume({15, 13, dimensions == 3 ? 11 : 1, 1}, ElementType::f64, 4);
}

template <unsigned D>
void compareFamilies() {
  const Volume volume = volumeFor(D);
  for (const char* spec :
       {"gaussian:sigma=1.1", "gaussian:sigma=0.9,order_x=1,order_y=1", "log:sigma=0.8", "dog:sigma=0.6",
        "sobel:axis=y", "scharr:axis=x", "laplacian:neighbors=corners", "sharpen", "box:size=5"}) {
    const Stencil filter = makeStencil(parseFilterSpec(spec), {static_cast<int>(D), {1, 1, 1}});
    INFO(spec << " in " << D << " dimensions");
    CHECK(withNeighborhood<D>(filter, volume, Boundary::nearest, itk::ZeroFluxNeumannBoundaryCondition<Image<D>>(), 0) <
          1e-12);
    CHECK(withNeighborhood<D>(filter, volume, Boundary::wrap, itk::PeriodicBoundaryCondition<Image<D>>(), 0) < 1e-12);
    itk::ConstantBoundaryCondition<Image<D>> constant;
    constant.SetConstant(2.5);
    CHECK(withNeighborhood<D>(filter, volume, Boundary::constant, constant, 2.5) < 1e-12);
  }
}

}  // namespace

TEST_CASE("ITK's neighborhood operator agrees with the reference") {
  compareFamilies<2>();
  compareFamilies<3>();
}

TEST_CASE("ITK's own filters agree with the families of the same name") {
  const Volume volume = volumeFor(3);
  const FilterGrid grid{3, {1, 1, 1}};
  const auto image = toItk<3>(volume);

  auto mean = itk::MeanImageFilter<Image<3>, Image<3>>::New();
  mean->SetInput(image);
  mean->SetRadius(2);
  mean->Update();
  CHECK(largestDifference<3>(reference(makeStencil(parseFilterSpec("box:size=5"), grid), volume, Boundary::nearest, 0),
                             mean->GetOutput()) < 1e-12);

  auto median = itk::MedianImageFilter<Image<3>, Image<3>>::New();
  median->SetInput(image);
  median->SetRadius(2);
  median->Update();
  CHECK(largestDifference<3>(
            reference(makeOperator(parseFilterSpec("median:size=5"), grid), volume, Boundary::nearest, 0),
            median->GetOutput()) == 0);

  // Its range gaussian is a table that ends at 4 standard deviations, of so many samples.
  const auto range = [&] {
    auto bilateral = itk::BilateralImageFilter<Image<3>, Image<3>>::New();
    bilateral->SetInput(image);
    bilateral->SetDomainSigma(1.2);
    bilateral->SetRangeSigma(0.5);
    bilateral->AutomaticKernelSizeOff();
    bilateral->SetRadius(3);
    bilateral->SetNumberOfRangeGaussianSamples(1'000'000);
    bilateral->Update();
    return largestDifference<3>(reference(makeOperator(parseFilterSpec("bilateral:sigma=1.2,range=0.5,radius=3"), grid),
                                          volume, Boundary::nearest, 0),
                                bilateral->GetOutput());
  }();
  CHECK(range < 1e-3);

  auto laplacian = itk::LaplacianImageFilter<Image<3>, Image<3>>::New();
  laplacian->SetInput(image);
  laplacian->Update();
  CHECK(largestDifference<3>(
            reference(makeStencil(parseFilterSpec("laplacian:neighbors=faces"), grid), volume, Boundary::nearest, 0),
            laplacian->GetOutput()) < 1e-12);

  auto derivative = itk::DerivativeImageFilter<Image<3>, Image<3>>::New();
  derivative->SetInput(image);
  derivative->SetDirection(1);
  derivative->SetOrder(1);
  derivative->Update();
  Stencil central;
  central.dense = {{1, 3, 1}, {0, 1, 0}, {-0.5, 0, 0.5}};
  CHECK(largestDifference<3>(reference(central, volume, Boundary::nearest, 0), derivative->GetOutput()) < 1e-12);
}
