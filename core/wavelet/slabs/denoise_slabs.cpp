#include "core/wavelet/slabs/denoise_slabs.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/wavelet/slabs/restored_from.h"

namespace sscope {

namespace {

void requireKnownThresholds(const DenoiseJob& job) {
  if (job.shifts > 0)
    throw Error(ErrorKind::Unsupported, "cycle spinning reads the data moved by every shift as a whole",
                "leave --shifts out");
  if (!job.threshold && (!job.sigma || job.rule != ShrinkageRule::Visu))
    throw Error(ErrorKind::Unsupported, "thresholds are found from the coefficients of all of the data",
                "give --threshold, or --sigma with --rule visu");
}

}  // namespace

DenoiseSlabs::DenoiseSlabs(const EngineSet& engines, const VariantTable& variants, const VolumeOutline& input,
                           DenoiseJob job)
    : engines_(engines),
      variants_(variants),
      job_(std::move(job)),
      outline_{input.shape, realTypeFor(input.type), input.geometry},
      axis_(slowestAxis(componentSpec(input.shape, input.type).extent)) {
  requireSensible(job_);
  requireKnownThresholds(job_);
  const VolumeShape& n = outline_.shape;
  pyramid_ = pyramidFor({n.nx, n.ny, n.nz}, job_.dwt.dimensions, job_.dwt.levels);
  if (!job_.threshold) job_.threshold = universalThreshold(*job_.sigma, pyramid_);
  job_.sigma = 0;  // nobody has to find it in a slab
}

TransformSlab DenoiseSlabs::slabOf(const Range& own) const {
  const std::int64_t planes = planesOf(outline_.shape), step = std::int64_t{1} << pyramid_.levels;
  if (!pyramid_.axes[axis_]) return {wrappedPlanes(own.begin, own.end, planes), 0};
  Range read = restoredFrom(waveletNamed(job_.dwt.wavelet, job_.dwt.convention), pyramid_.levels, own);
  read.begin -= (read.begin % step + step) % step;
  read.end += (step - read.end % step) % step;
  TransformSlab slab{wrappedPlanes(read.begin, read.end, pyramid_.extent[axis_]), own.begin - read.begin};
  // Beyond the data the last plane is repeated.
  for (std::int64_t& plane : slab.planes) plane = std::min(plane, planes - 1);
  return slab;
}

// The coefficients, what they become again, and that without what extends it.
std::int64_t DenoiseSlabs::bytesToRun(std::int64_t planes, const Control& control) const {
  constexpr std::int64_t kArrays = 3;
  const VolumeShape shape = withPlanes(outline_.shape, planes);
  const DwtWorkload there = dwtWorkload(job_.dwt, componentSpec(shape, outline_.type), true);
  const ArraySpec coefficients = there.outputs().front();
  const DwtWorkload back = dwtWorkload(job_.dwt, coefficients, false);
  const auto bytesOfPlan = [&](const DwtWorkload& workload) {
    return planBytes(engines_, variants_, workload, job_.dwt.where, shape.components, control);
  };
  return kArrays * coefficients.bytes() * shape.components + std::max(bytesOfPlan(there), bytesOfPlan(back));
}

std::int64_t DenoiseSlabs::bytesToVerify(std::int64_t planes) const {
  const DwtWorkload there =
      dwtWorkload(job_.dwt, componentSpec(withPlanes(outline_.shape, planes), outline_.type), true);
  return std::max(verifyBytes(there), verifyBytes(dwtWorkload(job_.dwt, there.outputs().front(), false)));
}

TransformResult DenoiseSlabs::run(const Volume& array, int verifiers, const Control& control) const {
  DenoiseJob job = job_;
  job.dwt.where = verifiedBy(verifiers, job_.dwt.where);
  DenoiseResult result = denoise(engines_, variants_, job, array, control);
  return {std::move(result.volume), std::move(result.report), std::move(result.verification)};
}

}  // namespace sscope
