// Engines that share a computation: the bits of one engine where all are of one kind, and what is told of each.
#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "core/engine/joined_parts.h"
#include "core/filter/families/family.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/program/program_workload.h"
#include "core/filter/workload/bank_workload.h"
#include "core/filter/workload/conv2d_workload.h"
#include "core/filter/workload/soup_workload.h"
#include "core/measure/verify_variant.h"
#include "core/workload/workload_options.h"
#include "tests/agreement/jobs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;
using test::repeated;
using test::sameBits;
using test::Sampling;

namespace {

// Whether formulas are computed with the sums that they read or in kernels of their own follows from the extents of a
// part, and does not show in the bits.
std::string withoutFormulas(std::string variant) {
  const std::string kernel = "+kernel";
  if (const std::size_t at = variant.find(kernel); at != std::string::npos) variant.erase(at, kernel.size());
  return variant;
}

// Which output of `times` times this engine differs from its own; empty: none.
std::string differenceOf(const test::TestMachine& machine, FilterJob job, const Volume& input, int times) {
  const FilterResult alone = runFilter(machine.engines, machine.variants, job, input, {});
  job.engine = repeated(job.engine, times);
  const FilterResult shared = runFilter(machine.engines, machine.variants, job, input, {});
  for (std::size_t i = 0; i < alone.outputs.size(); ++i)
    if (!sameBits(alone.outputs[i], shared.outputs[i]))
      return shared.report.engine + ", " + alone.names[i] + ", " + alone.report.variant + " and " +
             shared.report.variant + " (" + shared.report.why + ")";
  if (withoutFormulas(shared.report.variant) != withoutFormulas(alone.report.variant))
    return "variants " + alone.report.variant + " and " + shared.report.variant;
  if (shared.report.saturated != alone.report.saturated) return "other elements saturate";
  if (std::abs(shared.report.operations - alone.report.operations) > 1e-9 * alone.report.operations)
    return std::to_string(shared.report.operations) + " operations instead of " +
           std::to_string(alone.report.operations) + " of " + alone.report.variant;
  return {};
}

const std::vector<std::vector<std::string>>& sharedBanks() {
  static const std::vector<std::vector<std::string>> all{
      {"gaussian:sigma=1.2", "box:size=9", "sobel", "laplacian", "median"},
      {"median:size=5", "entropy:size=5,bins=16", "gabor", "bilateral"},
      {"gaussian:sigma=1,name=s,intermediate=true", "sobel:axis=x,input=s,name=gx", "sobel:axis=y,input=s,name=gy",
       "formula:e=sqrt(gx^2+gy^2),name=g", "box:input=g,size=5"},
      {"tv:steps=3", "edges"},
  };
  return all;
}

std::vector<std::byte> outputsOf(Plan& plan, const Workload& workload, const Volume& input) {
  std::vector<std::byte> all;
  std::vector<ArrayView> views;
  std::size_t bytes = 0;
  for (const ArraySpec& spec : workload.outputs()) bytes += static_cast<std::size_t>(spec.bytes());
  all.resize(bytes, std::byte{0xA5});
  std::size_t at = 0;
  for (const ArraySpec& spec : workload.outputs()) {
    views.push_back(denseView({spec.type, spec.extent}, all.data() + at));
    at += static_cast<std::size_t>(spec.bytes());
  }
  const ConstArrayView in = input.view();
  plan.run({{&in, 1}, 0}, views, {});
  return all;
}

std::vector<ConstArrayView> viewsOf(const Workload& workload, const std::vector<std::byte>& outputs) {
  std::vector<ConstArrayView> views;
  std::size_t at = 0;
  for (const ArraySpec& spec : workload.outputs()) {
    views.push_back(denseView(spec, outputs.data() + at));
    at += static_cast<std::size_t>(spec.bytes());
  }
  return views;
}

// Every variant of a ladder, two or three times; on devices, which compile for each part anew, some variants twice.
void requireSharedLadder(const Workload& workload, const Volume& input, std::size_t turn) {
  const test::TestMachine machine;
  const test::Turns turns(machine.chosen(), 2 * std::size(kBoundaries), std::string(workload.name()));
  for (Engine* engine : machine.chosen()) {
    std::size_t number = turn;
    for (const Variant* row : machine.variants.rows(workload.name(), engine->info().kind)) {
      if (!row->belongsTo(engine->info()) || !row->twinOf.empty()) continue;
      if (row->unsupported && !row->unsupported(engine->info(), workload).empty()) continue;
      INFO(engine->info().id << " " << row->name << ", " << Sampling::howToRepeat());
      const bool device = engine->info().isDevice();
      if (!turns.takes(*engine, number++, *row)) continue;
      const auto alone = machine.variants.prepare(*engine, workload, row->name, {}, {});
      const auto expected = outputsOf(*alone, workload, input);
      for (const int times : {2, 3}) {
        if (device && times == 3) continue;
        if (!device && !turns.sampling().all && number % 2 != static_cast<std::size_t>(times) % 2) continue;
        INFO(times << " times");
        Engine& shared = machine.engines.at(repeated(engine->info().id, times));
        const auto plan = machine.variants.prepare(shared, workload, row->name, {}, {});
        const std::vector<std::byte> outputs = outputsOf(*plan, workload, input);
        if (plan->grain() != 0) CHECK((outputs == expected));
        const ConstArrayView in = input.view();
        CHECK(verify(*row, workload, {&in, 1}, viewsOf(workload, outputs), {}, {}).failure == "");
      }
    }
  }
}

OptionValues optionsOf(const std::vector<Option>& options, OptionValues values) {
  return completeOptions(options, values);
}

}  // namespace

