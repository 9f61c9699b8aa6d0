#include "core/wavelet/slabs/kinetic_slabs.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/wavelet/job/kinetic_job.h"
#include "core/wavelet/magic_taps.h"

namespace sscope {

KineticSlabs::KineticSlabs(const EngineSet& engines, const VariantTable& variants, const VolumeOutline& input,
                           std::int64_t order, EngineChoice where)
    : engines_(engines),
      variants_(variants),
      order_(order),
      reach_(std::ssize(kineticTaps(static_cast<int>(order))) / 2),
      where_(std::move(where)),
      outline_{input.shape, ElementType::f64, input.geometry} {}

TransformSlab KineticSlabs::slabOf(const Range& own) const {
  return {wrappedPlanes(own.begin - reach_, own.end + reach_, planesOf(outline_.shape)), reach_};
}

namespace {

// The lines along an axis are shorter in a slab, and variants that compute several places of a line at once sum its end
// in another order.
void requireUsual(const EngineSet& engines, const VariantTable& variants, const EngineChoice& where) {
  const Engine& engine = where.engine.empty() ? engines.preferred() : engines.at(where.engine);
  if (!where.variant.empty() && where.variant != variants.at("magic", engine.info().kind, "").name)
    throw Error(ErrorKind::Unsupported,
                "variant " + where.variant + " may give other bits for slabs than for the whole",
                "leave --variant out");
}

}  // namespace

// The sum, the lines along an axis and their derivative, and what computes these.
std::int64_t KineticSlabs::bytesToRun(std::int64_t planes, const Control& control) const {
  requireUsual(engines_, variants_, where_);
  const VolumeShape shape = withPlanes(outline_.shape, planes);
  std::int64_t most = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const MagicWorkload lines = kineticLines(shape, axis, order_);
    most = std::max(most, planBytes(engines_, variants_, lines, where_, shape.components, control));
  }
  return 3 * shape.elements() * static_cast<std::int64_t>(sizeof(double)) + most;
}

std::int64_t KineticSlabs::bytesToVerify(std::int64_t planes) const {
  const VolumeShape shape = withPlanes(outline_.shape, planes);
  std::int64_t most = 0;
  for (int axis = 0; axis < 3; ++axis) most = std::max(most, verifyBytes(kineticLines(shape, axis, order_)));
  return most;
}

TransformResult KineticSlabs::run(const Volume& array, int verifiers, const Control& control) const {
  return kineticTransform(engines_, variants_, order_, array, verifiedBy(verifiers, where_), control);
}

}  // namespace sscope
