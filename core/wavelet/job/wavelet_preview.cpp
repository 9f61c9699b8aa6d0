// The slices that follow a dragged threshold.

#include <algorithm>

#include "core/base/stopwatch.h"
#include "core/wavelet/box_inverse.h"
#include "core/wavelet/job/wavelet_state.h"
#include "core/wavelet/wavelet.h"

namespace sscope {

namespace {

// The box of one slice; 0 is the axial one.
Box sliceOf(const VolumeShape& shape, std::size_t view, const std::array<std::int64_t, 3>& at) {
  Box box{{0, 0, 0}, {shape.nx, shape.ny, shape.nz}};
  const std::size_t axis = 2 - view;
  box.begin[axis] = std::clamp<std::int64_t>(at[axis], 0, box.end[axis] - 1);
  box.end[axis] = box.begin[axis] + 1;
  return box;
}

// result - source of one slice.
std::shared_ptr<const Volume> differenceOf(const Volume& result, const Volume& source, const Box& box) {
  auto difference = std::make_shared<Volume>(result.shape(), ElementType::f32);
  const ConstArrayView a = result.view(), b = source.view();
  float* out = difference->elements<float>().data();
  dispatch(result.type(), [&](auto tag) {
    const auto *left = a.as<decltype(tag)>(), *right = b.as<decltype(tag)>();
    for (std::int64_t z = 0; z < box.size(2); ++z)
      for (std::int64_t y = 0; y < box.size(1); ++y)
        for (std::int64_t x = 0; x < box.size(0); ++x)
          *out++ = static_cast<float>(left[a.offset(x, y, z)] -
                                      right[b.offset(box.begin[0] + x, box.begin[1] + y, box.begin[2] + z)]);
  });
  return difference;
}

// A box of what the engine keeps. Throws what the array throws.
Volume boxOf(ResidentArray& array, const Box& box, const Control& control) {
  Volume slice({box.size(0), box.size(1), box.size(2), 1}, array.spec().type);
  const BoxCopy copy{box, slice.view()};
  array.read({&copy, 1}, control);
  return slice;
}

}  // namespace

bool WaveletPipeline::State::previewsThere() const {
  return resident && residentSeconds && (!previewSeconds || *residentSeconds <= *previewSeconds);
}

std::shared_ptr<const WaveletPreview> WaveletPipeline::preview(const WaveletJob& job, const Control& control) {
  transform(job, control);
  if (magic(job)) return nullptr;
  const Stopwatch watch;
  State& s = *state_;
  const Pyramid layout = s.layout();
  const State::Denoised* const there = s.previewsThere() ? s.denoise(control) : nullptr;
  const Wavelet& wavelet = waveletNamed(
      job.settings.wavelet, parseWaveletConvention(job.settings.convention).value_or(WaveletConvention::PyWavelets));
  const VolumeShape &shape = s.samples->shape(), &coefficients = s.coefficients->shape();
  auto preview = std::make_shared<WaveletPreview>();
  for (std::size_t a = 0; a < 3; ++a) preview->pyramidAt[a] = job.crosshair[a] >> (layout.axes[a] ? layout.levels : 0);
  preview->at = job.crosshair;
  for (std::size_t view = 0; view < (shape.nz == 1 ? 1U : 3U); ++view) {
    if (!job.previewed[view] && shape.nz > 1) continue;
    const Box box = sliceOf(shape, view, preview->at), pyramidBox = sliceOf(coefficients, view, preview->pyramidAt);
    auto slice =
        std::make_shared<const Volume>(there != nullptr ? boxOf(*there->run.outputs[0], box, control)
                                                        : inverseOfBox(s.coefficients->view(), layout, wavelet, box,
                                                                       s.thresholds(), ruleOf(job), control));
    preview->difference[view] = differenceOf(*slice, *s.samples, box);
    preview->result[view] = std::move(slice);
    preview->pyramid[view] =
        pyramidPicture(*s.coefficients, layout, *s.statistics, pyramidBox, s.thresholds(), ruleOf(job), control);
  }
  preview->seconds = watch.seconds();
  if (there == nullptr) s.previewSeconds = preview->seconds;
  return preview;
}

}  // namespace sscope
