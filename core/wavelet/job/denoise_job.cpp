#include "core/wavelet/job/denoise_job.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/measure/judged_parts.h"
#include "core/volume/losses.h"

namespace sscope {

namespace {

using Shift = std::array<std::int64_t, 3>;

constexpr int kUsualLevels = 3;

// All shifts along the transformed axes, the zero shift first.
std::vector<Shift> shiftsOf(const VolumeShape& shape, const DenoiseJob& job) {
  const auto axes = transformedAxes({shape.nx, shape.ny, shape.nz}, job.dwt.dimensions);
  const auto most = [&](std::size_t axis) { return axes[axis] ? std::int64_t{job.shifts} : 0; };
  std::vector<Shift> shifts;
  for (std::int64_t z = 0; z <= most(2); ++z)
    for (std::int64_t y = 0; y <= most(1); ++y)
      for (std::int64_t x = 0; x <= most(0); ++x) shifts.push_back({x, y, z});
  return shifts;
}

// Calls visit(element of the volume, element of the moved one) for each sample and component; sample (x, y, z) moves to
// (x, y, z) + shift, modulo the extents.
template <class Visit>
void overMoved(const VolumeShape& n, const Shift& shift, const Control& control, const Visit& visit) {
  tbb::parallel_for(std::int64_t{0}, n.ny * n.nz, [&](std::int64_t row) {
    control.check();
    const std::int64_t y = row % n.ny, z = row / n.ny;
    const std::int64_t to = ((z + shift[2]) % n.nz * n.ny + (y + shift[1]) % n.ny) * n.nx;
    for (std::int64_t x = 0; x < n.nx; ++x)
      for (int c = 0; c < n.components; ++c)
        visit(static_cast<std::size_t>((row * n.nx + x) * n.components + c),
              static_cast<std::size_t>((to + (x + shift[0]) % n.nx) * n.components + c));
  });
}

Volume moved(const Volume& volume, const Shift& shift, const Control& control) {
  Volume result(volume.shape(), volume.type(), volume.geometry());
  dispatch(volume.type(), [&](auto tag) {
    using T = decltype(tag);
    const auto in = volume.elements<T>();
    const auto out = result.elements<T>();
    overMoved(volume.shape(), shift, control, [&](std::size_t from, std::size_t to) { out[to] = in[from]; });
  });
  return result;
}

void add(RunReport& sum, const RunReport& one) {
  if (sum.engine.empty()) {
    sum = one;
    return;
  }
  sum.operations += one.operations;
  sum.bytes += one.bytes;
  sum.phases += one.phases;
}

class Denoiser {
 public:
  Denoiser(const EngineSet& engines, const VariantTable& variants, const DenoiseJob& job)
      : engines_(engines), variants_(variants), job_(job), sigmas_() {}

  // Transforms forward, applies the thresholds, transforms back.
  Volume run(const Volume& input, const Control& control) {
    DwtResult forward = dwtForward(engines_, variants_, job_.dwt, input, control.part(0, 0.5));
    for (int c = 0; c < forward.volume.shape().components; ++c) {
      control.check();
      const ArrayView component = componentView(forward.volume.view(), c);
      const BandThresholds thresholds = thresholdsOf(component, forward.pyramid, c, control);
      for (const BandEnergy& band :
           applyThreshold(component, component, forward.pyramid, thresholds, job_.mode, control))
        if (!band.band.averages()) zeros_ += band.zeros;
    }
    coefficients_ += forward.volume.shape().elements();
    const VolumeShape& n = input.shape();
    DwtResult back =
        dwtInverse(engines_, variants_, job_.dwt, forward.volume, std::array{n.nx, n.ny, n.nz}, control.part(0.5, 1));
    add(result_.report, forward.report);
    add(result_.report, back.report);
    for (std::optional<Verification>* one : {&forward.verification, &back.verification})
      if (*one) result_.verification = joined(result_.verification.value_or(Verification{}), **one);
    result_.pyramid = forward.pyramid;
    return std::move(back.volume);
  }

  DenoiseResult finished(Volume volume) {
    result_.volume = std::move(volume);
    result_.zeroShare = static_cast<double>(zeros_) / static_cast<double>(coefficients_);
    return std::move(result_);
  }

