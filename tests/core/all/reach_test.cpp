// What workloads say of the parts of their arrays: all of it is measured against their references.
#include <random>

#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/workload/filter_workload.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

struct PartCase {
  std::string name;
  std::unique_ptr<Workload> workload;
};

std::vector<PartCase> partCases() {
  struct Row {
    const char* workload;
    std::array<std::int64_t, 3> shape;
    OptionValues values;
  };
  const auto text = [](const char* value) { return OptionValue(std::string(value)); };
  const std::vector<Row> rows{
      {"bank", {9, 8, 7}, {{"filters", std::int64_t{2}}, {"size", std::int64_t{3}}}},
      {"conv2d", {19, 17, 1}, {{"boundary", text("mirror")}}},
      {"soup", {19, 17, 1}, {}},
      {"magic", {40, 21, 19}, {}},
      {"magic", {40, 5, 4}, {{"passes", text("lines")}}},
      {"magic", {40, 5, 4}, {{"passes", text("lines")}, {"transposed", true}, {"direction", text("inverse")}}},
      {"magic", {21, 5, 4}, {{"boundary", text("free")}, {"passes", text("lines")}}},
      {"magic", {40, 21, 19}, {{"boundary", text("free")}, {"direction", text("inverse")}}},
      {"dwt", {16, 16, 8}, {}},
      {"dirac", {6, 5, 4}, {{"time", std::int64_t{6}}}},
      {"cr", {4, 4, 2}, {{"time", std::int64_t{2}}, {"iterations", std::int64_t{2}}}},
  };
  std::vector<PartCase> cases;
  for (const Row& row : rows) {
    const WorkloadKind* kind = findWorkloadKind(row.workload);
    REQUIRE(kind != nullptr);
    const OptionValues values = completeOptions(kind->options, row.values);
    cases.push_back({row.workload, kind->make(kind->inputSpec(row.shape, values), values)});
  }
  for (const char* spec : {"gaussian:sigma=0.8", "dog:sigma=0.6", "median:size=3", "sobel:axis=z"})
    for (const Boundary boundary : kBoundaries) {
      FilterBank bank;
      bank.filters = {parseFilterSpec(spec), parseFilterSpec("box:size=5")};
      bank.boundary = boundary;
      cases.push_back({std::string(spec) + " " + std::string(toString(boundary)),
                       std::make_unique<FilterWorkload>(
                           FilterWorkload::of(bank, ArraySpec{ElementType::f32, {13, 12, 11, 2}}, Geometry{}))});
    }
  return cases;
}

Volume inputOf(const Workload& workload) {
  const ArraySpec spec = workload.inputs()[0];
  return noiseVolume({spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])}, spec.type, 7,
                     {});
}

std::vector<double> valuesIn(const Workload& workload, const Volume& input, std::size_t output, const Box& box) {
  std::vector<double> values(static_cast<std::size_t>(box.voxels() * workload.outputs()[output].extent[3]));
  const ConstArrayView in = input.view();
  workload.reference({&in, 1}, output, box, values, {});
  return values;
}

// Some voxels, a slice, a corner.
std::vector<Box> boxesOf(const Workload& workload) {
  const auto n = workload.outputs()[0].extent;
  std::mt19937 random(5);
  const auto below = [&](std::int64_t end) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(end)); };
  std::vector<Box> boxes{{{0, 0, 0}, {1, 1, 1}},
                         {{n[0] - 1, n[1] - 1, n[2] - 1}, {n[0], n[1], n[2]}},
                         {{0, 0, n[2] / 2}, {n[0], n[1], n[2] / 2 + 1}}};
  for (int i = 0; i < 4; ++i) {
    Box box;
    for (std::size_t a = 0; a < 3; ++a) {
      box.begin[a] = below(n[a]);
      box.end[a] = std::min(n[a], box.begin[a] + 1 + below(3));
    }
    boxes.push_back(box);
  }
  return boxes;
}

bool holds(const Box& box, std::int64_t x, std::int64_t y, std::int64_t z) {
  return x >= box.begin[0] && x < box.end[0] && y >= box.begin[1] && y < box.end[1] && z >= box.begin[2] &&
         z < box.end[2];
}

