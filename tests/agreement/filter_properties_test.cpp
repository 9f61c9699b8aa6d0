// What holds of filters on every engine beside the numbers of the reference: regions, known answers, linearity, NaN,
// cancel; and what the table of variants says of its rows.
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "core/base/error.h"
#include "core/engine/variant.h"
#include "core/filter/families/recipe_text.h"
#include "tests/agreement/coverage.h"
#include "tests/agreement/filter_cases.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/sampling.h"

using namespace sscope;
using test::bumps;
using test::Coverage;
using test::coveringArray;
using test::describe;
using test::deviceFilters;
using test::infosOf;
using test::runAndCheck;
using test::Sampling;
using test::takesFloats;
using test::TestMachine;

TEST_CASE_METHOD(TestMachine, "regions equal the whole on every engine") {
  const Volume volume = test::randomVolume({23, 19, 11, 1}, ElementType::i16, 5);
  const std::vector<Box> every{
      {{0, 0, 4}, {23, 19, 5}}, {{0, 7, 0}, {23, 8, 11}}, {{22, 0, 0}, {23, 19, 11}}, {{3, 5, 2}, {17, 6, 9}}};
  for (Engine* engine : engines.available()) {
    const Variant& row = variants.at("filter", engine->info().kind, "");
    const auto sampling = Sampling::ofRun().named("regions");
    // Devices compile each filter for each region anew.
    const bool few = engine->info().isDevice();
    const std::vector<Operator> filters = few ? test::sampleOf(5, deviceFilters(3), sampling) : deviceFilters(3);
    const FilterWorkload whole(filters, Boundary::mirror, 0, volume.spec(), ElementType::f32);
    for (const Box& box : few ? test::sampleOf(1, every, sampling) : every) {
      const auto part = whole.restrictedTo(box);
      INFO(describe(*engine, row, whole) << " region from " << box.begin[0] << " " << box.begin[1] << " "
                                         << box.begin[2] << ", " << Sampling::howToRepeat());
      CHECK(runAndCheck(*engine, row, *part, volume) == "");
    }
  }
}

TEST_CASE_METHOD(TestMachine, "the analytic cases hold on every engine") {
  Volume impulse({15, 15, 15, 1}, ElementType::f32);
  std::ranges::fill(impulse.elements<float>(), 0.0F);
  impulse.elements<float>()[static_cast<std::size_t>(impulse.view().offset(7, 7, 7))] = 1;
  Stencil ramp;  // all taps different, so that a wrong order or a wrong anchor shows
  ramp.dense = {{5, 4, 3}, {1, 3, 0}, {}};
  ramp.dense.weights.clear();
  for (int i = 1; i <= 60; ++i) ramp.dense.weights.push_back(i);
  const FilterWorkload workload({ramp}, Boundary::constant, 0, impulse.spec(), ElementType::f32);
  for (Engine* engine : engines.available()) {
    const auto plan = variants.prepare(*engine, workload, "", {}, {});
    Volume out(impulse.shape(), ElementType::f32);
    const ConstArrayView in = impulse.view();
    const ArrayView view = out.view();
    static_cast<void>(plan->run({{&in, 1}, 0}, {&view, 1}, {}));
    INFO(engine->info().id);
    bool equal = true;
    for (std::int64_t z = 0; z < 15; ++z)
      for (std::int64_t y = 0; y < 15; ++y)
        for (std::int64_t x = 0; x < 15; ++x) {
          const std::int64_t i = 7 - x + 1, j = 7 - y + 3, k = 7 - z;
          const bool inside = i >= 0 && i < 5 && j >= 0 && j < 4 && k >= 0 && k < 3;
          equal = equal && out.value(x, y, z) == (inside ? ramp.dense.at(i, j, k) : 0.0);
        }
    CHECK(equal);
  }
}