 private:
  // The noise is estimated from the data without a shift.
  BandThresholds thresholdsOf(const ConstArrayView& component, const Pyramid& pyramid, int c, const Control& control) {
    const auto index = static_cast<std::size_t>(c);
    const bool first = sigmas_.size() <= index;
    std::optional<double> sigma = job_.sigma;
    if (!first) sigma = sigmas_[index];
    Shrinkage found =
        shrinkageFor(component, pyramid, job_.threshold ? ShrinkageRule::Visu : job_.rule, job_.mode, sigma, control);
    if (job_.threshold) std::fill(found.thresholds.begin() + 1, found.thresholds.end(), *job_.threshold);
    if (first) {
      sigmas_.push_back(found.sigma);
      result_.sigma = found.sigma;
      result_.thresholds = found.thresholds;
      if (!job_.sigma && !job_.threshold && result_.notice.empty()) result_.notice = noNoiseNotice(found.sigma);
    }
    return BandThresholds(std::move(found.thresholds));
  }

  const EngineSet& engines_;
  const VariantTable& variants_;
  const DenoiseJob& job_;
  std::vector<double> sigmas_;  // of each component
  std::int64_t zeros_ = 0, coefficients_ = 0;
  DenoiseResult result_;
};

}  // namespace

void requireSensible(const DenoiseJob& job) {
  if (job.threshold && !(*job.threshold >= 0))
    throw Error(ErrorKind::Usage, "a threshold cannot be negative", "choose 0 or more, or auto");
  if (job.sigma && !(*job.sigma >= 0))
    throw Error(ErrorKind::Usage, "the standard deviation of the noise cannot be negative", "give 0 or more");
  if (job.shifts < 0 || job.shifts > kMostShifts)
    throw Error(ErrorKind::Usage, std::to_string(job.shifts) + " shifts are out of range",
                "choose 0 to " + std::to_string(kMostShifts));
}

void requireFinite(const Volume& input, const Control& control) {
  if (countNonFinite(input, control) > 0)
    throw Error(ErrorKind::BadData,
                "values of the data are NaN or infinite, and the transform would spread each over its neighborhood",
                "replace them first, as the filter formula:e=if(isfinite(source),source,0) does");
}

int denoisingLevels(const VolumeShape& shape, int dimensions) {
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  return std::clamp(largestLevels(extent, transformedAxes(extent, dimensions)), 1, kUsualLevels);
}

DenoiseResult denoise(const EngineSet& engines, const VariantTable& variants, const DenoiseJob& job,
                      const Volume& input, const Control& control) {
  requireSensible(job);
  if (input.empty()) throw Error(ErrorKind::Usage, "there is no data to transform", "open a file or a sample");
  requireFinite(input, {control.stop, {}});
  Denoiser denoiser(engines, variants, job);
  const std::vector<Shift> shifts = shiftsOf(input.shape(), job);
  const auto partAt = [&](std::size_t k) {
    const auto all = static_cast<double>(shifts.size());
    return control.part(static_cast<double>(k) / all, static_cast<double>(k + 1) / all);
  };
  Volume first = denoiser.run(input, partAt(0));
  if (shifts.size() == 1) return denoiser.finished(std::move(first));
  Volume sum(first.shape(), ElementType::f64);
  const auto sums = sum.elements<double>();
  const double share = 1 / static_cast<double>(shifts.size());
  const auto collect = [&](const Volume& part, const Shift& shift) {
    dispatch(part.type(), [&](auto tag) {
      const auto in = part.elements<decltype(tag)>();
      overMoved(part.shape(), shift, control,
                [&](std::size_t from, std::size_t to) { sums[from] += share * static_cast<double>(in[to]); });
    });
  };
  std::fill(sums.begin(), sums.end(), 0.0);
  collect(first, shifts[0]);
  for (std::size_t k = 1; k < shifts.size(); ++k)
    collect(denoiser.run(moved(input, shifts[k], control), partAt(k)), shifts[k]);
  dispatch(first.type(), [&](auto tag) {
    using T = decltype(tag);
    const auto out = first.elements<T>();
    overMoved(first.shape(), {0, 0, 0}, control,
              [&](std::size_t from, std::size_t) { out[from] = static_cast<T>(sums[from]); });
  });
  return denoiser.finished(std::move(first));
}

}  // namespace sscope
