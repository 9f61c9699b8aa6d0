#include "tests/agreement/parts_users.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "core/filter/job/slabbed_filter.h"
#include "core/filter/job/streamed_filter.h"
#include "core/filter/program/program_workload.h"
#include "core/reach/slab_share.h"
#include "core/workload/noise.h"
#include "tests/agreement/fake_streams.h"
#include "tests/agreement/jobs.h"
#include "tests/reach/shares.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

std::int64_t planesOf(const Volume& volume) { return volume.spec().extent[slowestAxis(volume.spec().extent)]; }

// Planes along the slowest axis of `like`, as they lie in memory.
std::span<const std::byte> bytesAt(const Volume& volume, const Volume& like, const Range& planes) {
  const std::int64_t plane = volume.bytes() / planesOf(like);
  return {volume.data() + planes.begin * plane, static_cast<std::size_t>(planes.size() * plane)};
}

std::span<const std::byte> bytesOf(const Volume& volume) {
  return {volume.data(), static_cast<std::size_t>(volume.bytes())};
}

FilterResult wholeOf(const TestMachine& machine, const FilterJob& job, const Volume& input) {
  return runFilter(machine.engines, machine.variants, job, input, {});
}

// The same data in those places alone; everything else is NaN, or the largest of its type.
Volume onlyAt(const Volume& input, std::size_t axis, const std::vector<Range>& places) {
  Volume part(input.shape(), input.type(), input.geometry());
  std::memset(part.data(), 0xff, static_cast<std::size_t>(part.bytes()));
  const std::int64_t plane = input.bytes() / input.spec().extent[axis];
  for (const Range& range : places)
    std::memcpy(part.data() + range.begin * plane, input.data() + range.begin * plane,
                static_cast<std::size_t>(range.size() * plane));
  return part;
}

// Single planes, some at the ends, and ranges of all sizes, widened to the grain.
std::vector<Range> somePlanes(std::int64_t count, std::int64_t grain, std::mt19937& random) {
  std::vector<Range> chosen{{0, 1}, {count - 1, count}};
  for (int i = 0; i < 4; ++i) {
    const auto at = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
    const auto size = i == 0 ? 1 : 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count - at));
    chosen.push_back({at, at + size});
  }
  for (Range& planes : chosen)
    planes = {planes.begin / grain * grain, std::min((planes.end + grain - 1) / grain * grain, count)};
  return chosen;
}

// Whether formulas are computed with the sums that they read or in kernels of their own follows from the extents of a
// part, and does not show in the bits.
std::string withoutFormulas(std::string variant) {
  const std::string kernel = "+kernel";
  if (const std::size_t at = variant.find(kernel); at != std::string::npos) variant.erase(at, kernel.size());
  return variant;
}

std::string differenceOf(const RunReport& parts, const RunReport& whole, double tolerance) {
  if (withoutFormulas(parts.variant) != withoutFormulas(whole.variant))
    return "variants " + whole.variant + " and " + parts.variant;
  if (parts.saturated != whole.saturated) return "other elements saturate";
  if (std::abs(parts.operations - whole.operations) > tolerance * whole.operations)
    return std::to_string(parts.operations) + " operations instead of " + std::to_string(whole.operations) + " of " +
           whole.variant;
  return {};
}

// On one of the processor's engines, of noise that each rank makes for itself.
std::string differenceOfRanks(const TestMachine& machine, const FilterJob& job, const Volume& input, int ranks) {
  constexpr std::uint64_t kSeed = 5;
  const Volume noise = noiseVolume(input.shape(), input.type(), kSeed, {});
  const FilterResult whole = wholeOf(machine, job, noise);
  const auto workload = bankWorkload(job.bank, noise.spec(), noise.geometry(), false);
  Engine& engine = machine.engines.at(job.engine);
  std::vector<std::byte> expected;
  for (const Range& planes : reach::planesOfRanks(planesOf(noise), ranks))
    for (const Volume& output : whole.outputs) {
      const auto own = bytesAt(output, noise, planes);
      expected.insert(expected.end(), own.begin(), own.end());
    }
  const auto parts = outputsOf<reach::SlabShare>(
      ranks,
      [&](reach::Communicator& communicator, const Control& control) {
        return std::make_unique<reach::SlabShare>(communicator, *workload, engine, machine.variants,
                                                  reach::ShareRequest{"", kSeed, 1, {}}, control);
      },
      [](const reach::SlabShare& share) {
        std::vector<std::byte> all;
        for (const Volume& output : share.outputs())
          all.insert(all.end(), bytesOf(output).begin(), bytesOf(output).end());
        return all;
      });
  return joined(parts) == expected ? "" : std::to_string(ranks) + " ranks";
}

