#include "core/wavelet/job/transform_job.h"

#include <tbb/parallel_for.h>

#include <cstring>

#include "core/base/ability.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/measure/judged_parts.h"

namespace sscope {

DwtWorkload dwtWorkload(const DwtJob& job, ArraySpec spec, bool forward) {
  spec.extent[3] = 1;
  return {spec, completeOptions(DwtWorkload::options(), {{"wavelet", job.wavelet},
                                                         {"levels", std::int64_t{job.levels}},
                                                         {"dimensions", std::int64_t{job.dimensions}},
                                                         {"convention", std::string(toString(job.convention))},
                                                         {"boundary", std::string(toString(job.boundary))},
                                                         {"direction", std::string(forward ? "forward" : "inverse")}})};
}

Geometry transformedGeometry(const Workload& workload, Geometry geometry) {
  const auto* free = abilityOf<FreeBoundaries>(workload);
  if (free == nullptr) return geometry;
  const auto first = free->outputOrigin();
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t axis = 0; axis < 3; ++axis)
      geometry.origin[row] +=
          geometry.direction[3 * row + axis] * geometry.spacing[axis] * static_cast<double>(first[axis]);
  return geometry;
}

namespace {

// `volume` itself where it is real already, else a converted copy in `storage`.
const Volume& realOf(const Volume& volume, Volume& storage, const Control& control) {
  const ElementType type = realTypeFor(volume.type());
  if (volume.type() == type) return volume;
  storage = convertedToReal(volume, type, control);
  return storage;
}

}  // namespace

TransformResult runTransform(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                             const Volume& input, const EngineChoice& choice, const Control& control) {
  if (input.empty()) throw Error(ErrorKind::Usage, "there is no data to transform", "open a file or a sample");
  const Stopwatch watch;
  Engine& engine = choice.engine.empty() ? engines.preferred() : engines.at(choice.engine);
  const int components = input.shape().components;
  const ArraySpec spec = workload.outputs().at(0);
  requireMemory(spec.bytes() * components);
  const std::unique_ptr<Plan> plan =
      variants.prepare(engine, workload, choice.variant, {.threads = choice.threads, .deviceMemoryLimit = 0}, control);
  TransformResult result;
  result.output = Volume({spec.extent[0], spec.extent[1], spec.extent[2], components}, spec.type,
                         transformedGeometry(workload, input.geometry()));
  Phases phases;
  for (int c = 0; c < components; ++c) {
    const ConstArrayView in = componentView(input.view(), c);
    const ArrayView out = componentView(result.output.view(), c);
    const double begin = static_cast<double>(c) / components, end = static_cast<double>(c + 1) / components;
    result.report = plan->run({.arrays = {&in, 1}, .identity = 0}, {&out, 1}, control.part(begin, end));
    phases += result.report.phases;
    if (!choice.verify) continue;
    control.report(end, "comparing with the reference");
    const ConstArrayView made = out;
    const Verification verification =
        verify(workload, {&in, 1}, {&made, 1}, {.threads = choice.verifyThreads}, control);
    requireVerified(verification, result.report.engine);
    result.verification = joined(result.verification.value_or(Verification{}), verification);
  }
  result.report.operations *= components;
  result.report.bytes *= components;
  result.report.phases = phases;
  result.report.phases.total = watch.seconds();
  return result;
}

ElementType realTypeFor(ElementType type) {
  const bool wide = type == ElementType::f64 || type == ElementType::u32 || type == ElementType::i32;
  return wide ? ElementType::f64 : ElementType::f32;
}

namespace {

// All components, or one.
Volume asReal(const Volume& volume, std::optional<int> component, ElementType type, const Control& control) {
  if (type != ElementType::f32 && type != ElementType::f64)
    throw Error(ErrorKind::Usage, std::string(toString(type)) + " is not a real type", "choose f32 or f64");
  VolumeShape shape = volume.shape();
  if (component) shape.components = 1;
  Volume result(shape, type, volume.geometry());
  const std::int64_t row = shape.nx * shape.components, step = component ? volume.shape().components : 1;
  dispatch(volume.type(), [&](auto from) {
    dispatch(type, [&](auto to) {
      using To = decltype(to);
      const auto* in = volume.view().template as<decltype(from)>() + component.value_or(0);
      auto* out = result.view().template as<To>();
      tbb::parallel_for(std::int64_t{0}, volume.shape().ny * volume.shape().nz, [&](std::int64_t r) {
        control.check();
        for (std::int64_t i = r * row; i < (r + 1) * row; ++i) out[i] = static_cast<To>(in[i * step]);
      });
    });
  });
  return result;
}

}  // namespace

Volume convertedToReal(const Volume& volume, ElementType type, const Control& control) {
  return asReal(volume, {}, type, control);
}

Volume componentAsReal(const Volume& volume, int component, ElementType type, const Control& control) {
  return asReal(volume, component, type, control);
}

Volume cropped(const Volume& volume, const std::array<std::int64_t, 3>& extent, const Control& control) {
  const VolumeShape& n = volume.shape();
  if (extent[0] < 1 || extent[1] < 1 || extent[2] < 1 || extent[0] > n.nx || extent[1] > n.ny || extent[2] > n.nz)
    throw Error(ErrorKind::Usage,
                "data of " + n.text() + " cannot be cropped to " + std::to_string(extent[0]) + "x" +
                    std::to_string(extent[1]) + "x" + std::to_string(extent[2]),
                "choose a size inside");
  Volume result({extent[0], extent[1], extent[2], n.components}, volume.type(), volume.geometry());
  const auto element = static_cast<std::int64_t>(bytesOf(volume.type())) * n.components;
  tbb::parallel_for(std::int64_t{0}, extent[1] * extent[2], [&](std::int64_t row) {
    control.check();
    const std::int64_t y = row % extent[1], z = row / extent[1];
    std::memcpy(result.data() + row * extent[0] * element, volume.data() + (z * n.ny + y) * n.nx * element,
                static_cast<std::size_t>(extent[0] * element));
  });
  return result;
}

DwtResult dwtForward(const EngineSet& engines, const VariantTable& variants, const DwtJob& job, const Volume& input,
                     const Control& control) {
  if (input.empty()) throw Error(ErrorKind::Usage, "there is no data to transform", "open a file or a sample");
  Volume storage;
  const Volume& real = realOf(input, storage, control);
  const DwtWorkload workload = dwtWorkload(job, real.spec(), true);
  TransformResult result = runTransform(engines, variants, workload, real, job.where, control);
  return {std::move(result.output), workload.pyramid(), std::move(result.report), std::move(result.verification)};
}

DwtResult dwtInverse(const EngineSet& engines, const VariantTable& variants, const DwtJob& job,
                     const Volume& coefficients, const std::optional<std::array<std::int64_t, 3>>& crop,
                     const Control& control) {
  if (coefficients.empty()) throw Error(ErrorKind::Usage, "there is no data to transform", "open a file");
  Volume storage;
  const Volume& real = realOf(coefficients, storage, control);
  const DwtWorkload workload = dwtWorkload(job, real.spec(), false);
  TransformResult result = runTransform(engines, variants, workload, real, job.where, control);
  if (crop) result.output = cropped(result.output, *crop, control);
  return {std::move(result.output), workload.pyramid(), std::move(result.report), std::move(result.verification)};
}

}  // namespace sscope
