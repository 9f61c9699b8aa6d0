#pragma once
// The magic filter slab by slab, with periodic and with free boundaries.

#include "core/wavelet/slabs/slab_transform.h"
#include "core/wavelet/workload/magic_workload.h"

namespace sscope {

class MagicSlabs final : public SlabTransform {
 public:
  // `values`: of MagicWorkload, along all axes. `input` is any type. The engines and variants outlive it. Throws what
  // MagicWorkload throws.
  MagicSlabs(const EngineSet& engines, const VariantTable& variants, const VolumeOutline& input,
             const OptionValues& values, EngineChoice where);

  [[nodiscard]] const MagicWorkload& workload() const { return whole_; }
  [[nodiscard]] const VolumeOutline& outline() const override { return outline_; }
  [[nodiscard]] ElementType arrayType() const override { return ElementType::f64; }
  [[nodiscard]] TransformSlab slabOf(const Range& own) const override;
  [[nodiscard]] std::int64_t bytesToRun(std::int64_t planes, const Control& control) const override;
  [[nodiscard]] std::int64_t bytesToVerify(std::int64_t planes) const override;
  [[nodiscard]] TransformResult run(const Volume& array, int verifiers, const Control& control) const override;

 private:
  [[nodiscard]] MagicWorkload of(const VolumeShape& shape) const;

  const EngineSet& engines_;
  const VariantTable& variants_;
  OptionValues values_;
  EngineChoice where_;
  VolumeShape shape_;  // of the input
  bool free_;
  MagicWorkload whole_;
  VolumeOutline outline_;
};

}  // namespace sscope
