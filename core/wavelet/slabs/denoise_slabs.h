#pragma once
// Denoising with thresholds that are known beforehand, slab by slab.

#include "core/wavelet/job/denoise_job.h"
#include "core/wavelet/slabs/slab_transform.h"

namespace sscope {

class DenoiseSlabs final : public SlabTransform {
 public:
  // The thresholds are given, or follow from a given noise by VisuShrink; no shifts. Of others say why not:
  // Error(Unsupported). The engines and variants outlive it. Throws Error(Usage) as denoise().
  DenoiseSlabs(const EngineSet& engines, const VariantTable& variants, const VolumeOutline& input, DenoiseJob job);

  // The threshold of all bands.
  [[nodiscard]] double threshold() const { return *job_.threshold; }
  [[nodiscard]] const Pyramid& pyramid() const { return pyramid_; }
  [[nodiscard]] const VolumeOutline& outline() const override { return outline_; }
  [[nodiscard]] ElementType arrayType() const override { return outline_.type; }
  [[nodiscard]] TransformSlab slabOf(const Range& own) const override;
  [[nodiscard]] std::int64_t bytesToRun(std::int64_t planes, const Control& control) const override;
  [[nodiscard]] std::int64_t bytesToVerify(std::int64_t planes) const override;
  [[nodiscard]] TransformResult run(const Volume& array, int verifiers, const Control& control) const override;

 private:
  const EngineSet& engines_;
  const VariantTable& variants_;
  DenoiseJob job_;
  VolumeOutline outline_;
  Pyramid pyramid_;   // of the whole
  std::size_t axis_;  // across which planes lie
};

}  // namespace sscope
