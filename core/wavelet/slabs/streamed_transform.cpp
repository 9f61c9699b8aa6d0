#include "core/wavelet/slabs/streamed_transform.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/base/words.h"
#include "core/measure/judged_parts.h"
#include "core/parts/pace.h"
#include "core/parts/plane_reader.h"
#include "core/parts/slab_takers.h"
#include "core/parts/slab_thickness.h"
#include "core/volume/losses.h"

namespace sscope {

namespace {

std::int64_t planesOfResult(const StreamedTransform& stream) { return planesOf(stream.transform.outline().shape); }

std::int64_t planeOfResult(const StreamedTransform& stream) {
  return stream.transform.outline().bytes() / planesOfResult(stream);
}

std::vector<Range> rangesOf(const std::vector<std::int64_t>& planes) {
  std::vector<Range> ranges;
  for (const std::int64_t plane : planes) {
    if (!ranges.empty() && ranges.back().end == plane)
      ++ranges.back().end;
    else
      ranges.push_back({plane, plane + 1});
  }
  return united(std::move(ranges));
}

// Slabs of `thick` planes, but for the memory that computing one takes.
TransformStream cut(const StreamedTransform& stream, std::int64_t thick) {
  TransformStream plan;
  plan.thick = thick;
  const std::int64_t planes = planesOfResult(stream);
  std::int64_t most = 0;  // planes of an array
  for (std::int64_t begin = 0; begin < planes; begin += thick) {
    plan.parts.push_back({begin, std::min(planes, begin + thick)});
    const TransformSlab slab = stream.transform.slabOf(plan.parts.back());
    plan.needed.push_back(rangesOf(slab.planes));
    most = std::max(most, std::ssize(slab.planes));
  }
  const VolumeShape array = withPlanes(stream.input.volume().shape(), most);
  // Free boundaries give more planes than they take.
  const std::int64_t more = std::max<std::int64_t>(0, planes - stream.input.planes());
  // What is read, the array, and the result that is written while another is computed.
  plan.bytes = reach::mostPlanes(plan.needed) * stream.input.planeBytes() +
               array.elements() * static_cast<std::int64_t>(bytesOf(stream.transform.arrayType())) +
               (plan.parts.size() > 1 ? most + more : 0) * planeOfResult(stream);
  return plan;
}

std::int64_t longestArray(const StreamedTransform& stream, const TransformStream& plan) {
  std::int64_t most = 0;
  for (const Range& part : plan.parts) most = std::max(most, std::ssize(stream.transform.slabOf(part).planes));
  return most;
}

void convertPlane(ElementType from, const std::byte* in, ElementType to, std::byte* out, std::int64_t elements) {
  dispatch(from, [&](auto source) {
    dispatch(to, [&](auto target) {
      const auto* values = reinterpret_cast<const decltype(source)*>(in);
      auto* converted = reinterpret_cast<decltype(target)*>(out);
      for (std::int64_t i = 0; i < elements; ++i) converted[i] = static_cast<decltype(target)>(values[i]);
    });
  });
}

// As many as hold an eighth of what is allowed, so that slabs are not thin because some of them are compared.
void planVerification(const StreamedTransform& stream, std::int64_t array, TransformStream& plan) {
  if (!stream.verify) return;
  const std::int64_t each = std::max<std::int64_t>(1, stream.transform.bytesToVerify(array));
  constexpr std::int64_t kShare = 8;
  plan.verifiers = static_cast<int>(
      std::clamp<std::int64_t>(stream.memory / kShare / each, 1, tbb::this_task_arena::max_concurrency()));
  plan.bytes += plan.verifiers * each;
}

// Fills the array of a slab.
void gather(const StreamedTransform& stream, const TransformSlab& slab, Volume& array, const Control& control) {
  const Volume& input = stream.input.volume();
  const std::int64_t elements = input.shape().elements() / stream.input.planes();
  const std::int64_t bytes = elements * static_cast<std::int64_t>(bytesOf(array.type()));
  tbb::parallel_for(std::size_t{0}, slab.planes.size(), [&](std::size_t i) {
    control.check();
    convertPlane(input.type(), input.data() + slab.planes[i] * stream.input.planeBytes(), array.type(),
                 array.data() + static_cast<std::int64_t>(i) * bytes, elements);
  });
}

// The slab's own planes of what was computed of its array, in the memory of that.
Volume ownOf(const StreamedTransform& stream, TransformResult& result, std::int64_t first, std::int64_t planes) {
  const std::int64_t bytes = planeOfResult(stream);
  const auto whole = std::make_shared<Volume>(std::move(result.output));
  std::shared_ptr<std::byte> own(whole, whole->data() + first * bytes);
  return {withPlanes(stream.transform.outline().shape, planes), whole->type(), whole->geometry(), std::move(own)};
}

// The first, the middle and the last: the references of transforms are slow.
bool isCompared(std::size_t part, std::size_t parts) { return part == 0 || part == parts / 2 || part + 1 == parts; }

void add(RunReport& sum, const RunReport& one, double share) {
  const double operations = sum.operations + share * one.operations, bytes = sum.bytes + share * one.bytes;
  Phases phases = sum.phases;
  phases += one.phases;
  if (sum.engine.empty()) sum = one;
  sum.operations = operations;
  sum.bytes = bytes;
  sum.phases = phases;
}

}  // namespace

TransformStream planStream(const StreamedTransform& stream, const Control& control) {
  if (stream.input.planes() < 2 || planesOfResult(stream) < 2)
    throw Error(ErrorKind::Unsupported, "data of a single row cannot be transformed in slabs", "use a larger machine");
  // Besides what is here already: stacks, pieces on their way to files, and pages that belong to a slab in part.
  constexpr std::int64_t kOther = std::int64_t{8} << 20;
  const std::int64_t base = residentMemory() + kOther, room = stream.memory - base;
  const std::int64_t middle = planesOfResult(stream) / 2;
  const std::int64_t around = std::ssize(stream.transform.slabOf({middle, middle + 1}).planes);
  std::int64_t most = std::min(reach::thickestUseful(stream.input.planeBytes() + planeOfResult(stream), around),
                               planesOfResult(stream));
  if (stream.mostPlanes > 0) most = std::min(most, stream.mostPlanes);
  TransformStream plan;
  const auto fits = [&](std::int64_t thick) {
    control.check();
    plan = cut(stream, thick);
    // Preparing takes memory of its own.
    if (plan.bytes <= room || thick == 1) {
      const std::int64_t array = longestArray(stream, plan);
      plan.bytes += stream.transform.bytesToRun(array, control);
      planVerification(stream, array, plan);
    }
    return plan.bytes <= room;
  };
  if (reach::thickestThatFits(most, 1, fits)) return plan;
  throw Error(ErrorKind::Memory,
              "transforming it in slabs of one plane takes " + mebibytes(base + plan.bytes) + " of memory: " +
                  mebibytes(base) + " are the program's, its sums read " + std::to_string(longestArray(stream, plan)) +
                  " planes at once, and " + mebibytes(stream.memory) + " are allowed",
              "give it more with --memory");
}

StreamedTransformResult runStreamed(const StreamedTransform& stream, const TransformStream& plan, VolumeSink& sink,
                                    const Control& control) {
  const std::int64_t written = stream.transform.outline().bytes();
  StreamedTransformResult result;
  const reach::Pace pace(plan.parts.size(), static_cast<double>(stream.input.volume().bytes() + written));
  reach::SlabQueue queue(1, control.stop);
  std::vector<std::jthread> threads;
  const std::vector<reach::TakeVolume> takers{reach::takerOf(sink, planeOfResult(stream))};
  std::size_t verified = 0;
  try {
    reach::startTakers(takers, queue, threads);
    reach::PlaneReader reader(stream.source, stream.input, plan.needed, stream.see);
    Volume array;
    for (std::size_t part = 0; part < plan.parts.size(); ++part) {
      const Control share{queue.stop(), [&](double fraction, std::string_view) { pace.tell(part, fraction, control); }};
      pace.tell(part, 0, control);
      reader.await(part, share);
      queue.awaitRoom();
      const Stopwatch watch;
      const TransformSlab slab = stream.transform.slabOf(plan.parts[part]);
      const VolumeShape shape = withPlanes(stream.input.volume().shape(), std::ssize(slab.planes));
      if (array.empty() || array.shape() != shape) {
        array = Volume();
        array = Volume(shape, stream.transform.arrayType(), stream.input.volume().geometry());
      }
      gather(stream, slab, array, share);
      reader.done(part);
      TransformResult one =
          stream.transform.run(array, isCompared(part, plan.parts.size()) ? plan.verifiers : 0, share);
      one.report.phases.total = watch.seconds();
      const std::int64_t planes = plan.parts[part].size();
      add(result.report, one.report, static_cast<double>(planes) / static_cast<double>(slab.planes.size()));
      if (one.verification) {
        result.verification = joined(result.verification.value_or(Verification{}), *one.verification);
        ++verified;
      }
      std::vector<Volume> own;
      own.push_back(ownOf(stream, one, slab.first, planes));
      result.nonFinite += countNonFinite(own.front(), share);
      queue.put(std::move(own));
    }
    queue.finish();
    result.readBytes = reader.planesRead() * stream.input.planeBytes();
  } catch (...) {
    queue.fail(std::current_exception());
  }
  threads.clear();  // waits for them
  queue.rethrow();
  control.check();
  result.seconds = pace.seconds();
  result.writtenBytes = written;
  if (result.verification)
    result.verification->coverage = coverageOf(
        std::to_string(verified) + " of " + std::to_string(plan.parts.size()) + " slabs", *result.verification);
  return result;
}

}  // namespace sscope
