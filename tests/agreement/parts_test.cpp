// Parts of outputs have the bits of the whole, on every engine, and read no planes but those that they name: what
// joined devices, ranks and volumes larger than memory rest upon.
#include <algorithm>
#include <cstring>
#include <random>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/program/program_workload.h"
#include "core/parts/partition.h"
#include "tests/agreement/jobs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using test::Sampling;

namespace {

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

// Of the part, where it differs from the whole; empty: nowhere.
std::string difference(const test::TestMachine& machine, FilterJob job, const Volume& input, const FilterResult& whole,
                       const Range& planes) {
  const std::size_t axis = slowestAxis(input.spec().extent);
  job.region = reach::slab(input.spec().extent, axis, planes);
  job.asWhole = true;
  const auto workload = bankWorkload(job.bank, input.spec(), input.geometry(), false);
  const Volume seen = onlyAt(input, axis, workload->reachAlong(axis, *job.region));
  const FilterResult part = runFilter(machine.engines, machine.variants, job, seen, {});
  for (std::size_t i = 0; i < whole.outputs.size(); ++i) {
    const std::int64_t plane = whole.outputs[i].bytes() / input.spec().extent[axis];
    const Volume& own = part.outputs[i];
    if (own.bytes() != plane * planes.size() || std::memcmp(own.data(), whole.outputs[i].data() + planes.begin * plane,
                                                             static_cast<std::size_t>(own.bytes())) != 0)
      return job.engine + ", " + part.report.variant + " (whole: " + whole.report.variant + "), " + whole.names[i] +
             ", planes " + std::to_string(planes.begin) + " to " + std::to_string(planes.end) + " of " +
             input.shape().text();
  }
  return {};
}

// Single planes, some at the ends, and ranges of all sizes; if there is a grain, widened to it.
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

void requireParts(const test::TestMachine& machine, const FilterJob& job, const Volume& input, std::mt19937& random) {
  const FilterResult whole = runFilter(machine.engines, machine.variants, job, input, {});
  const std::int64_t count = input.spec().extent[slowestAxis(input.spec().extent)];
  const PreparedFilter prepared(machine.engines, machine.variants, job, input, {});
  REQUIRE(prepared.grain() >= 1);
  // Every part of each stage of a program is compiled on devices.
  std::vector<Range> parts = somePlanes(count, prepared.grain(), random);
  const bool few = machine.engines.at(job.engine).info().isDevice() && !Sampling::ofRun().all;
  if (few) parts = {parts[random() % 2], parts[2], parts[3]};
  for (const Range& planes : parts) CHECK(difference(machine, job, input, whole, planes) == "");
}

// On a device an image is one slice, and copied as such.
bool cutsImages(const Engine& engine) { return !engine.info().isDevice(); }

VolumeShape randomShape(std::mt19937& random, bool image) {
  const auto extent = [&](std::int64_t most) {
    return 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  };
  return {extent(80), extent(24) + 1, image ? 1 : extent(20) + 1, random() % 4 == 0 ? 3 : 1};
}

const std::vector<std::vector<std::string>>& banks() {
  static const std::vector<std::vector<std::string>> all{
      {"gaussian:sigma=1.2", "box:size=9", "sobel", "laplacian", "median"},
      {"gaussian:sigma=3", "log:sigma=2", "gabor", "bilateral"},
      {"median:size=5", "median:size=3,shape=ball", "entropy:size=5,bins=16", "sharpen"},
      // Rows that read others: derivatives that are one stage with others, and results that are read.
      {"gaussian:sigma=1,name=s,intermediate=true", "sobel:axis=x,input=s,name=gx", "sobel:axis=y,input=s,name=gy",
       "median:input=s,name=m", "formula:e=sqrt(gx^2+gy^2)*m,name=g", "box:input=g,size=5"},
      {"gradient:sigma=1.5", "hessian:sigma=1", "structure", "coherence"},
      {"formula:e=source[0,0,2] - source[1,0,-3] + x*0.25 + ymm - zmm*z,name=p", "gaussian:sigma=1,input=p"},
      {"tv:steps=3", "peronamalik:steps=4", "edges"},
  };
  return all;
}

// Every bank under every boundary rule and of every element type, each with data of its own.
void requirePartsOfBanks(const test::TestMachine& machine, const test::Turns& turns, std::mt19937& random) {
  std::size_t number = 0;
  for (const auto& one :
       test::coveringArray({banks().size(), std::size(kBoundaries), std::size(kElementTypes)}, {random(), false}))
    for (const Engine* engine : turns.of(number++)) {
      const auto& specs = banks()[one[0]];
      const Boundary boundary = kBoundaries[one[1]];
      const ElementType type = kElementTypes[one[2]];
      const bool image = cutsImages(*engine) && random() % 4 == 0;
      Volume input = test::randomVolume(randomShape(random, image), type, random());
      Geometry geometry;
      geometry.spacing = {0.5, 0.75, 1.5};
      input.setGeometry(geometry);
      FilterJob job = test::jobOf(specs, engine->info().id);
      job.bank.boundary = boundary;
      job.bank.constant = boundary == Boundary::constant ? 2.5 : 0;
      if (random() % 3 == 0) job.bank.output = OutputType{std::nullopt};
      INFO(specs.front() << ", " << toString(boundary) << ", " << toString(type) << ", " << Sampling::howToRepeat());
      requireParts(machine, job, input, random);
    }
}

}  // namespace

