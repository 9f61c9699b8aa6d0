// Parts of outputs have the bits of the whole, on every engine, and read no planes but those that they name: what
// joined devices, ranks and volumes larger than memory rest upon.
#include <algorithm>
#include <cstring>
#include <random>

#include "core/filter/families/family.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/program/program_workload.h"
#include "core/parts/partition.h"
#include "tests/agreement/jobs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/parts_users.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using test::cutsImages;
using test::partsBanks;
using test::partsUsers;
using test::Sampling;

namespace {

// Single planes, fewer planes than a part has elsewhere, widths of whole vectors and others, images, colors.
constexpr VolumeShape kPartsShapes[] = {{33, 21, 2, 1}, {17, 40, 13, 1}, {31, 9, 3, 3},
                                        {45, 23, 1, 1}, {37, 11, 23, 1}, {34, 9, 40, 3},
                                        {37, 51, 1, 3}, {35, 16, 47, 1}, {3, 2, 9, 1}};

// Every pair of user, bank, boundary rule, element type and shape, each case with data of its own.
void requireParts(const test::TestMachine& machine, const test::Turns& turns) {
  std::mt19937 random = turns.sampling().random();
  std::size_t number = 0;
  for (const auto& one : test::coveringArray({partsUsers().size(), partsBanks().size(), std::size(kBoundaries),
                                              std::size(kElementTypes), std::size(kPartsShapes)},
                                             turns.pairs(), [&](const test::Combination& any) {
                                               // Of the processor, which takes everything that devices take.
                                               return partsUsers()[any[0]].takes(partsBanks()[any[1]],
                                                                                 kPartsShapes[any[4]],
                                                                                 machine.engines.at("cpu:scalar"));
                                             }))
    for (const Engine* engine : turns.of(number++)) {
      const auto& user = partsUsers()[one[0]];
      const auto& bank = partsBanks()[one[1]];
      if (!user.takes(bank, kPartsShapes[one[4]], *engine)) continue;
      Volume input = test::randomVolume(kPartsShapes[one[4]], kElementTypes[one[3]], number);
      Geometry geometry;
      geometry.spacing = {0.5, 0.75, 1.5};
      input.setGeometry(geometry);
      FilterJob job = test::jobOf(bank.specs, engine->info().id);
      job.bank.boundary = kBoundaries[one[2]];
      job.bank.constant = job.bank.boundary == Boundary::constant ? 2.5 : 0;
      if (number % 3 == 0) job.bank.output = OutputType{std::nullopt};
      INFO(user.what << " on " << job.engine << ", " << bank.specs.front() << ", " << toString(job.bank.boundary)
                     << ", " << toString(input.type()) << ", " << input.shape().text() << ", "
                     << Sampling::howToRepeat());
      CHECK(user.difference(machine, job, input, random) == "");
    }
}

}  // namespace

TEST_CASE("parts have the bits of the whole, whoever computes them") {
  const test::TestMachine machine;
  requireParts(machine, test::Turns(machine.chosen(), 10, "parts"));
}

TEST_CASE("parts have the bits of the whole for many more shares of the cases", "[.][long]") {
  const test::TestMachine machine;
  for (std::uint32_t seed = 1; seed <= 30; ++seed)
    requireParts(machine, test::Turns(machine.chosen(), 5, "seed " + std::to_string(seed)));
}

TEST_CASE("parts of every family have the bits of the whole") {
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
      INFO(job.engine << ", " << family.name << ", " << toString(boundary) << ", " << Sampling::howToRepeat());
      CHECK(test::differenceOfParts(machine, job, input, random) == "");
    }
  }
}

// A device that keeps the data of an identity must not take those of one part for those of another.
TEST_CASE("parts of data with an identity have the bits of the whole") {
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

TEST_CASE("parts by every variant have the bits of the whole") {
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
        CHECK(test::differenceOfParts(machine, job, *data, random) == "");
        if (!turns.sampling().all) break;
      }
    }
  }
}

// Tiles lie where those of the whole lie as long as parts begin at pairs of them.
TEST_CASE("parts by Fourier transforms have the bits of the whole at multiples of their grain") {
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
      for (const Range& planes : {Range{0, grain}, Range{grain, std::min(2 * grain, count)}, Range{grain, count}})
        CHECK(test::differenceOfPart(machine, job, input, whole, planes) == "");
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