// Other noise outside of `kept`.
Volume changedOutside(const Volume& input, const Box& kept) {
  const VolumeShape shape = input.shape();
  Volume other = noiseVolume(shape, input.type(), 8, {});
  const ConstArrayView from = input.view();
  const ArrayView to = other.view();
  const auto size = static_cast<std::int64_t>(bytesOf(from.type));
  for (std::int64_t z = 0; z < shape.nz; ++z)
    for (std::int64_t y = 0; y < shape.ny; ++y)
      for (std::int64_t x = 0; x < shape.nx; ++x)
        for (std::int64_t c = 0; c < shape.components && holds(kept, x, y, z); ++c)
          std::copy_n(from.data + from.offset(x, y, z, c) * size, size, to.data + to.offset(x, y, z, c) * size);
  return other;
}

}  // namespace

TEST_CASE("nothing outside of what a workload reaches changes a part of its outputs") {
  for (const PartCase& one : partCases()) {
    const Workload& workload = *one.workload;
    const Volume input = inputOf(workload);
    for (const Box& box : boxesOf(workload)) {
      const Box reach = workload.reach(box);
      INFO(one.name << " from " << box.begin[0] << " " << box.begin[1] << " " << box.begin[2]);
      for (std::size_t a = 0; a < 3; ++a) {
        CHECK(reach.begin[a] >= 0);
        CHECK(reach.begin[a] < reach.end[a]);
        CHECK(reach.end[a] <= workload.inputs()[0].extent[a]);
      }
      const Volume other = changedOutside(input, reach);
      for (std::size_t i = 0; i < workload.outputs().size(); ++i)
        CHECK(valuesIn(workload, other, i, box) == valuesIn(workload, input, i, box));
    }
  }
}

TEST_CASE("what a workload reaches is no larger than it must be") {
  for (const PartCase& one : partCases()) {
    // A wavelet's coefficients lie level by level, and a solution depends on all of its source.
    if (one.name == "dwt" || one.name == "cr") continue;
    INFO(one.name);
    const auto out = one.workload->outputs()[0].extent, in = one.workload->inputs()[0].extent;
    Box middle;
    for (std::size_t a = 0; a < 3; ++a) {
      middle.begin[a] = out[a] / 2;
      middle.end[a] = out[a] / 2 + 1;
    }
    CHECK(2 * one.workload->reach(middle).voxels() < in[0] * in[1] * in[2]);
  }
  FilterBank bank;
  bank.filters = {parseFilterSpec("box:size=5")};
  const FilterWorkload box = FilterWorkload::of(bank, ArraySpec{ElementType::f32, {20, 20, 20, 1}}, Geometry{});
  CHECK(box.reach({{5, 0, 19}, {6, 1, 20}}) == Box{{3, 0, 17}, {8, 3, 20}});
  CHECK(box.restrictedTo({{4, 4, 4}, {9, 9, 9}})->reach({{1, 0, 0}, {2, 1, 1}}) == Box{{3, 2, 2}, {8, 7, 7}});
}

TEST_CASE("a workload's part is that part of the whole, also of a part") {
  std::size_t parts = 0;
  for (const PartCase& one : partCases()) {
    const Workload& workload = *one.workload;
    const Volume input = inputOf(workload);
    for (const Box& box : boxesOf(workload)) {
      INFO(one.name << " from " << box.begin[0] << " " << box.begin[1] << " " << box.begin[2]);
      const auto part = workload.restrictedTo(box);
      if (part == nullptr) continue;
      ++parts;
      const Box all{{0, 0, 0}, {box.size(0), box.size(1), box.size(2)}};
      const Box last{{box.size(0) - 1, box.size(1) - 1, box.size(2) - 1}, all.end};
      const Box lastInWhole{{box.end[0] - 1, box.end[1] - 1, box.end[2] - 1}, box.end};
      CHECK(part->reach(all) == workload.reach(box));
      for (std::size_t i = 0; i < workload.outputs().size(); ++i) {
        const auto extent = part->outputs()[i].extent;
        CHECK(Box{{0, 0, 0}, {extent[0], extent[1], extent[2]}} == all);
        CHECK(valuesIn(*part, input, i, all) == valuesIn(workload, input, i, box));
        CHECK(valuesIn(*part->restrictedTo(last), input, i, {{0, 0, 0}, {1, 1, 1}}) ==
              valuesIn(workload, input, i, lastInWhole));
      }
    }
  }
  CHECK(parts == 4 * 5 * 7);  // filters have parts
}
