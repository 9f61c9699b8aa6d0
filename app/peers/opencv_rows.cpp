#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "app/peers/rows.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/filter/workload/ladder_workloads.h"

namespace sscope::peers {

namespace {

// cv::filter2D correlates, as we do.
std::string planarRestriction(const FilterWorkload& workload) {
  if (workload.input().extent[2] != 1 || workload.operators()[0].size()[2] != 1)
    return "it works on images, not on volumes";
  if (workload.boundary() == Boundary::wrap) return "it has no wrap boundary";
  if (workload.boundary() == Boundary::constant && workload.constant() != 0) return "its constant boundary is 0";
  const auto size = workload.operators()[0].size(), anchor = workload.operators()[0].anchor();
  for (std::size_t a = 0; a < 2; ++a)
    if (anchor[a] < 0 || anchor[a] >= size[a]) return "its anchor lies within the taps";
  return {};
}

int borderOf(Boundary boundary) {
  switch (boundary) {
    case Boundary::constant: return cv::BORDER_CONSTANT;
    case Boundary::mirror: return cv::BORDER_REFLECT_101;
    case Boundary::reflect: return cv::BORDER_REFLECT;
    case Boundary::nearest:
    case Boundary::wrap: break;
  }
  return cv::BORDER_REPLICATE;
}

struct Image {
  int width, height, type;
  // OpenCV has no read-only matrix over foreign memory; filters do not write to their source.
  [[nodiscard]] cv::Mat source(const std::byte* data) const {
    return {height, width, type, const_cast<std::byte*>(data)};
  }
  [[nodiscard]] cv::Mat target(std::byte* data) const { return {height, width, type, data}; }
};

Image imageOf(const FilterWorkload& workload) {
  return {static_cast<int>(workload.input().extent[0]), static_cast<int>(workload.input().extent[1]),
          workload.input().type == ElementType::u8 ? CV_8U : CV_32F};
}

cv::Mat columnOf(const std::vector<double>& weights) {
  cv::Mat taps(static_cast<int>(weights.size()), 1, CV_32F);
  for (int i = 0; i < taps.rows; ++i) taps.at<float>(i) = static_cast<float>(weights[static_cast<std::size_t>(i)]);
  return taps;
}

// Runs an OpenCV call on its own thread setting and turns its errors into ours.
template <class F>
double timed(int threads, F&& call) {
  const int before = cv::getNumThreads();
  cv::setNumThreads(threads);
  try {
    const Stopwatch clock;
    call();
    const double seconds = clock.seconds();
    cv::setNumThreads(before);
    return seconds;
  } catch (const cv::Exception& e) {
    cv::setNumThreads(before);
    throw Error(ErrorKind::Unsupported, std::string("OpenCV failed: ") + e.what());
  }
}

PeerFunction filter2dScaled(const FilterWorkload& workload, double scale, int threads) {
  const DenseTaps dense = workload.stencil(0).expanded();
  cv::Mat taps(static_cast<int>(dense.size[1]), static_cast<int>(dense.size[0]), CV_32F);
  for (int y = 0; y < taps.rows; ++y)
    for (int x = 0; x < taps.cols; ++x) taps.at<float>(y, x) = static_cast<float>(dense.at(x, y, 0) * scale);
  const cv::Point anchor(static_cast<int>(dense.anchor[0]), static_cast<int>(dense.anchor[1]));
  const int border = borderOf(workload.boundary());
  const Image image = imageOf(workload);
  return [=](const std::byte* in, std::byte* out, const Control&) {
    cv::Mat target = image.target(out);
    return timed(threads, [&] { cv::filter2D(image.source(in), target, image.type, taps, anchor, 0, border); });
  };
}

PeerFunction filter2d(const FilterWorkload& workload, int threads) { return filter2dScaled(workload, 1, threads); }

PeerFunction soup(const FilterWorkload& workload, int threads) {
  return filter2dScaled(workload, static_cast<double>(dynamic_cast<const SoupWorkload&>(workload).scale()), threads);
}

PeerFunction separable(const FilterWorkload& workload, int threads) {
  const SeparableTerm& term = workload.stencil(0).terms[0];
  const cv::Mat x = columnOf(term.axis[0].weights);
  const cv::Mat y = columnOf(term.axis[1].weights) * term.axis[2].weights[0];
  const cv::Point anchor(static_cast<int>(term.axis[0].anchor), static_cast<int>(term.axis[1].anchor));
  const int border = borderOf(workload.boundary());
  const Image image = imageOf(workload);
  return [=](const std::byte* in, std::byte* out, const Control&) {
    cv::Mat target = image.target(out);
    return timed(threads, [&] { cv::sepFilter2D(image.source(in), target, CV_32F, x, y, anchor, 0, border); });
  };
}

}  // namespace

std::vector<PeerRow> openCvRows() {
  PeerRow dense;
  dense.engine = "peer:opencv";
  dense.name = "filter2d";
  dense.explanation =
      "cv::filter2D. Large kernels go through a discrete Fourier transform inside OpenCV. Cannot be stopped midway.";
  dense.source = "OpenCV, imgproc";
  dense.restriction = planarRestriction;
  dense.make = filter2d;

  PeerRow passes = dense;
  passes.name = "sep-filter2d";
  passes.explanation = "cv::sepFilter2D: a pass along the rows, then one along the columns. Cannot be stopped midway.";
  passes.restriction = [](const FilterWorkload& workload) -> std::string {
    if (workload.stencil(0).terms.size() != 1) return "the filter is not a single separable term";
    return planarRestriction(workload);
  };
  passes.make = separable;

  PeerRow ladder = dense;
  ladder.workload = "conv2d";

  PeerRow bytes = dense;
  bytes.workload = "soup";
  bytes.type = ElementType::u8;
  bytes.explanation =
      "cv::filter2D from u8 to u8 with float taps that contain the scale. Its sums are rounded on the way, so now and "
      "then a pixel differs by one. Cannot be stopped midway.";
  bytes.make = soup;
  return {dense, passes, ladder, bytes};
}

std::string openCvName() { return "OpenCV " + cv::getVersionString(); }

}  // namespace sscope::peers
