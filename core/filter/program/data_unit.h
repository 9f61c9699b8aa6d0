#pragma once
// The unit of values in which filters square and multiply: data of any magnitude stay within the range of the
// arithmetic. It is a power of two, so that results have the same bits in every unit that avoids overflow and
// underflow, and 1 for data of ordinary magnitude, for which nothing changes.

#include "core/base/control.h"
#include "core/filter/recipe.h"
#include "core/volume/element_type.h"
#include "core/volume/volume.h"
#include "core/volume/volume_stream.h"

namespace sscope {

// The unit for data of this type whose largest finite magnitude is about `largest`.
[[nodiscard]] double dataUnit(ElementType type, double largest);

// Whether the unit affects the bank on data of this outline, because a filter squares or multiplies. Throws what
// makeProgram throws.
[[nodiscard]] bool usesDataUnit(const FilterBank& bank, const VolumeOutline& data);

// The largest finite magnitude of nine planes from the first to the last, or rows of an image. Throws Canceled, and
// what reading throws.
[[nodiscard]] double sampledMagnitude(const Volume& volume, const Control& control);
[[nodiscard]] double sampledMagnitude(VolumeSource& source, const Control& control);

// The unit of these data for this bank; 1 if the bank does not use it.
[[nodiscard]] double dataUnitOf(const FilterBank& bank, const Volume& volume, const Control& control);
// The same from single planes; also 1 if planes cannot be read by themselves.
[[nodiscard]] double dataUnitOf(const FilterBank& bank, VolumeSource& source, const Control& control);

}  // namespace sscope
