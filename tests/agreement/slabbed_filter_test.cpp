// Slabs that are computed while the input arrives are the whole, and what goes wrong in one thread ends all.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/job/slabbed_filter.h"
#include "tests/agreement/jobs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// Bytes arrive when they are waited for, and not one earlier.
class LateVolume final : public ArrivingVolume {
 public:
  explicit LateVolume(const Volume& whole) : whole_(whole), late_(whole.shape(), whole.type(), whole.geometry()) {
    std::memset(late_.data(), 0xff, static_cast<std::size_t>(late_.bytes()));  // NaN, or the largest
  }
  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] const Volume& volume() const override { return late_; }
  void await(std::int64_t bytes, const Control& control) override {
    control.check();
    if (bytes > fails) throw Error(ErrorKind::BadData, "the rest is missing");
    if (bytes > there_)
      std::memcpy(late_.data() + there_, whole_.data() + there_, static_cast<std::size_t>(bytes - there_));
    there_ = std::max(there_, bytes);
  }
  std::int64_t fails = std::int64_t{1} << 60;  // beyond so many bytes

 private:
  const Volume& whole_;
  Volume late_;
  VolumeInfo info_;
  std::int64_t there_ = 0;
};

struct Taken {
  std::string bytes;
  int pieces = 0;
  std::size_t largest = 0;  // piece
  bool ended = false;
};

reach::TakeVolume into(Taken& taken) {
  return [&taken](const VoxelPieces& pieces, const Control&) {
    for (auto piece = pieces(); !piece.empty(); piece = pieces(), ++taken.pieces) {
      taken.bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
      taken.largest = std::max(taken.largest, piece.size());
    }
    taken.ended = true;
  };
}

std::string bytesOf(const Volume& volume) {
  return {reinterpret_cast<const char*>(volume.data()), static_cast<std::size_t>(volume.bytes())};
}

// The job in slabs of a few planes; how many there were.
int requireSameInSlabs(const test::TestMachine& machine, const FilterJob& job, const Volume& input) {
  const FilterResult whole = runFilter(machine.engines, machine.variants, job, input, {});
  LateVolume late(input);
  std::vector<Taken> taken(whole.outputs.size());
  SlabbedFilter filter{machine.engines, machine.variants, job, late, {}, 1};
  for (Taken& one : taken) filter.takers.push_back(into(one));
  const FilterSums result = runInSlabs(filter, {});
  for (std::size_t i = 0; i < taken.size(); ++i) {
    CAPTURE(i, job.engine, input.shape().text());
    CHECK(taken[i].ended);
    CHECK((taken[i].bytes == bytesOf(whole.outputs[i])));
  }
  CHECK(result.names == whole.names);
  CHECK(result.report.engine == whole.report.engine);
  CHECK(result.report.variant == whole.report.variant);
  CHECK(result.report.saturated == whole.report.saturated);
  CHECK(result.report.operations == Approx(whole.report.operations));
  CHECK(result.report.bytes == Approx(whole.report.bytes));
  return taken.front().pieces;
}

}  // namespace

TEST_CASE("a volume that is filtered in slabs while it arrives has the bits of the whole") {
  const Volume volumes[] = {
      test::randomVolume({40, 33, 61, 1}, ElementType::u8, 1), test::randomVolume({35, 66, 47, 1}, ElementType::f32, 2),
      test::randomVolume({34, 9, 40, 3}, ElementType::u16, 3), test::randomVolume({70, 90, 1, 1}, ElementType::f32, 4),
      test::randomVolume({37, 51, 1, 3}, ElementType::u8, 5)};
  const test::TestMachine machine;
  const test::Turns turns(machine.chosen(), 10, "slabs");
  const OutputType types[] = {OutputType{ElementType::f32}, OutputType{std::nullopt}};
  std::size_t number = 0;
  int most = 0;
  for (const auto& one : test::coveringArray({std::size(volumes), std::size(kBoundaries), 2}, turns.sampling()))
    for (const Engine* engine : turns.of(number++)) {
      INFO(test::Sampling::howToRepeat());
      FilterJob job =
          test::jobOf({"gaussian:sigma=1.2", "box:size=9", "sobel", "laplacian", "median"}, engine->info().id);
      job.bank.boundary = kBoundaries[one[1]];
      job.bank.output = types[one[2]];
      most = std::max(most, requireSameInSlabs(machine, job, volumes[one[0]]));
    }
  CHECK(most >= 4);
}