int someRanks(const Volume& input, std::mt19937& random) {
  const int most = static_cast<int>(std::min<std::int64_t>(planesOf(input), 7));
  return 2 + static_cast<int>(random() % static_cast<std::uint32_t>(most - 1));
}

bool isImage(const VolumeShape& shape) { return shape.nz == 1; }

}  // namespace

std::string differenceOfPart(const TestMachine& machine, FilterJob job, const Volume& input, const FilterResult& whole,
                             const Range& planes) {
  const std::size_t axis = slowestAxis(input.spec().extent);
  job.region = reach::slab(input.spec().extent, axis, planes);
  job.asWhole = true;
  const auto workload = bankWorkload(job.bank, input.spec(), input.geometry(), false);
  const Volume seen = onlyAt(input, axis, workload->reachAlong(axis, *job.region));
  const FilterResult part = wholeOf(machine, job, seen);
  for (std::size_t i = 0; i < whole.outputs.size(); ++i)
    if (!std::ranges::equal(bytesOf(part.outputs[i]), bytesAt(whole.outputs[i], input, planes)))
      return part.report.variant + " (whole: " + whole.report.variant + "), " + whole.names[i] + ", planes " +
             std::to_string(planes.begin) + " to " + std::to_string(planes.end);
  return {};
}

std::string differenceOfParts(const TestMachine& machine, const FilterJob& job, const Volume& input,
                              std::mt19937& random) {
  const FilterResult whole = wholeOf(machine, job, input);
  const PreparedFilter prepared(machine.engines, machine.variants, job, input, {});
  if (prepared.grain() < 1) return "it has no parts";
  std::vector<Range> parts = somePlanes(planesOf(input), prepared.grain(), random);
  const bool few = machine.engines.at(job.engine).info().isDevice() && !Sampling::ofRun().all;
  if (few) parts = {parts[random() % 2], parts[2], parts[3]};
  for (const Range& planes : parts)
    if (std::string wrong = differenceOfPart(machine, job, input, whole, planes); !wrong.empty()) return wrong;
  return {};
}

std::string differenceOfSlabs(const TestMachine& machine, const FilterJob& job, const Volume& input, int* pieces) {
  const FilterResult whole = wholeOf(machine, job, input);
  LateVolume late(input);
  std::vector<Taken> taken(whole.outputs.size());
  SlabbedFilter filter{machine.engines, machine.variants, job, late, {}, 1};
  for (Taken& one : taken) filter.takers.push_back(into(one));
  const FilterSums result = runInSlabs(filter, {});
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i].ended) return "a taker sees no end";
    if (!std::ranges::equal(std::as_bytes(std::span(taken[i].bytes)), bytesOf(whole.outputs[i])))
      return "output " + std::to_string(i) + " in " + std::to_string(taken[i].pieces) + " slabs";
  }
  if (pieces != nullptr) *pieces = taken.front().pieces;
  if (result.names != whole.names || result.report.engine != whole.report.engine) return "other names";
  if (std::abs(result.report.bytes - whole.report.bytes) > 1e-5 * whole.report.bytes) return "other bytes";
  return differenceOf(result.report, whole.report, 1e-5);
}