TEST_CASE("parts have the bits of the whole: banks and programs, all boundaries and shapes", "[parts]") {
  const test::TestMachine machine;
  const test::Turns turns(machine.chosen(), 40, "parts of banks");
  std::mt19937 random = turns.sampling().random();
  requirePartsOfBanks(machine, turns, random);
}

TEST_CASE("parts have the bits of the whole: many shapes", "[.][long]") {
  const test::TestMachine machine;
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    requirePartsOfBanks(machine, test::Turns(machine.chosen(), 5, "seed " + std::to_string(seed)), random);
  }
}

TEST_CASE("parts have the bits of the whole: every family", "[parts]") {
  const test::TestMachine machine;
  const test::Turns turns(machine.chosen(), 20, "parts of families");
  std::mt19937 random = turns.sampling().random();
  std::size_t number = turns.sampling().seed % std::size(kBoundaries);
  for (const FilterFamily& family : filterFamilies()) {
    if (family.name == "custom" || family.name == "formula") continue;
    const Boundary boundary = kBoundaries[number++ % std::size(kBoundaries)];
    const Volume input = test::randomVolume({34, 21, 19, 1}, ElementType::f32, number);
    for (const Engine* engine : turns.of(number)) {
      FilterJob job = test::jobOf({family.name}, engine->info().id);
      job.bank.boundary = boundary;
      INFO(family.name << ", " << toString(boundary) << ", " << Sampling::howToRepeat());
      requireParts(machine, job, input, random);
    }
  }
}

// A device that keeps the data of an identity must not take those of one part for those of another.
TEST_CASE("parts have the bits of the whole: of data with an identity", "[parts]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({40, 23, 24, 1}, ElementType::f32, 5);
  for (const Engine* engine : machine.chosen()) {
    FilterJob job = test::jobOf({"gaussian:sigma=1,name=s", "sobel:axis=x,input=s,name=gx"}, engine->info().id);
    const FilterResult whole = runFilter(machine.engines, machine.variants, job, input, {});
    job.region = Box{{0, 0, 8}, {40, 23, 12}};
    job.asWhole = true;
    job.inputIdentity = 7;
    for (const std::int64_t z : {8, 12, 16}) {
      INFO(job.engine << ", plane " << z);
      job.region->begin[2] = z;
      job.region->end[2] = z + 4;
      const FilterResult part = runFilter(machine.engines, machine.variants, job, input, {});
      for (std::size_t i = 0; i < whole.outputs.size(); ++i)
        CHECK(std::memcmp(part.outputs[i].data(), whole.outputs[i].data() + z * whole.outputs[i].bytes() / 24,
                          static_cast<std::size_t>(part.outputs[i].bytes())) == 0);
    }
  }
}

