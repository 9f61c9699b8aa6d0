#include "core/wavelet/slabs/streamed_transform.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/measure/judged_parts.h"
#include "core/volume/not_finite.h"

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

// Planes of the largest array of a slab.
std::int64_t longestArray(const StreamedTransform& stream, const reach::SlabPlan& plan) {
  std::int64_t most = 0;
  for (const Range& part : plan.slabs) most = std::max(most, std::ssize(stream.transform.slabOf(part).planes));
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

}  // namespace

reach::SlabPlan planStream(const StreamedTransform& stream, const Control& control) {
  const SlabTransform& transform = stream.transform;
  reach::SlabNeeds needs;
  needs.planes = planesOfResult(stream);
  needs.inputPlanes = stream.input.planes();
  if (needs.inputPlanes < 2 || needs.planes < 2)
    throw Error(ErrorKind::Unsupported, "data of a single row cannot be transformed in slabs", "use a larger machine");
  needs.planeBytes = stream.input.planeBytes() + planeOfResult(stream);
  needs.around = std::ssize(transform.slabOf({needs.planes / 2, needs.planes / 2 + 1}).planes);
  needs.read = [&](const std::vector<Range>& slabs) {
    std::vector<std::vector<Range>> read;
    for (const Range& slab : slabs) read.push_back(rangesOf(transform.slabOf(slab).planes));
    return read;
  };
  // What is read, the array, and the result that is written while another is computed.
  needs.held = [&](const reach::SlabPlan& plan) {
    const std::int64_t most = longestArray(stream, plan);
    // Free boundaries give more planes than they read.
    const std::int64_t more = std::max<std::int64_t>(0, planesOfResult(stream) - stream.input.planes());
    return reach::mostPlanes(plan.needed) * stream.input.planeBytes() +
           withPlanes(stream.input.volume().shape(), most).elements() *
               static_cast<std::int64_t>(bytesOf(transform.arrayType())) +
           (plan.slabs.size() > 1 ? most + more : 0) * planeOfResult(stream);
  };
  needs.toRun = [&](const reach::SlabPlan& plan) {
    return transform.bytesToRun(longestArray(stream, plan), control);
  };
  if (stream.verify)
    needs.toVerify = [&](const reach::SlabPlan& plan) { return transform.bytesToVerify(longestArray(stream, plan)); };
  needs.verb = "transforming";
  needs.readers = "sums";
  return planSlabs(needs, stream.memory, stream.mostPlanes, control);
}

StreamedTransformResult runStreamed(const StreamedTransform& stream, const reach::SlabPlan& plan,
                                    VolumeSink& sink, const Control& control) {
  constexpr std::size_t kMostVerified = 3;  // the references of transforms are slow
  StreamedTransformResult result;
  JudgedParts judged;
  Volume array;
  const auto compute = [&](std::size_t slab, const std::function<void()>& inputDone, const Control& one) {
    const Stopwatch watch;
    const TransformSlab part = stream.transform.slabOf(plan.slabs[slab]);
    const VolumeShape shape = withPlanes(stream.input.volume().shape(), std::ssize(part.planes));
    if (array.empty() || array.shape() != shape) {
      array = Volume();
      array = Volume(shape, stream.transform.arrayType(), stream.input.volume().geometry());
    }
    gather(stream, part, array, one);
    inputDone();
    const bool verified = reach::isVerified(slab, plan.slabs.size(), kMostVerified);
    TransformResult ran = stream.transform.run(array, verified ? plan.verifiers : 0, one);
    ran.report.phases.total = watch.seconds();
    const std::int64_t planes = plan.slabs[slab].size();
    const double share = static_cast<double>(planes) / static_cast<double>(part.planes.size());
    addPart(result.report, ran.report, share * ran.report.bytes, share);
    if (ran.verification) judged.add(*ran.verification);
    std::vector<Volume> own;
    own.push_back(ownOf(stream, ran, part.first, planes));
    result.nonFinite += countNonFinite(own.front(), one);
    return own;
  };
  result.streamed = reach::streamSlabs(
      {stream.source, stream.input, plan, stream.see, {&sink}, stream.transform.outline().bytes()}, compute, control);
  result.verification = judged.of(plan.slabs.size(), "slabs");
  return result;
}

}  // namespace sscope
