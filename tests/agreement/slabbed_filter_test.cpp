// Slabs that are computed while the input arrives (their bits: parts_test.cpp), and what goes wrong in one thread ends
// all.
#include <algorithm>
#include <chrono>
#include <thread>

#include "core/base/error.h"
#include "core/filter/job/slabbed_filter.h"
#include "tests/agreement/fake_streams.h"
#include "tests/agreement/jobs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/parts_users.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE("filters in one file are slabs of one volume") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 50, 1}, ElementType::f32, 6);
  FilterJob job = test::jobOf({"gaussian:sigma=1", "sobel"}, "cpu:scalar");
  job.interleave = true;
  int slabs = 0;
  CHECK(test::differenceOfSlabs(machine, job, input, &slabs) == "");
  CHECK(slabs >= 4);
}

// Twice the four planes around one.
TEST_CASE("what a formula reads decides how thick its slabs are") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 50, 1}, ElementType::f32, 7);
  const FilterJob job = test::jobOf({"formula:e=source[0,0,2] - source[0,0,-2]"}, "cpu:scalar");
  int slabs = 0;
  CHECK(test::differenceOfSlabs(machine, job, input, &slabs) == "");
  CHECK(slabs == 7);
}

TEST_CASE("narrow data that are filtered while they arrive have the bits of the whole") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({20, 15, 400, 1}, ElementType::f32, 8);
  for (const Engine* engine : machine.chosen()) {
    INFO(engine->info().id);
    CHECK(test::differenceOfSlabs(machine, test::jobOf({"gaussian:sigma=1.2", "sobel"}, engine->info().id), input) ==
          "");
  }
}

TEST_CASE("no slab is larger than others by more than a plane") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 67, 1}, ElementType::f32, 9);
  test::LateVolume late(input);
  test::Taken taken;
  const FilterJob job = test::jobOf({"box:size=3"}, "cpu:scalar");
  static_cast<void>(runInSlabs({machine.engines, machine.variants, job, late, {test::into(taken)}, 1}, {}));
  CHECK(taken.pieces == 17);
  CHECK(taken.largest == std::size_t{4} * 34 * 20 * sizeof(float));
}

TEST_CASE("an error of one taker is the error of all, and nobody sees an end") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 60, 1}, ElementType::f32, 7);
  test::LateVolume late(input);
  test::Taken first;
  SlabbedFilter filter{
      machine.engines, machine.variants, test::jobOf({"gaussian", "sobel"}, "cpu:scalar"), late, {}, 1};
  filter.takers = {test::into(first), [](const VoxelPieces& pieces, const Control&) {
                     static_cast<void>(pieces());
                     static_cast<void>(pieces());
                     throw Error(ErrorKind::Io, "no space is left");
                   }};
  CHECK_THROWS_WITH(runInSlabs(filter, {}), "no space is left");
  CHECK_FALSE(first.ended);
}

TEST_CASE("an error at the end of the input leaves no taker at an end") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 60, 1}, ElementType::f32, 8);
  test::LateVolume late(input);
  late.fails = input.bytes() - 1;
  test::Taken taken;
  SlabbedFilter filter{
      machine.engines, machine.variants, test::jobOf({"gaussian"}, "cpu:scalar"), late, {test::into(taken)}, 1};
  CHECK_THROWS_WITH(runInSlabs(filter, {}), "the rest is missing");
  CHECK(taken.pieces > 0);
  CHECK_FALSE(taken.ended);
}

TEST_CASE("a cancel wakes those that wait for slabs, and for room") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 60, 1}, ElementType::f32, 9);
  test::LateVolume late(input);
  std::stop_source stop;
  test::Taken other;
  bool canceled = false;
  SlabbedFilter filter{
      machine.engines, machine.variants, test::jobOf({"gaussian", "sobel"}, "cpu:scalar"), late, {}, 1};
  filter.takers = {test::into(other), [&](const VoxelPieces& pieces, const Control& control) {
                     static_cast<void>(pieces());
                     std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until the others wait
                     stop.request_stop();
                     canceled = control.stopRequested();
                     for (auto piece = pieces(); !piece.empty(); piece = pieces()) continue;
                   }};
  CHECK_THROWS_AS(runInSlabs(filter, Control{stop.get_token(), {}}), Canceled);
  CHECK(canceled);
  CHECK_FALSE(other.ended);
}

TEST_CASE("numbers beyond the range of f32 are counted in all slabs") {
  const test::TestMachine machine;
  Volume input({32, 16, 40, 1}, ElementType::f64);
  std::ranges::fill(input.elements<double>(), 1.0);
  for (const std::size_t z : {3U, 38U}) input.elements<double>()[z * 512 + 200] = 1e300;
  test::LateVolume late(input);
  FilterJob job = test::jobOf({"sobel"}, "cpu:scalar");
  job.bank.output = OutputType{ElementType::f32};
  test::Taken taken;
  const FilterSums result = runInSlabs({machine.engines, machine.variants, job, late, {test::into(taken)}, 1}, {});
  CHECK(taken.pieces > 2);
  CHECK(result.nonFinite == 2 * 18);  // a sobel has 18 taps that are not 0
}
