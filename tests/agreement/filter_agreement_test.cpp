// One test body for every row of the variant table on every engine of this machine.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>

#include "core/base/error.h"
#include "core/engine/variant_texts.h"
#include "core/filter/family.h"
#include "core/filter/workload/filter_workload.h"
#include "core/measure/verify.h"
#include "core/volume/rounding.h"
#include "tests/agreement/coverage.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/low_rank_taps.h"
#include "tests/support/support.h"

using namespace sscope;
using test::Coverage;
using test::infosOf;
using test::TestMachine;

namespace {

// One-voxel, thinner than any kernel, odd, a SIMD width and one more, and an image.
const VolumeShape kShapes[] = {{1, 1, 1, 1},  {7, 1, 1, 1},  {1, 5, 3, 1},  {2, 3, 2, 1},
                               {13, 7, 5, 1}, {17, 9, 1, 1}, {33, 6, 4, 1}, {9, 5, 4, 3}};

Stencil oddCustom(int dimensions) {
  Stencil filter;
  filter.dense.size = {4, 3, dimensions == 3 ? 2 : 1};
  filter.dense.anchor = {0, 2, 0};
  filter.dense.weights.clear();
  for (std::int64_t i = 0; i < filter.dense.count(); ++i)
    filter.dense.weights.push_back(std::sin(1.0 + static_cast<double>(i)) * 0.3);
  return filter;
}

// Dense taps that are sums of few terms in single precision.
Operator bumps(int dimensions) {
  const std::int64_t z = dimensions == 3 ? 5 : 1;
  return {"bumps", test::twoBumps({7, 6, z}, {3, 0, z - 1})};
}

// Every family with its defaults and a few that stress sizes and signs, as one bank: each is its own output.
std::vector<Operator> allFilters(int dimensions) {
  const FilterGrid grid{dimensions, {1, 1, 1}};
  std::vector<Operator> filters;
  for (const FilterFamily& family : filterFamilies()) {
    if (!family.make) continue;
    FilterRecipe recipe;
    recipe.name = recipe.family = family.name;
    if (isOneOperator(recipe, grid)) filters.push_back(makeOperator(recipe, grid));  // program_agreement_test.cpp
  }
  for (const char* spec : {"gaussian:sigma=0.7,order_x=1,order_y=2",
                           "box:size=4",
                           "sobel:axis=y,flip=true",
                           "median:size=5,shape=ball",
                           "median:size=7,shape=cross",
                           "median:size=9",
                           "median:size=5",
                           "percentile:percent=30,size=5,shape=ball",
                           "percentile:percent=100",
                           "minimum:size=6",
                           "minimum:size=5,shape=ball",
                           "maximum:size=7,shape=cross",
                           "maximum:size=9",
                           "bilateral:sigma=0.9,range=0.6",
                           "bilateral:sigma=1.2,range=30,radius=4",
                           "bilateral:sigma=1,range=9000",
                           "nlmeans:sigma=0.4,search=2,patch=2",
                           "nlmeans:sigma=25,strength=2,search=1,patch=3",
                           "entropy:size=7,shape=ball,bins=20,low=-0.9,high=0.7",
                           "entropy:size=3,shape=cross,bins=2,low=-30000,high=40000",
                           "loggabor:azimuth=20,phase=odd,radius=2",
                           "riesz:order=2,azimuth=40,radius=3",
                           "steerable:filter=g4,azimuth=30,sigma=0.8"})
    filters.push_back(makeOperator(parseFilterSpec(spec), grid));
  filters.push_back(oddCustom(dimensions));
  filters.push_back(bumps(dimensions));
  return filters;
}

std::string describe(const Engine& engine, const Variant& row, const FilterWorkload& workload) {
  const auto e = workload.input().extent;
  std::ostringstream text;
  text << engine.info().id << " " << row.name << " " << toString(workload.input().type) << " -> "
       << toString(workload.outputType()) << " " << toString(workload.boundary()) << " " << e[0] << "x" << e[1] << "x"
       << e[2] << "x" << e[3];
  return text.str();
}

// Histograms count bytes.
bool takesFloats(const Variant& row) { return row.name != "histogram"; }

// Runs one row and compares every output element with the reference; returns what is wrong.
std::string runAndCheck(Engine& engine, const Variant& row, const Workload& workload, const Volume& input) {
  const auto plan = row.prepare(engine, workload, {}, {});
  std::vector<Volume> volumes;
  std::vector<ArrayView> outputs;
  std::vector<ConstArrayView> results;
  for (const ArraySpec& spec : workload.outputs())
    volumes.emplace_back(VolumeShape{spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])},
                         spec.type);
  for (Volume& volume : volumes) {
    outputs.push_back(volume.view());
    results.push_back(volume.view());
    poison(volume.view());
  }
  const ConstArrayView in = input.view();
  test::forgetBuffers(engine);
  const RunReport report = plan->run({{&in, 1}, 0}, outputs, {});
  // What is chosen automatically keeps to the reference whatever the data are.
  const auto dense = report.writtenOut && row.name != "auto" ? workload.writtenOut() : nullptr;
  const Workload& truth = dense ? *dense : workload;
  const Verification verdict = verify(truth, {&in, 1}, results, {1e9, 1}, {});
  if (!verdict.verified) return verdict.failure + " (rel_l2 " + std::to_string(verdict.relativeL2) + ")";
  if (report.engine != engine.info().id) return "the report names the engine " + report.engine;
  if (report.phases.kernel <= 0) return "the report has no kernel time";
  // Saturated elements are counted as the reference counts them.
  if (report.saturated.size() != volumes.size()) return "saturation is not reported for each output";
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const ArraySpec spec = workload.outputs()[i];
    const auto extent = spec.extent;
    std::vector<double> reference(static_cast<std::size_t>(spec.elements()));
    truth.reference({&in, 1}, i, {{0, 0, 0}, {extent[0], extent[1], extent[2]}}, reference, {});
    std::int64_t wanted = 0;
    dispatch(spec.type, [&](auto tag) {
      bool saturated = false;
      for (const double value : reference) {
        static_cast<void>(roundSaturate<decltype(tag)>(value, saturated));
        wanted += saturated ? 1 : 0;
      }
    });
    if (report.saturated[i] != wanted)
      return "counted " + std::to_string(report.saturated[i]) + " saturated elements of " + std::to_string(wanted);
  }
  return {};
}