std::string differenceOfStream(const TestMachine& machine, const FilterJob& job, const Volume& input,
                               std::int64_t most) {
  const FilterResult whole = wholeOf(machine, job, input);
  Streamed streamed(input);
  const StreamedFilter filter = streamed.filterOf(machine, job, most);
  streamed.makeSinks(whole, streamed.sparse.planes());
  const StreamedResult result = runStreamed(filter, planStream(filter, {}), streamed.sinks, {});
  if (result.names != whole.names) return "other names";
  if (result.report.saturated != whole.report.saturated) return "other elements saturate";
  for (std::size_t i = 0; i < whole.outputs.size(); ++i) {
    if (!std::ranges::equal(std::span(streamed.sink(i).written), bytesOf(whole.outputs[i])))
      return result.names[i] + " in slabs of " + std::to_string(most) + " planes";
    if (streamed.sink(i).finished) return "a file is finished before somebody says so";
  }
  return streamed.seen <= input.bytes() ? "" : "planes are seen twice";
}

std::string differenceOfShares(const TestMachine& machine, FilterJob job, const Volume& input, int times) {
  const FilterResult alone = wholeOf(machine, job, input);
  job.engine = repeated(job.engine, times);
  const FilterResult shared = wholeOf(machine, job, input);
  for (std::size_t i = 0; i < alone.outputs.size(); ++i)
    if (!std::ranges::equal(bytesOf(alone.outputs[i]), bytesOf(shared.outputs[i])))
      return shared.report.engine + ", " + alone.names[i] + ", " + alone.report.variant + " and " +
             shared.report.variant + " (" + shared.report.why + ")";
  return differenceOf(shared.report, alone.report, 1e-9);
}

const std::vector<PartsBank>& partsBanks() {
  static const std::vector<PartsBank> all{
      {{"gaussian:sigma=1.2", "box:size=9", "sobel", "laplacian", "median"}, true, true},
      {{"gaussian:sigma=3", "log:sigma=2", "gabor", "bilateral"}, false, true},
      {{"median:size=5", "median:size=3,shape=ball", "entropy:size=5,bins=16", "sharpen"}},
      // Rows that read others: derivatives that are one stage with others, and results that are read.
      {{"gaussian:sigma=1,name=s,intermediate=true", "sobel:axis=x,input=s,name=gx", "sobel:axis=y,input=s,name=gy",
        "median:input=s,name=m", "formula:e=sqrt(gx^2+gy^2)*m,name=g", "box:input=g,size=5"}},
      {{"gradient:sigma=1.5", "hessian:sigma=1", "structure", "coherence"}},
      {{"formula:e=source[0,0,2] - source[1,0,-3] + x*0.25 + ymm - zmm*z,name=p", "gaussian:sigma=1,input=p"}},
      {{"tv:steps=3", "peronamalik:steps=4", "edges"}},
  };
  return all;
}

std::span<const PartsUser> partsUsers() {
  static const PartsUser all[] = {
      {"regions",
       [](const PartsBank&, const VolumeShape& shape, const Engine& engine) {
         return !isImage(shape) || cutsImages(engine);
       },
       differenceOfParts},
      {"slabs of data that arrive",
       [](const PartsBank& bank, const VolumeShape&, const Engine&) { return bank.arrives; },
       [](const TestMachine& machine, const FilterJob& job, const Volume& input, std::mt19937&) {
         return differenceOfSlabs(machine, job, input);
       }},
      {"streams",
       [](const PartsBank&, const VolumeShape& shape, const Engine& engine) {
         return !isImage(shape) || cutsImages(engine);
       },
       [](const TestMachine& machine, const FilterJob& job, const Volume& input, std::mt19937& random) {
         return differenceOfStream(machine, job, input, 1 + static_cast<std::int64_t>(random() % 11));
       }},
      {"engines that share the work", [](const PartsBank&, const VolumeShape&, const Engine&) { return true; },
       [](const TestMachine& machine, const FilterJob& job, const Volume& input, std::mt19937& random) {
         return differenceOfShares(machine, job, input, 2 + static_cast<int>(random() % 2));
       }},
      {"ranks",
       [](const PartsBank& bank, const VolumeShape& shape, const Engine& engine) {
         return bank.onRanks && shape.components == 1 && !engine.info().isDevice();
       },
       [](const TestMachine& machine, const FilterJob& job, const Volume& input, std::mt19937& random) {
         return differenceOfRanks(machine, job, input, someRanks(input, random));
       }},
  };
  return all;
}

}  // namespace sscope::test
