// Engines that share a computation: the bits of one engine where all are of one kind (of banks: parts_test.cpp), and
// what is told of each.
#include "core/base/error.h"
#include "core/engine/joined_parts.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/program/program_workload.h"
#include "core/filter/workload/ladder_workloads.h"
#include "core/measure/verify.h"
#include "core/workload/catalog.h"
#include "tests/agreement/jobs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/parts_users.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;
using test::repeated;
using test::Sampling;

namespace {

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
      const test::PlanRun expected = test::runOnce(*alone, workload, input);
      for (const int times : {2, 3}) {
        if (device && times == 3) continue;
        if (!device && !turns.sampling().all && number % 2 != static_cast<std::size_t>(times) % 2) continue;
        INFO(times << " times");
        Engine& shared = machine.engines.at(repeated(engine->info().id, times));
        const auto plan = machine.variants.prepare(shared, workload, row->name, {}, {});
        const test::PlanRun run = test::runOnce(*plan, workload, input);
        if (plan->grain() != 0) CHECK(test::sameBits(run, expected));
        const ConstArrayView in = input.view();
        CHECK(verify(*row, workload, {&in, 1}, run.views(), {}, {}).failure == "");
      }
    }
  }
}

OptionValues optionsOf(const std::vector<Option>& options, OptionValues values) {
  return completeOptions(options, values);
}

}  // namespace

TEST_CASE("engines that share a filter give the bits of one: every variant") {
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
      CHECK(test::differenceOfShares(machine, job, input, 2) == "");
    }
  }
}

TEST_CASE("engines that share Fourier transforms cut them at multiples of their grain") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({70, 45, 150, 1}, ElementType::f32, 11);
  for (const Engine* engine : test::Turns(machine.chosen(), 3, "joined transforms").of(0)) {
    FilterJob job = test::jobOf({"gabor:wavelength=5,sigma=2"}, engine->info().id);
    job.variant = "fft";
    INFO(engine->info().id);
    CHECK(test::differenceOfShares(machine, job, input, 3) == "");
  }
}

TEST_CASE("engines that share the ladders bank, conv2d and soup give the bits of one") {
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

TEST_CASE("a single row is not cut") {
  const test::TestMachine machine;
  const Volume row = test::randomVolume({40, 1, 1, 1}, ElementType::f32, 5);
  const std::string id = machine.engines.preferred().info().id;
  const FilterJob job = test::jobOf({"gaussian:sigma=1"}, id + "+" + id);
  CHECK_THROWS_WITH(runFilter(machine.engines, machine.variants, job, row, {}), ContainsSubstring("one-dimensional data"));
}

TEST_CASE("what each of several engines did is told") {
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

TEST_CASE("engines of several kinds share a bank, and the result is right") {
  const test::TestMachine machine;
  std::string all;
  for (const Engine* engine : machine.chosen()) all += (all.empty() ? "" : "+") + engine->info().id;
  const Volume input = test::randomVolume({40, 33, 48, 1}, ElementType::f32, 8);
  for (const auto& bank : test::sampleOf(2, test::partsBanks(), Sampling::ofRun().named("joined kinds"))) {
    const FilterJob job = test::jobOf(bank.specs, all);
    INFO(all << " " << bank.specs.front() << ", " << Sampling::howToRepeat());
    const FilterResult result = runFilter(machine.engines, machine.variants, job, input, {});
    const Verification verification = verifyFilter(job, input, result, {}, {});
    CHECK(verification.failure == "");
    CHECK(verification.verified);
  }
}
