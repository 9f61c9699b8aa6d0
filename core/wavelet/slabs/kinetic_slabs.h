#pragma once
// The kinetic operator slab by slab.

#include "core/wavelet/slabs/slab_transform.h"

namespace sscope {

class KineticSlabs final : public SlabTransform {
 public:
  // As kineticTransform(). The engines and variants outlive it. Throws Error(Usage) for an order without a filter.
  KineticSlabs(const EngineSet& engines, const VariantTable& variants, const VolumeOutline& input, std::int64_t order,
               EngineChoice where);

  [[nodiscard]] const VolumeOutline& outline() const override { return outline_; }
  [[nodiscard]] ElementType arrayType() const override { return ElementType::f64; }
  [[nodiscard]] TransformSlab slabOf(const Range& own) const override;
  [[nodiscard]] std::int64_t bytesToRun(std::int64_t planes, const Control& control) const override;
  [[nodiscard]] std::int64_t bytesToVerify(std::int64_t planes) const override;
  [[nodiscard]] TransformResult run(const Volume& array, int verifiers, const Control& control) const override;

 private:
  const EngineSet& engines_;
  const VariantTable& variants_;
  std::int64_t order_, reach_;  // planes that a sum reads on either side
  EngineChoice where_;
  VolumeOutline outline_;
};

}  // namespace sscope