TEST_CASE("filters in one file are slabs of one volume") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 50, 1}, ElementType::f32, 6);
  FilterJob job = test::jobOf({"gaussian:sigma=1", "sobel"}, "cpu:scalar");
  job.interleave = true;
  CHECK(requireSameInSlabs(machine, job, input) >= 4);
}

// What a program reads decides how thick its slabs are: twice the four planes around one.
TEST_CASE("a formula that is filtered in slabs has the bits of the whole") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 50, 1}, ElementType::f32, 7);
  CHECK(requireSameInSlabs(machine, test::jobOf({"formula:e=source[0,0,2] - source[0,0,-2]"}, "cpu:scalar"), input) ==
        7);
}

TEST_CASE("narrow data that are filtered while they arrive have the bits of the whole") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({20, 15, 400, 1}, ElementType::f32, 8);
  for (const Engine* engine : machine.chosen())
    requireSameInSlabs(machine, test::jobOf({"gaussian:sigma=1.2", "sobel"}, engine->info().id), input);
}

TEST_CASE("no slab is larger than others by more than a plane") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 67, 1}, ElementType::f32, 9);
  LateVolume late(input);
  Taken taken;
  const FilterJob job = test::jobOf({"box:size=3"}, "cpu:scalar");
  static_cast<void>(runInSlabs({machine.engines, machine.variants, job, late, {into(taken)}, 1}, {}));
  CHECK(taken.pieces == 17);
  CHECK(taken.largest == std::size_t{4} * 34 * 20 * sizeof(float));
}

TEST_CASE("an error of one taker is the error of all, and nobody sees an end") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 60, 1}, ElementType::f32, 7);
  LateVolume late(input);
  Taken first;
  SlabbedFilter filter{
      machine.engines, machine.variants, test::jobOf({"gaussian", "sobel"}, "cpu:scalar"), late, {}, 1};
  filter.takers = {into(first), [](const VoxelPieces& pieces, const Control&) {
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
  LateVolume late(input);
  late.fails = input.bytes() - 1;
  Taken taken;
  SlabbedFilter filter{
      machine.engines, machine.variants, test::jobOf({"gaussian"}, "cpu:scalar"), late, {into(taken)}, 1};
  CHECK_THROWS_WITH(runInSlabs(filter, {}), "the rest is missing");
  CHECK(taken.pieces > 0);
  CHECK_FALSE(taken.ended);
}

TEST_CASE("a cancel wakes those that wait for slabs, and for room") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({34, 20, 60, 1}, ElementType::f32, 9);
  LateVolume late(input);
  std::stop_source stop;
  Taken other;
  bool canceled = false;
  SlabbedFilter filter{
      machine.engines, machine.variants, test::jobOf({"gaussian", "sobel"}, "cpu:scalar"), late, {}, 1};
  filter.takers = {into(other), [&](const VoxelPieces& pieces, const Control& control) {
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
  LateVolume late(input);
  FilterJob job = test::jobOf({"sobel"}, "cpu:scalar");
  job.bank.output = OutputType{ElementType::f32};
  Taken taken;
  const FilterSums result = runInSlabs({machine.engines, machine.variants, job, late, {into(taken)}, 1}, {});
  CHECK(taken.pieces > 2);
  CHECK(result.nonFinite == 2 * 18);  // a sobel has 18 taps that are not 0
}