// What devices are tested with: dense taps, taps of even size, one and two separable terms. Fewer than on CPUs,
// because every size is compiled.
std::vector<Operator> deviceFilters(int dimensions) {
  const FilterGrid grid{dimensions, {1, 1, 1}};
  return {makeStencil(parseFilterSpec("laplacian"), grid),
          oddCustom(dimensions),
          bumps(dimensions),
          makeStencil(parseFilterSpec("sharpen:sigma=0.3"), grid),
          makeOperator(parseFilterSpec("median"), grid),
          makeOperator(parseFilterSpec("median:size=5,shape=cross"), grid),
          makeOperator(parseFilterSpec("percentile:percent=30,shape=ball"), grid),
          makeOperator(parseFilterSpec("minimum:size=4"), grid),
          makeOperator(parseFilterSpec("maximum:size=5,shape=ball"), grid),
          makeOperator(parseFilterSpec("maximum:size=9"), grid),
          makeOperator(parseFilterSpec("bilateral:sigma=0.9,range=0.6,radius=2"), grid),
          makeOperator(parseFilterSpec("nlmeans:sigma=20,search=2"), grid),
          makeOperator(parseFilterSpec("entropy"), grid),
          makeOperator(parseFilterSpec("entropy:size=3,shape=ball,bins=12,low=-0.9,high=0.7"), grid)};
}

enum class Turns { EveryRow, RowsInTurn };

