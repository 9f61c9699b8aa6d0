#pragma once
// Filters of other libraries, to compare with in the same process. Only `sscope bench` knows them.

#include "core/engine/engine.h"
#include "core/engine/variant.h"

namespace sscope {

// Adds peer:itk, peer:opencv and peer:fftw; the latter two are absent where the build did not find them.
void addPeerEngines(EngineSet& engines);
// Adds rows of the workloads filter, conv2d, soup and magic for peer engines. Each runs on the one engine it belongs to
// and says so for others; none can do more than one component with one filter over the whole volume, without a change
// of the element type.
void addPeerVariants(VariantTable& variants);

}  // namespace sscope
