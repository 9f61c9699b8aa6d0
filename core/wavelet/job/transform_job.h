#pragma once
// Runs a transform (one array in, one out) on a volume, for the window and the command line.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/engine_choice.h"
#include "core/engine/run_report.h"
#include "core/engine/variant.h"
#include "core/measure/verify.h"
#include "core/volume/metadata.h"
#include "core/volume/volume.h"
#include "core/wavelet/pyramid.h"
#include "core/wavelet/wavelet.h"
#include "core/wavelet/workload/dwt_workload.h"
#include "core/wavelet/workload/magic_workload.h"
#include "core/workload/free_boundaries.h"
#include "core/workload/workload.h"

namespace sscope {

struct TransformResult {
  Volume output;                             // the input's geometry and components; free boundaries move its origin
  RunReport report;                          // of all components together, compile phase included
  std::optional<Verification> verification;  // if requested: of all components
};

// Runs `workload`, made for one component of `input`, on each of its components. Throws Error(Usage, NotFound,
// Unsupported, Memory, Device) or Canceled; Device also when verification fails.
[[nodiscard]] TransformResult runTransform(const EngineSet& engines, const VariantTable& variants,
                                           const Workload& workload, const Volume& input, const EngineChoice& choice,
                                           const Control& control);

// The geometry of the output; free boundaries move the origin.
[[nodiscard]] Geometry transformedGeometry(const Workload& workload, Geometry geometry);

// One component of an interleaved volume.
template <class View>
[[nodiscard]] View componentView(View view, std::int64_t component) {
  view.data += component * view.stride[3] * static_cast<std::int64_t>(bytesOf(view.type));
  view.extent[3] = 1;
  return view;
}

// f32 for types that it represents exactly (f32 and integers up to 16 bits), else f64.
[[nodiscard]] ElementType realTypeFor(ElementType type);
// Converts to `type`, f32 or f64, and keeps the geometry. Throws Error(Memory), Canceled.
[[nodiscard]] Volume convertedToReal(const Volume& volume, ElementType type, const Control& control);
// The same for one component.
[[nodiscard]] Volume componentAsReal(const Volume& volume, int component, ElementType type, const Control& control);
// The corner of `extent` voxels; extents <= those of the volume. Throws Error(Usage) otherwise, Error(Memory),
// Canceled.
[[nodiscard]] Volume cropped(const Volume& volume, const std::array<std::int64_t, 3>& extent, const Control& control);

// The parameters of the wavelet transform; see DwtWorkload for their meaning and ranges.
struct DwtJob {
  std::string wavelet = "sym8";
  int levels = 1;
  int dimensions = 0;
  WaveletConvention convention = WaveletConvention::PyWavelets;
  EngineChoice where;
  DataBoundary boundary = DataBoundary::Periodic;
};

// The workload for one component of `spec`, which is f32 or f64. Throws as DwtWorkload.
[[nodiscard]] DwtWorkload dwtWorkload(const DwtJob& job, ArraySpec spec, bool forward);

struct DwtResult {
  Volume volume;
  Pyramid pyramid;
  RunReport report;
  std::optional<Verification> verification;
};

// Transforms data of any element type to coefficients in the pyramid's layout; integers are converted first
// (realTypeFor).
[[nodiscard]] DwtResult dwtForward(const EngineSet& engines, const VariantTable& variants, const DwtJob& job,
                                   const Volume& input, const Control& control);
// Transforms coefficients back to data; `crop`: the extents of the data before they were extended.
[[nodiscard]] DwtResult dwtInverse(const EngineSet& engines, const VariantTable& variants, const DwtJob& job,
                                   const Volume& coefficients, const std::optional<std::array<std::int64_t, 3>>& crop,
                                   const Control& control);

// The original extents of extended data, as an annotation of the coefficients: the inverse restores them.
void noteExtents(Metadata& metadata, const VolumeShape& original);
// Removes the annotation. Empty if there is no valid one for coefficients of this shape.
[[nodiscard]] std::optional<std::array<std::int64_t, 3>> takeExtents(Metadata& metadata,
                                                                     const VolumeShape& coefficients);

// Predicted time of the magic filter: a cost model of the rung `tuned` based on the measured ceilings.

// Share of the register-only multiply-add rate that tuned loops over taps reach in caches
// (docs/dev/performance-notes.md).
inline constexpr double kMagicArithmeticShare = 0.75;

// Seconds in the kernel: counted operations at that share of the peak, or the compulsory bytes at the speed of a copy,
// whichever takes longer. Empty for other variants, which the model does not cover, and without ceilings.
[[nodiscard]] std::optional<double> predictedMagicSeconds(const MagicWorkload& workload, std::string_view variant,
                                                          const std::optional<Ceilings>& ceilings);

// "12 % more than the 3.2 ms that were predicted".
[[nodiscard]] std::string predictionText(double predicted, double seconds);

}  // namespace sscope