// Every available engine of one kind x its rows x boundaries x element types x output types; the shapes take turns.
// With RowsInTurn each pair of types goes to one row, save f32 and u8, which go to all: what is compiled depends on the
// types.
void agree(const TestMachine& machine, EngineKind kind, const std::function<std::vector<Operator>(int)>& filters,
           Turns turns) {
  std::vector<Engine*> engines = machine.engines.available();
  std::erase_if(engines, [&](const Engine* engine) { return engine->info().kind != kind; });
  if (engines.empty() && kind != EngineKind::Cpu)
    SSCOPE_SKIP("no " + std::string(toString(kind)) + " engine on this machine");
  Coverage coverage(machine.variants, infosOf(engines), "filter");
  std::size_t turn = 0, pair = 0;
  for (Engine* engine : engines) {
    const auto rows = machine.variants.rows("filter", kind);
    for (const ElementType input : kElementTypes)
      for (const ElementType output : {ElementType::f32, input}) {
        ++pair;
        const bool all = turns == Turns::EveryRow || input == ElementType::f32 || input == ElementType::u8;
        for (std::size_t r = 0; r < rows.size(); ++r) {
          if (!all && pair % rows.size() != r) continue;
          for (const Boundary boundary : kBoundaries) {
            const VolumeShape& shape = kShapes[turn++ % std::size(kShapes)];
            const Volume volume = test::randomVolume(shape, input, turn);
            const auto workloadOf = [&](std::vector<Operator> some) {
              return FilterWorkload(std::move(some), boundary, 11, volume.spec(), output);
            };
            // Of a bank with filters that the row refuses, the others.
            std::vector<Operator> bank = filters(shape.dimensions());
            if (!coverage.takes(engine->info(), *rows[r], workloadOf(bank)))
              std::erase_if(bank, [&](const Operator& filter) {
                return !coverage.takes(engine->info(), *rows[r], workloadOf({filter}));
              });
            if (bank.empty()) continue;
            const FilterWorkload workload = workloadOf(bank);
            INFO(describe(*engine, *rows[r], workload));
            const std::string wrong = runAndCheck(*engine, *rows[r], workload, volume);
            CHECK(wrong == "");
            coverage.compared(engine->info(), *rows[r]);
          }
        }
      }
  }
  coverage.requireAll();
}

}  // namespace

TEST_CASE_METHOD(TestMachine, "every CPU engine, row, type and boundary agrees with the reference") {
  agree(*this, EngineKind::Cpu, allFilters, Turns::EveryRow);
}

TEST_CASE_METHOD(TestMachine, "every OpenCL engine, row, type and boundary agrees with the reference") {
  agree(*this, EngineKind::OpenCl, deviceFilters, Turns::RowsInTurn);
}

TEST_CASE_METHOD(TestMachine, "every CUDA engine, row, type and boundary agrees with the reference") {
  agree(*this, EngineKind::Cuda, deviceFilters, Turns::RowsInTurn);
}

TEST_CASE_METHOD(TestMachine, "every CPU level agrees on every shape") {
  std::vector<Engine*> levels = engines.available();
  std::erase_if(levels, [](const Engine* engine) { return engine->info().kind != EngineKind::Cpu; });
  Coverage coverage(variants, infosOf(levels), "filter", takesFloats);
  for (const VolumeShape& shape : kShapes)
    for (Engine* engine : levels) {
      for (const Variant* row : variants.rows("filter", EngineKind::Cpu))
        for (const Boundary boundary : kBoundaries) {
          if (!takesFloats(*row)) continue;
          const Volume volume = test::randomVolume(shape, ElementType::f32, 77);
          const FilterWorkload workload(allFilters(shape.dimensions()), boundary, -3, volume.spec(), ElementType::f32);
          if (!coverage.takes(engine->info(), *row, workload)) continue;
          INFO(describe(*engine, *row, workload));
          CHECK(runAndCheck(*engine, *row, workload, volume) == "");
          coverage.compared(engine->info(), *row);
        }
    }
  coverage.requireAll();
}

