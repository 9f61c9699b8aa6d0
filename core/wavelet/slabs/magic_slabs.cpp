#include "core/wavelet/slabs/magic_slabs.h"

#include <algorithm>

namespace sscope {

MagicSlabs::MagicSlabs(const EngineSet& engines, const VariantTable& variants, const VolumeOutline& input,
                       const OptionValues& values, EngineChoice where)
    : engines_(engines),
      variants_(variants),
      values_(values),
      where_(std::move(where)),
      shape_(input.shape),
      free_(std::get<std::string>(values.at("boundary")) == toString(DataBoundary::Free)),
      whole_(of(shape_)) {
  const auto extent = whole_.outputs().front().extent;
  outline_ = {{extent[0], extent[1], extent[2], shape_.components},
              ElementType::f64,
              transformedGeometry(whole_, input.geometry)};
}

MagicWorkload MagicSlabs::of(const VolumeShape& shape) const {
  return {componentSpec(shape, ElementType::f64), values_};
}

TransformSlab MagicSlabs::slabOf(const Range& own) const {
  const std::int64_t planes = planesOf(shape_), reach = std::ssize(whole_.taps()) - 1;
  if (!free_) {
    const std::int64_t before = -whole_.first();
    return {wrappedPlanes(own.begin - before, own.end - before + reach, planes), before};
  }
  // Forward, output p reads inputs p - reach to p, those that are there; inverse, p to p + reach, which are there.
  Range read{own.begin, own.end + reach};
  if (!whole_.inverse()) read = {std::max<std::int64_t>(0, own.begin - reach), std::min(planes, own.end)};
  // An axis of one voxel would not be filtered.
  if (read.size() < 2) (read.end < planes ? read.end : read.begin) += read.end < planes ? 1 : -1;
  return {wrappedPlanes(read.begin, read.end, planes), own.begin - read.begin};
}

std::int64_t MagicSlabs::bytesToRun(std::int64_t planes, const Control& control) const {
  const MagicWorkload slab = of(withPlanes(shape_, planes));
  return slab.outputs().front().bytes() * shape_.components +
         planBytes(engines_, variants_, slab, where_, shape_.components, control);
}

std::int64_t MagicSlabs::bytesToVerify(std::int64_t planes) const {
  return verifyBytes(of(withPlanes(shape_, planes)));
}

TransformResult MagicSlabs::run(const Volume& array, int verifiers, const Control& control) const {
  return runTransform(engines_, variants_, of(array.shape()), array, verifiedBy(verifiers, where_), control);
}

}  // namespace sscope