TEST_CASE_METHOD(TestMachine, "filters are linear and separable ones equal their dense taps on every engine") {
  const Volume a = test::randomVolume({21, 14, 9, 1}, ElementType::f32, 1),
               b = test::randomVolume({21, 14, 9, 1}, ElementType::f32, 2);
  Volume sum(a.shape(), ElementType::f32);
  for (std::size_t i = 0; i < sum.elements<float>().size(); ++i)
    sum.elements<float>()[i] = a.elements<float>()[i] + 2 * b.elements<float>()[i];
  const FilterGrid grid{3, {1, 1, 1}};
  const Stencil separable = makeStencil(parseFilterSpec("dog:sigma=0.8"), grid);
  Stencil dense = separable;
  dense.dense = separable.expanded();
  dense.terms.clear();
  const FilterWorkload workload({separable, dense}, Boundary::reflect, 0, a.spec(), ElementType::f32);
  for (Engine* engine : engines.available()) {
    const auto plan = variants.prepare(*engine, workload, "", {}, {});
    const auto run = [&](const Volume& input) {
      std::vector<Volume> out;
      out.emplace_back(a.shape(), ElementType::f32);
      out.emplace_back(a.shape(), ElementType::f32);
      const ConstArrayView in = input.view();
      const ArrayView views[] = {out[0].view(), out[1].view()};
      static_cast<void>(plan->run({{&in, 1}, 0}, views, {}));
      return out;
    };
    const auto fa = run(a), fb = run(b), fs = run(sum);
    double linear = 0, split = 0, scale = 0;
    for (std::size_t i = 0; i < sum.elements<float>().size(); ++i) {
      const double s = fs[0].elements<float>()[i];
      linear = test::larger(linear, std::abs(s - fa[0].elements<float>()[i] - 2.0 * fb[0].elements<float>()[i]));
      split = test::larger(split, std::abs(s - fs[1].elements<float>()[i]));
      scale = test::larger(scale, std::abs(s));
    }
    INFO(engine->info().id);
    CHECK(scale > 0.01);
    CHECK(linear < 2e-6);
    CHECK(split < 2e-6);
  }
}

namespace {

Volume withHoles(const VolumeShape& shape) {
  Volume volume = test::randomVolume(shape, ElementType::f32, 21);
  const auto put = [&](std::int64_t x, std::int64_t y, std::int64_t z, float value) {
    volume.elements<float>()[static_cast<std::size_t>(volume.view().offset(x, y, z))] = value;
  };
  put(9, 6, shape.nz / 2, std::nanf(""));
  put(1, 1, 0, INFINITY);
  put(15, 11, shape.nz - 1, -INFINITY);
  return volume;
}

// Sums of terms of different reach and of both signs among them; for devices, which compile each size, fewer and small.
std::vector<Operator> holeFilters(int dimensions, bool device) {
  const FilterGrid grid{dimensions, {1, 1, 1}};
  std::vector<Operator> filters;
  for (const char* spec : {"sharpen:sigma=0.4", "dog:sigma=0.4,truncate=2", "log:sigma=0.5,truncate=2"})
    filters.push_back(makeStencil(parseFilterSpec(spec), grid));
  filters.push_back(bumps(dimensions));
  const std::vector<const char*> more = device ? std::vector{"median:shape=cross",
                                                             "minimum:shape=cross",
                                                             "median",
                                                             "bilateral:sigma=0.9,range=0.6,radius=2",
                                                             "nlmeans:sigma=0.4,search=2",
                                                             "entropy:size=3,low=-1,high=1"}
                                               : std::vector{"laplacian",
                                                             "gaussian:sigma=0.6,order_x=1",
                                                             "sobel",
                                                             "median",
                                                             "median:size=7",
                                                             "median:size=5,shape=ball",
                                                             "median:size=5",
                                                             "percentile:percent=20",
                                                             "minimum",
                                                             "maximum:size=4",
                                                             "maximum:size=5,shape=ball",
                                                             "bilateral:sigma=1,range=0.5",
                                                             "nlmeans:sigma=0.3,search=2,patch=2",
                                                             "entropy:shape=ball,bins=9,low=-1,high=1"};
  for (const char* spec : more) filters.push_back(makeOperator(parseFilterSpec(spec), grid));
  return filters;
}

}  // namespace

