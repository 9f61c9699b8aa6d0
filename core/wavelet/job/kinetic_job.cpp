#include "core/wavelet/job/kinetic_job.h"

#include <tbb/parallel_for.h>

#include <cstring>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/measure/judged_parts.h"

namespace sscope {

namespace {

// Visits the volume with this axis as x and the others behind it in cyclic order; calls the function with both places
// of every element.
template <class Move>
void forEachTurned(const VolumeShape& n, int axis, const Control& control, Move&& move) {
  const std::array<std::int64_t, 3> extent{n.nx, n.ny, n.nz};
  const auto a = static_cast<std::size_t>(axis);
  const std::array<std::size_t, 3> from{a, (a + 1) % 3, (a + 2) % 3};
  tbb::parallel_for(std::int64_t{0}, n.nz, [&](std::int64_t z) {
    control.check();
    for (std::int64_t y = 0; y < n.ny; ++y)
      for (std::int64_t x = 0; x < n.nx; ++x) {
        const std::array<std::int64_t, 3> at{x, y, z};
        const std::int64_t there = (at[from[2]] * extent[from[1]] + at[from[1]]) * extent[from[0]] + at[from[0]];
        for (int c = 0; c < n.components; ++c)
          move(static_cast<std::size_t>(((z * n.ny + y) * n.nx + x) * n.components + c),
               static_cast<std::size_t>(there * n.components + c));
      }
  });
}

VolumeShape turned(const VolumeShape& n, int axis) {
  if (axis == 1) return {n.ny, n.nz, n.nx, n.components};
  if (axis == 2) return {n.nz, n.nx, n.ny, n.components};
  return n;
}

void addPass(RunReport& sum, const RunReport& one) {
  sum.engine = one.engine;
  sum.variant = one.variant;
  sum.why = one.why;
  sum.threads = one.threads;
  sum.operations += one.operations;
  sum.bytes += one.bytes;
  sum.phases += one.phases;
}

}  // namespace

MagicWorkload kineticLines(const VolumeShape& shape, int axis, std::int64_t order) {
  const VolumeShape lines = turned(shape, axis);
  return {{ElementType::f64, {lines.nx, lines.ny, lines.nz, 1}},
          completeOptions(MagicWorkload::options(), {{"passes", std::string("lines")},
                                                     {"taps", std::string(MagicWorkload::kKineticTaps)},
                                                     {"order", order}})};
}

TransformResult kineticTransform(const EngineSet& engines, const VariantTable& variants, std::int64_t order,
                                 const Volume& input, const EngineChoice& where, const Control& control) {
  if (input.empty()) throw Error(ErrorKind::Usage, "there is no data to transform", "open a file or a sample");
  const Stopwatch watch;
  requireMemory(3 * input.bytes());
  TransformResult result;
  result.output = Volume(input.shape(), ElementType::f64, input.geometry());
  const auto sum = result.output.elements<double>();
  std::memset(result.output.data(), 0, static_cast<std::size_t>(result.output.bytes()));
  const std::array<std::int64_t, 3> extent{input.shape().nx, input.shape().ny, input.shape().nz};
  for (int axis = 0; axis < 3; ++axis) {
    if (extent[static_cast<std::size_t>(axis)] == 1 && axis > 0) continue;
    Volume lines(turned(input.shape(), axis), ElementType::f64);
    const auto source = input.elements<double>();
    const auto line = lines.elements<double>();
    forEachTurned(input.shape(), axis, control,
                  [&](std::size_t here, std::size_t there) { line[there] = source[here]; });
    const MagicWorkload workload = kineticLines(input.shape(), axis, order);
    const TransformResult pass =
        runTransform(engines, variants, workload, lines, where, control.part(axis / 3.0, (axis + 1) / 3.0));
    const auto derivative = pass.output.elements<double>();
    forEachTurned(input.shape(), axis, control,
                  [&](std::size_t here, std::size_t there) { sum[here] += derivative[there]; });
    addPass(result.report, pass.report);
    if (pass.verification)
      result.verification = joined(result.verification.value_or(Verification{}), *pass.verification);
  }
  result.report.phases.total = watch.seconds();
  return result;
}

}  // namespace sscope
