#pragma once
// Filters of other libraries, for comparison in the same process. Only `sscope bench` uses them.

#include "core/engine/engine.h"
#include "core/engine/variant.h"

namespace sscope {

// Adds peer:itk, peer:opencv and peer:fftw; the latter two are absent if the build did not find them.
void addPeerEngines(EngineSet& engines);
// Adds rows of the workloads filter, conv2d, soup and magic for peer engines. Each runs only on its own engine. All are
// limited to one component and one filter over the whole volume, without a change of element type.
void addPeerVariants(VariantTable& variants);

}  // namespace sscope