// Each row computes the filters that have its method, and those of the first one, "auto", are all.
TEST_CASE_METHOD(TestMachine, "NaN and Inf spread as the reference says on every engine and row") {
  const std::vector<EngineInfo> present = infosOf(engines.available());
  Coverage coverage(variants, present, "filter", takesFloats);
  const VolumeShape shapes[] = {{19, 13, 9, 1}, {21, 17, 1, 2}};
  const Boundary boundaries[] = {Boundary::nearest, Boundary::constant};
  const ElementType outputs[] = {ElementType::f32, ElementType::i16};
  for (Engine* engine : engines.available()) {
    const EngineInfo& info = engine->info();
    std::vector<const Variant*> rows = variants.rows("filter", info.kind);
    std::erase_if(rows, [](const Variant* row) { return !takesFloats(*row); });
    const bool device = info.isDevice();
    const auto sampling = Sampling::ofRun().named(info.id);
    const std::size_t turn = sampling.seed % 2;
    for (const auto& one : coveringArray({rows.size(), device ? 1U : 2U, device ? 1U : 2U, 2}, sampling)) {
      // Devices compile for each boundary anew.
      if (device && !sampling.all && (one[0] + turn) % 2 != one[3]) continue;
      const Variant& row = *rows[one[0]];
      const VolumeShape& shape = shapes[one[1]];
      const Volume volume = withHoles(shape);
      const auto workloadOf = [&](std::vector<Operator> bank) {
        return FilterWorkload(std::move(bank), boundaries[one[3]], 3, volume.spec(), outputs[one[2]]);
      };
      std::vector<Operator> bank = holeFilters(shape.dimensions(), device);
      std::erase_if(bank, [&](const Operator& op) { return !coverage.takes(info, row, workloadOf({op})); });
      if (bank.empty()) continue;
      if (device) bank = test::sampleOf(2, bank, sampling.named(row.name));  // which it compiles one by one
      const FilterWorkload workload = workloadOf(bank);
      if (!coverage.takes(info, row, workload)) continue;
      INFO(describe(*engine, row, workload) << ", " << Sampling::howToRepeat());
      CHECK(runAndCheck(*engine, row, workload, volume) == "");
      coverage.compared(info, row);
    }
  }
  coverage.requireAll();
}

TEST_CASE_METHOD(TestMachine, "a canceled run throws and an absent engine says why") {
  const Volume volume = test::randomVolume({40, 40, 40, 1}, ElementType::f32, 3);
  const FilterGrid grid{3, {1, 1, 1}};
  const FilterWorkload workload({makeStencil(parseFilterSpec("gaussian:sigma=2"), grid)}, Boundary::nearest, 0,
                                volume.spec(), ElementType::f32);
  std::stop_source stop;
  stop.request_stop();
  for (Engine* engine : engines.available()) {
    const auto plan = variants.prepare(*engine, workload, "", {}, {});
    Volume out(volume.shape(), ElementType::f32);
    const ConstArrayView in = volume.view();
    const ArrayView view = out.view();
    CHECK_THROWS_AS(plan->run({{&in, 1}, 0}, {&view, 1}, {stop.get_token(), {}}), Canceled);
  }
  for (const EngineInfo& info : engines.infos()) {
    if (info.available()) continue;
    CHECK_THROWS_WITH(engines.at(info.id), Catch::Matchers::ContainsSubstring(info.absentReason));
  }
  CHECK_THROWS_WITH(engines.at("cpu:neon"), Catch::Matchers::ContainsSubstring("cpu:scalar"));
}

TEST_CASE_METHOD(TestMachine, "every paragraph about a variant is of a row") {
  int read = 0;
  for (const VariantFile& file : variantFiles()) {
    std::istringstream lines{std::string(file.text)};
    const std::string workload(file.name.substr(0, file.name.rfind('.')));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("## ")) continue;
      ++read;
      INFO(file.name << ": " << line);
      std::string name = line.substr(3), where;
      if (const std::size_t at = name.find(" ("); at != std::string::npos) {
        where = name.substr(at + 2, name.size() - at - 3);
        name.resize(at);
        CHECK((where == "processor" || where == "device"));
      }
      CHECK(std::ranges::any_of(variants.rows(), [&](const Variant& row) {
        return row.workload == workload && row.name == name &&
               (where.empty() || (where == "processor") == (row.kind == EngineKind::Cpu));
      }));
    }
  }
  CHECK(read > 90);
}

TEST_CASE_METHOD(TestMachine, "the table has an explanation and a source for each row") {
  std::map<std::string, int> seen;
  for (const Variant& row : variants.rows()) {
    INFO(row.name);
    CHECK_FALSE(row.explanation.empty());
    CHECK_FALSE(row.source.empty());
    CHECK(++seen[row.workload + "/" + std::string(toString(row.kind)) + "/" + row.name] == 1);
  }
}