TEST_CASE_METHOD(TestMachine, "regions equal the whole on every engine") {
  const Volume volume = test::randomVolume({23, 19, 11, 1}, ElementType::i16, 5);
  const FilterWorkload whole(deviceFilters(3), Boundary::mirror, 0, volume.spec(), ElementType::f32);
  for (Engine* engine : engines.available())
    for (const Box& box : {Box{{0, 0, 4}, {23, 19, 5}}, Box{{0, 7, 0}, {23, 8, 11}}, Box{{22, 0, 0}, {23, 19, 11}},
                           Box{{3, 5, 2}, {17, 6, 9}}}) {
      const Variant& row = variants.at("filter", engine->info().kind, "");
      const auto part = whole.restrictedTo(box);
      INFO(describe(*engine, row, whole) << " region from " << box.begin[0] << " " << box.begin[1] << " "
                                         << box.begin[2]);
      CHECK(runAndCheck(*engine, row, *part, volume) == "");
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

// Sums of terms of different reach and of both signs among them; for devices, which compile each size, fewer and small.
TEST_CASE_METHOD(TestMachine, "NaN and Inf spread as the reference says on every engine and row") {
  Coverage coverage(variants, infosOf(engines.available()), "filter", takesFloats);
  for (const VolumeShape& shape : {VolumeShape{19, 13, 9, 1}, VolumeShape{21, 17, 1, 2}}) {
    Volume volume = test::randomVolume(shape, ElementType::f32, 21);
    const auto put = [&](std::int64_t x, std::int64_t y, std::int64_t z, float value) {
      volume.elements<float>()[static_cast<std::size_t>(volume.view().offset(x, y, z))] = value;
    };
    put(9, 6, shape.nz / 2, std::nanf(""));
    put(1, 1, 0, INFINITY);
    put(15, 11, shape.nz - 1, -INFINITY);
    const FilterGrid grid{shape.dimensions(), {1, 1, 1}};
    std::vector<Operator> sums, all;
    for (const char* spec : {"sharpen:sigma=0.4", "dog:sigma=0.4,truncate=2", "log:sigma=0.5,truncate=2"})
      sums.push_back(makeStencil(parseFilterSpec(spec), grid));
    sums.push_back(bumps(shape.dimensions()));
    all = sums;
    for (const char* spec :
         {"median:shape=cross", "minimum:shape=cross", "median", "bilateral:sigma=0.9,range=0.6,radius=2",
          "nlmeans:sigma=0.4,search=2", "entropy:size=3,low=-1,high=1"})
      sums.push_back(makeOperator(parseFilterSpec(spec), grid));
    for (const char* spec : {"laplacian", "gaussian:sigma=0.6,order_x=1", "sobel", "median", "median:size=7",
                             "median:size=5,shape=ball", "median:size=5", "percentile:percent=20", "minimum",
                             "maximum:size=4", "maximum:size=5,shape=ball", "bilateral:sigma=1,range=0.5",
                             "nlmeans:sigma=0.3,search=2,patch=2", "entropy:shape=ball,bins=9,low=-1,high=1"})
      all.push_back(makeOperator(parseFilterSpec(spec), grid));
    for (const Boundary boundary : {Boundary::nearest, Boundary::constant})
      for (const ElementType output : {ElementType::f32, ElementType::i16})
        for (Engine* engine : engines.available()) {
          const bool cpu = engine->info().kind == EngineKind::Cpu;
          if (!cpu && (shape.dimensions() == 2 || output != ElementType::f32)) continue;
          for (const Variant* row : variants.rows("filter", engine->info().kind)) {
            if (!takesFloats(*row)) continue;
            const auto workloadOf = [&](std::vector<Operator> bank) {
              return FilterWorkload(std::move(bank), boundary, 3, volume.spec(), output);
            };
            std::vector<Operator> bank = cpu ? all : sums;
            if (!coverage.takes(engine->info(), *row, workloadOf(bank)))  // passes alone, on devices
              std::erase_if(bank, [](const Operator& op) { return op.name == "bumps"; });
            const FilterWorkload workload = workloadOf(bank);
            if (!coverage.takes(engine->info(), *row, workload)) continue;
            INFO(describe(*engine, *row, workload));
            CHECK(runAndCheck(*engine, *row, workload, volume) == "");
            coverage.compared(engine->info(), *row);
          }
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
