#include <itkFlatStructuringElement.h>
#include <itkGrayscaleDilateImageFilter.h>
#include <itkGrayscaleErodeImageFilter.h>
#include <itkMedianImageFilter.h>

#include "app/peers/itk_run.h"
#include "app/peers/rows.h"

namespace sscope::peers {

namespace {

using Bytes = itk::Image<unsigned char, 3>;
using Element = itk::FlatStructuringElement<3>;

itk::Size<3> radiusOf(const RankWindow& window) {
  itk::Size<3> radius;
  for (unsigned a = 0; a < 3; ++a) radius[a] = static_cast<itk::SizeValueType>(window.anchor[a]);
  return radius;
}

// What all rows ask for, and that the rank is theirs.
template <class IsRank>
std::string restriction(const FilterWorkload& workload, const char* rank, IsRank&& isRank) {
  const RankWindow& window = *workload.operators()[0].window();
  if (workload.boundary() != Boundary::nearest) return "its boundary is nearest";
  if (!isRank(window)) return std::string("it finds ") + rank + " only";
  if (!window.box()) return "its window is a box";
  for (std::size_t a = 0; a < 3; ++a)
    if (window.size[a] != 2 * window.anchor[a] + 1) return "its window is centered";
  return {};
}

PeerFunction median(const FilterWorkload& workload, int threads) {
  return [=, radius = radiusOf(*workload.operators()[0].window()), spec = workload.input()](
             const std::byte* in, std::byte* out, const Control& control) {
    const auto filter = itk::MedianImageFilter<Bytes, Bytes>::New();
    filter->SetRadius(radius);
    return runItk(*filter, spec, in, out, threads, control);
  };
}

// What lies outside is left out of the window, which for boxes is the same as the nearest voxel.
template <class Filter>
PeerFunction morphology(const FilterWorkload& workload, int threads) {
  return [=, radius = radiusOf(*workload.operators()[0].window()), spec = workload.input()](
             const std::byte* in, std::byte* out, const Control& control) {
    const auto filter = Filter::New();
    filter->SetKernel(Element::Box(radius));
    return runItk(*filter, spec, in, out, threads, control);
  };
}

}  // namespace

std::vector<PeerRow> itkRankRows() {
  PeerRow row;
  row.engine = "peer:itk";
  row.source = "ITK";
  row.type = ElementType::u8;
  row.ranks = true;

  PeerRow medians = row;
  medians.name = "median";
  medians.explanation = "itk::MedianImageFilter: std::nth_element on a copy of every neighborhood.";
  medians.restriction = [](const FilterWorkload& workload) {
    return restriction(workload, "medians", [](const RankWindow& window) { return window.median(); });
  };
  medians.make = median;

  PeerRow erode = row;
  erode.name = "grayscale-erode";
  erode.explanation =
      "itk::GrayscaleErodeImageFilter with a flat box, which ITK decomposes into lines: van Herk, Gil and Werman.";
  erode.restriction = [](const FilterWorkload& workload) {
    return restriction(workload, "minima", [](const RankWindow& window) { return window.minimum(); });
  };
  erode.make = morphology<itk::GrayscaleErodeImageFilter<Bytes, Bytes, Element>>;

  PeerRow dilate = row;
  dilate.name = "grayscale-dilate";
  dilate.explanation =
      "itk::GrayscaleDilateImageFilter with a flat box, which ITK decomposes into lines: van Herk, Gil and Werman.";
  dilate.restriction = [](const FilterWorkload& workload) {
    return restriction(workload, "maxima", [](const RankWindow& window) { return window.maximum(); });
  };
  dilate.make = morphology<itk::GrayscaleDilateImageFilter<Bytes, Bytes, Element>>;
  return {medians, erode, dilate};
}

}  // namespace sscope::peers