TEST_CASE("parts have the bits of the whole: every variant", "[parts]") {
  const test::TestMachine machine;
  // Each variant on each engine, of one of two inputs that it takes; on devices a quarter of them.
  const test::Turns turns(machine.chosen(), 4, "parts of variants");
  std::mt19937 random = turns.sampling().random();
  const Volume input = test::randomVolume({67, 23, 17, 1}, ElementType::f32, 3);
  const Volume bytes = test::randomVolume({67, 23, 17, 1}, ElementType::u8, 4);
  for (Engine* engine : machine.chosen()) {
    std::size_t number = 0;
    for (const Variant* variant : machine.variants.rows("filter", engine->info().kind)) {
      if (variant->name == "fft") continue;  // the next test
      ++number;
      if (engine->info().isDevice() && !turns.takes(*engine, number)) continue;
      const bool bytesFirst = (number / 2 + turns.sampling().seed) % 2 == 0;
      for (const Volume* data : {bytesFirst ? &bytes : &input, bytesFirst ? &input : &bytes}) {
        FilterJob job =
            test::jobOf({"gaussian:sigma=1.5", "box:size=7", "gabor:wavelength=5", "median"}, engine->info().id);
        const auto workload = bankWorkload(job.bank, data->spec(), {}, false);
        if (variant->unsupported && !variant->unsupported(engine->info(), *workload).empty()) continue;
        job.variant = variant->name;
        INFO(variant->name << ", " << Sampling::howToRepeat());
        requireParts(machine, job, *data, random);
        if (!turns.sampling().all) break;
      }
    }
  }
}

// Tiles lie where those of the whole lie as long as parts begin at pairs of them.
TEST_CASE("parts have the bits of the whole: Fourier transforms, at multiples of their grain", "[parts]") {
  const test::TestMachine machine;
  const test::Turns turns(machine.chosen(), 2, "parts by transforms");
  std::size_t number = 0;
  for (const VolumeShape& shape :
       {VolumeShape{70, 45, 150, 1}, VolumeShape{33, 90, 140, 3}, VolumeShape{90, 400, 1, 1}})
    for (Engine* engine : turns.of(number++)) {
      if (shape.nz == 1 && !cutsImages(*engine)) continue;
      const Volume input = test::randomVolume(shape, ElementType::f32, 11);
      FilterJob job =
          test::jobOf({shape.nz == 1 ? "gabor:wavelength=9,sigma=4" : "gabor:wavelength=5,sigma=2"}, engine->info().id);
      job.variant = "fft";
      const FilterResult whole = runFilter(machine.engines, machine.variants, job, input, {});
      const PreparedFilter prepared(machine.engines, machine.variants, job, input, {});
      const std::int64_t grain = prepared.grain(), count = input.spec().extent[slowestAxis(input.spec().extent)];
      REQUIRE(grain >= 1);
      INFO(engine->info().id << ", grain " << grain << " of " << count);
      CHECK(grain < count);
      for (const Range& planes :
           {Range{0, grain}, Range{grain, std::min(2 * grain, count)}, Range{grain, count}})
        CHECK(difference(machine, job, input, whole, planes) == "");
    }
}

TEST_CASE("what a part reads along an axis is what its taps reach") {
  const FilterBank bank = test::jobOf({"box:size=5"}, "").bank;
  const auto places = [&](Boundary boundary, std::int64_t begin, std::int64_t end) {
    FilterBank one = bank;
    one.boundary = boundary;
    const auto workload = bankWorkload(one, {ElementType::f32, {8, 8, 20, 1}}, {}, false);
    return workload->reachAlong(2, {{0, 0, begin}, {8, 8, end}});
  };
  CHECK(places(Boundary::nearest, 0, 1) == std::vector<Range>{{0, 3}});
  CHECK(places(Boundary::wrap, 0, 1) == std::vector<Range>{{0, 3}, {18, 20}});
  CHECK(places(Boundary::wrap, 19, 20) == std::vector<Range>{{0, 2}, {17, 20}});
  CHECK(places(Boundary::mirror, 18, 20) == std::vector<Range>{{16, 20}});
  CHECK(places(Boundary::constant, 5, 9) == std::vector<Range>{{3, 11}});
  CHECK(places(Boundary::wrap, 1, 19) == std::vector<Range>{{0, 20}});
}