TEST_CASE("engines that share a bank give the bits of one: all boundaries and shapes", "[joined]") {
  const test::TestMachine machine;
  // Slabs of one voxel, fewer slices than engines, images and ordinary volumes.
  const VolumeShape shapes[] = {{33, 21, 2, 1}, {17, 40, 13, 1}, {31, 9, 3, 3}, {45, 23, 1, 1}, {20, 19, 24, 1}};
  const test::Turns turns(machine.chosen(), 20, "joined banks");
  std::uint64_t seed = 0;
  for (const auto& one : test::coveringArray(
           {sharedBanks().size(), std::size(kBoundaries), std::size(shapes), std::size(kElementTypes)}, turns.pairs()))
    for (const Engine* engine : turns.of(seed++)) {
      const auto& specs = sharedBanks()[one[0]];
      const Boundary boundary = kBoundaries[one[1]];
      const VolumeShape& shape = shapes[one[2]];
      const ElementType type = kElementTypes[one[3]];
      const Volume input = test::randomVolume(shape, type, seed);
      FilterJob job = test::jobOf(specs, engine->info().id);
      job.bank.boundary = boundary;
      job.bank.constant = boundary == Boundary::constant ? 2.5 : 0;
      if (seed % 3 == 0) job.bank.output = OutputType{std::nullopt};
      INFO(engine->info().id << " " << specs.front() << ", " << toString(boundary) << ", " << toString(type) << ", "
                             << shape.text() << ", " << Sampling::howToRepeat());
      CHECK(differenceOf(machine, job, input, seed % 2 == 0 ? 2 : 3) == "");
    }
}

TEST_CASE("engines that share a filter give the bits of one: every variant", "[joined]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({67, 15, 11, 1}, ElementType::f32, 3);
  const test::Turns turns(machine.chosen(), 5, "joined variants");
  const std::vector<std::string> filters{"gaussian:sigma=1.5", "box:size=7", "gabor:wavelength=5", "median"};
  for (const Engine* engine : machine.chosen()) {
    std::size_t number = 0;
    for (const Variant* variant : machine.variants.rows("filter", engine->info().kind)) {
      // Devices compile each filter for each part: two of them for each variant.
      FilterJob job = test::jobOf(
          engine->info().isDevice() ? test::sampleOf(2, filters, turns.sampling().named(variant->name)) : filters,
          engine->info().id);
      const auto workload = bankWorkload(job.bank, input.spec(), {}, false);
      if (variant->unsupported && !variant->unsupported(engine->info(), *workload).empty()) continue;
      if (!turns.takes(*engine, number++)) continue;
      job.variant = variant->name;
      INFO(engine->info().id << " " << variant->name << ", " << Sampling::howToRepeat());
      CHECK(differenceOf(machine, job, input, 2) == "");
    }
  }
}

TEST_CASE("engines that share Fourier transforms cut them at multiples of their grain", "[joined]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({70, 45, 150, 1}, ElementType::f32, 11);
  for (const Engine* engine : test::Turns(machine.chosen(), 3, "joined transforms").of(0)) {
    FilterJob job = test::jobOf({"gabor:wavelength=5,sigma=2"}, engine->info().id);
    job.variant = "fft";
    INFO(engine->info().id);
    CHECK(differenceOf(machine, job, input, 3) == "");
  }
}

TEST_CASE("engines that share the ladders bank, conv2d and soup give the bits of one", "[joined]") {
  std::uint64_t seed = 0;
  for (const Boundary boundary : kBoundaries) {
    const std::string rule(toString(boundary));
    INFO(rule);
    ++seed;
    const Volume volume = test::randomVolume({37, 18, 11, 1}, seed % 2 == 0 ? ElementType::u8 : ElementType::f32, seed);
    requireSharedLadder(BankWorkload(volume.spec(), optionsOf(BankWorkload::options(), {{"boundary", rule},
                                                                                        {"filters", std::int64_t{4}},
                                                                                        {"size", std::int64_t{5}}})),
                        volume, seed);
    const Volume image = test::randomVolume({71, 45, 1, 1}, ElementType::f32, seed);
    requireSharedLadder(Conv2dWorkload(image.spec(), optionsOf(Conv2dWorkload::options(), {{"boundary", rule}})), image,
                        seed);
    const Volume bytes = test::randomVolume({72, 45, 1, 1}, ElementType::u8, seed);
    requireSharedLadder(SoupWorkload(bytes.spec(), optionsOf(SoupWorkload::options(), {{"boundary", rule}})), bytes,
                        seed);
  }
}

TEST_CASE("a single row is not cut", "[joined]") {
  const test::TestMachine machine;
  const Volume row = test::randomVolume({40, 1, 1, 1}, ElementType::f32, 5);
  const std::string id = machine.engines.preferred().info().id;
  const FilterJob job = test::jobOf({"gaussian:sigma=1"}, id + "+" + id);
  CHECK_THROWS_WITH(runFilter(machine.engines, machine.variants, job, row, {}), ContainsSubstring("a single row"));
}

TEST_CASE("what each of several engines did is told", "[joined]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({40, 23, 24, 1}, ElementType::f32, 5);
  const std::string id = machine.engines.preferred().info().id;
  FilterJob job = test::jobOf({"gaussian:sigma=1"}, id + "+" + id);
  const FilterResult result = runFilter(machine.engines, machine.variants, job, input, {});
  CHECK(result.report.engine == id + "+" + id);
  const std::vector<PartShare> shares = sharesIn(result.report.launch, result.report.engine);
  REQUIRE(shares.size() == 2);
  CHECK(shares[0].name == id);
  CHECK(shares[1].name == id + " (2)");
  CHECK(shares[0].planes + shares[1].planes == 24);
  CHECK(shares[0].share + shares[1].share == 1);
  for (const PartShare& one : shares) CHECK(one.seconds > 0);
  CHECK_THAT(result.report.why, ContainsSubstring("planes along z: " + id + ": 12 of 24, " + id + " (2): 12 of 24"));
  CHECK(verifyFilter(job, input, result, {}, {}).verified);

  // More engines than planes: the last one has nothing to do.
  const Volume thin = test::randomVolume({40, 23, 2, 1}, ElementType::f32, 5);
  job.engine = repeated(id, 3);
  const FilterResult few = runFilter(machine.engines, machine.variants, job, thin, {});
  CHECK(few.report.engine == id + "+" + id);
  CHECK_THAT(few.report.why, ContainsSubstring(id + " (3): none of 2"));
  CHECK(verifyFilter(job, thin, few, {}, {}).verified);
}

TEST_CASE("engines of several kinds share a bank, and the result is right", "[joined]") {
  const test::TestMachine machine;
  std::string all;
  for (const Engine* engine : machine.chosen()) all += (all.empty() ? "" : "+") + engine->info().id;
  const Volume input = test::randomVolume({40, 33, 48, 1}, ElementType::f32, 8);
  for (const auto& specs : test::sampleOf(2, sharedBanks(), Sampling::ofRun().named("joined kinds"))) {
    const FilterJob job = test::jobOf(specs, all);
    INFO(all << " " << specs.front() << ", " << Sampling::howToRepeat());
    const FilterResult result = runFilter(machine.engines, machine.variants, job, input, {});
    const Verification verification = verifyFilter(job, input, result, {}, {});
    CHECK(verification.failure == "");
    CHECK(verification.verified);
  }
}
