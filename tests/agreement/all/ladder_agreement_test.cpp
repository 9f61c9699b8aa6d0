// One test body for every rung of every ladder on every engine of this machine.
#include <memory>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/measure/verify.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"
#include "tests/agreement/coverage.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using test::TestMachine;

namespace {

// Devices compile for every filter, type and kind of pass, which takes most of the time here: where such a thing and
// the shape do not touch each other, they share filters, or leave a case to the CPUs.
struct LadderCase {
  std::array<std::int64_t, 4> extent;
  OptionValues values;  // of the workload
  bool devices = true;
};

OptionValues with(std::initializer_list<std::pair<const std::string, OptionValue>> values) { return {values}; }
OptionValue integer(std::int64_t i) { return i; }
OptionValue text(const char* t) { return std::string(t); }

// Every filter length, both directions, tiny and odd extents, one to three axes, several levels, both precisions.
std::vector<LadderCase> dwtCases() {
  const auto one = [](std::array<std::int64_t, 4> extent, const std::string& wavelet, std::int64_t levels, bool forward,
                      const char* input = "f32", std::int64_t dimensions = 0) {
    return LadderCase{extent, with({{"wavelet", wavelet},
                                    {"levels", integer(levels)},
                                    {"direction", text(forward ? "forward" : "inverse")},
                                    {"input", text(input)},
                                    {"dimensions", integer(dimensions)}})};
  };
  std::vector<LadderCase> cases{one({2, 1, 1, 1}, "db10", 1, true),
                                one({2, 1, 1, 1}, "db10", 1, false),
                                one({5, 1, 1, 1}, "db3", 2, true, "f64"),
                                one({1, 7, 1, 1}, "db2", 3, true),
                                one({1, 5, 9, 1}, "sym8", 2, true),
                                one({3, 1, 17, 1}, "haar", 2, true, "f64"),
                                one({8, 1, 16, 1}, "db10", 3, false),
                                one({37, 19, 11, 1}, "sym8", 3, true),
                                one({40, 24, 16, 1}, "sym8", 3, false, "f64"),
                                one({33, 21, 6, 1}, "db3", 1, true, "f64", 2),
                                one({34, 22, 5, 1}, "db3", 1, false, "f32", 2),
                                one({130, 3, 2, 1}, "sym8", 1, true, "f32", 1),
                                one({64, 64, 1, 1}, "sym8", 6, true),
                                one({64, 64, 1, 1}, "sym8", 6, false),
                                one({200, 44, 1, 1}, "sym8", 2, false),
                                one({52, 38, 70, 1}, "db2", 1, true)};
  // Free boundaries: one shrinks, the other grows.
  const auto free = [&](std::array<std::int64_t, 4> extent, const std::string& wavelet, bool forward,
                        const char* input = "f32", std::int64_t dimensions = 0) {
    cases.push_back(one(extent, wavelet, 1, forward, input, dimensions));
    cases.back().values["boundary"] = text("free");
  };
  free({16, 1, 1, 1}, "sym8", true);
  free({2, 1, 1, 1}, "sym8", false);
  free({38, 20, 26, 1}, "sym8", true, "f64");
  free({22, 6, 10, 1}, "sym8", false);
  free({24, 10, 5, 1}, "db3", true, "f32", 2);
  free({6, 1, 4, 1}, "haar", false, "f64");
  for (const int order : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    for (const bool forward : {true, false}) {
      const std::string wavelet = "db" + std::to_string(order);
      cases.push_back(one({24, 14, 10, 1}, wavelet, 1, forward, "f64"));
      cases.back().devices = false;
      switch ((order + (forward ? 0 : 1)) % 3) {  // the axes take turns
        case 0: cases.push_back(one({24, 14, 10, 1}, wavelet, 1, forward, "f64", 1)); break;
        case 1: cases.push_back(one({1, 14, 10, 1}, wavelet, 1, forward, "f64")); break;
        default: cases.push_back(one({24, 1, 10, 1}, wavelet, 1, forward, "f64"));
      }
    }
  return cases;
}

// Tiny, shorter than the taps, odd, even, prime, powers of two; both directions; lines as rows and as columns.
std::vector<LadderCase> magicCases() {
  std::vector<LadderCase> cases;
  const auto add = [&](std::array<std::int64_t, 4> extent, OptionValues values) {
    cases.push_back({extent, std::move(values)});
  };
  for (const std::int64_t n : {1, 2, 5, 15, 16, 17}) {
    add({n, 6, 5, 1}, {});
    add({6, n, 5, 1}, with({{"direction", text("inverse")}}));
    add({5, 6, n, 1}, {});
    add({n, 7, 2, 1}, with({{"passes", text("lines")}}));
    add({n, 9, 1, 1}, with({{"passes", text("lines")}, {"transposed", true}}));
  }
  const auto free = [&](std::array<std::int64_t, 4> extent, OptionValues values) {
    values["boundary"] = text("free");
    add(extent, std::move(values));
  };
  free({1, 2, 19, 1}, {});
  free({18, 5, 3, 1}, {});
  free({16, 17, 31, 1}, with({{"direction", text("inverse")}}));
  free({49, 9, 1, 1}, with({{"passes", text("lines")}}));
  free({33, 7, 3, 1}, with({{"passes", text("lines")}, {"transposed", true}}));
  free({50, 6, 2, 1}, with({{"passes", text("lines")}, {"transposed", true}, {"direction", text("inverse")}}));
  add({45, 12, 2, 1}, with({{"passes", text("lines")}, {"taps", text("kinetic")}}));
  add({7, 11, 1, 1}, with({{"passes", text("lines")}, {"taps", text("kinetic")}, {"transposed", true}}));
  add({1, 1, 1, 1}, {});
  add({17, 15, 16, 1}, {});
  add({64, 32, 64, 1}, with({{"direction", text("inverse")}}));
  add({37, 41, 43, 1}, {});
  add({66, 35, 58, 1}, {});
  add({125, 13, 17, 1}, with({{"passes", text("lines")}, {"direction", text("inverse")}}));
  add({131, 40, 3, 1}, with({{"passes", text("lines")}, {"transposed", true}}));
  add({124, 66, 1, 1}, with({{"passes", text("lines")}, {"transposed", true}, {"direction", text("inverse")}}));
  return cases;
}

// A constant outside that the input's type cannot hold.
LadderCase outside(double constant, const char* input, const char* output) {
  return {{12, 9, 7, 1},
          with({{"filters", integer(2)},
                {"size", integer(3)},
                {"boundary", text("constant")},
                {"constant", OptionValue(constant)},
                {"input", text(input)},
                {"output", text(output)}})};
}

// Tiny, thinner than the kernel, odd, larger than a tile; every boundary; even and odd kernels; several N.
std::vector<LadderCase> casesOf(const std::string& workload) {
  if (workload == "bank")
    return {
        {{1, 1, 1, 1}, with({{"filters", integer(2)}, {"size", integer(3)}})},
        {{5, 4, 3, 1}, with({{"filters", integer(1)}, {"size", integer(7)}, {"boundary", text("mirror")}})},
        {{37, 19, 9, 1}, with({{"filters", integer(3)}, {"size", integer(5)}, {"boundary", text("wrap")}})},
        {{67, 9, 11, 1},
         with({{"filters", integer(8)},
               {"size", integer(4)},
               {"boundary", text("constant")},
               {"constant", OptionValue(7.0)}})},
        {{33, 34, 6, 1},
         with({{"filters", integer(5)}, {"size", integer(2)}, {"boundary", text("reflect")}, {"input", text("f32")}})},
        {{18, 17, 16, 1}, with({{"filters", integer(32)}, {"size", integer(3)}})},
        {{40, 12, 10, 1}, with({{"filters", integer(4)}, {"size", integer(7)}, {"output", text("u8")}})},
        {{21, 13, 1, 1}, with({{"filters", integer(16)}, {"size", integer(7)}})},
        {{30, 20, 9, 1}, with({{"filters", integer(2)}, {"size", integer(15)}, {"boundary", text("mirror")}})},
        outside(300, "u8", "f32"),
        outside(-7.25, "i16", "u8"),
        outside(1e300, "u8", "f32")};
  if (workload == "conv2d")
    return {{{1, 1, 1, 1}, {}},
            {{9, 5, 1, 1}, with({{"width", integer(31)}, {"height", integer(3)}, {"boundary", text("mirror")}})},
            {{131, 77, 1, 1}, with({{"width", integer(3)}, {"height", integer(3)}, {"boundary", text("wrap")}})},
            {{257, 65, 1, 1}, with({{"width", integer(7)}, {"height", integer(7)}})},
            {{100, 133, 1, 1}, with({{"width", integer(6)}, {"height", integer(11)}, {"boundary", text("reflect")}})},
            {{150, 90, 1, 1},
             with({{"width", integer(15)},
                   {"height", integer(15)},
                   {"boundary", text("constant")},
                   {"constant", OptionValue(0.5)}})},
            {{20, 13, 1, 1},
             with({{"width", integer(3)},
                   {"height", integer(3)},
                   {"boundary", text("constant")},
                   {"constant", OptionValue(-1e300)}})},
            {{130, 70, 1, 1}, with({{"width", integer(27)}, {"height", integer(27)}})},
            {{64, 64, 1, 1}, with({{"width", integer(1)}, {"height", integer(2)}})}};
  if (workload == "magic") return magicCases();
  if (workload == "dwt") return dwtCases();
  return {{{1, 1, 1, 1}, {}},
          {{3, 2, 1, 1}, with({{"boundary", text("mirror")}})},
          {{129, 67, 1, 1}, with({{"boundary", text("wrap")}})},
          {{256, 96, 1, 1}, {}},
          {{70, 130, 1, 1}, with({{"boundary", text("reflect")}})},
          {{70, 130, 1, 1}, with({{"seed", integer(7)}}), false},
          {{517, 41, 1, 1}, with({{"boundary", text("constant")}, {"constant", OptionValue(200.0)}})}};
}

// Runs one row and compares every element of every output; returns what is wrong.
std::string runRow(Engine& engine, const VariantTable& table, const Variant& row, const Workload& workload,
                   const Volume& input) {
  const auto plan = table.prepare(engine, workload, row.name, {}, {});
  std::vector<Volume> volumes = test::roomFor(workload);
  const std::vector<ArrayView> outputs = test::viewsOf(volumes);
  const std::vector<ConstArrayView> results(outputs.begin(), outputs.end());
  const ConstArrayView view = input.view();
  // The first run finds poisoned buffers, the second those of the first with its results.
  test::forgetBuffers(engine);
  for (int run = 0; run < 2; ++run) {
    for (const ArrayView& output : outputs) poison(output);
    const RunReport report = plan->run({{&view, 1}, 0}, outputs, {});
    if (report.engine != engine.info().id) return "the report names " + report.engine;
    const Verification verification = row.twinOf.empty() ? verify(workload, {&view, 1}, results, test::kEverywhere, {})
                                                         : verifyCopy(view, results[0], {});
    if (!verification.verified) return verification.failure;
    if (!verification.full) return "not everything was compared";
  }
  return {};
}

std::string describeRow(const Engine& engine, const Variant& row, const Workload& workload) {
  const auto e = workload.inputs()[0].extent;
  std::ostringstream text;
  text << engine.info().id << " " << row.workload << "/" << row.name << " " << workload.parameters().dump() << " "
       << e[0] << "x" << e[1] << "x" << e[2];
  return text.str();
}

// What the cases of a ladder are made of.
struct LadderInstance {
  LadderCase one;
  std::unique_ptr<Workload> workload;
  Volume input;
};

std::vector<LadderInstance> instancesOf(const WorkloadKind& kind) {
  std::vector<LadderInstance> instances;
  for (const LadderCase& one : casesOf(kind.name)) {
    const OptionValues values = completeOptions(kind.options, one.values);
    const ArraySpec spec{kind.input(values), one.extent};
    instances.push_back({one, kind.make(spec, values),
                         noiseVolume({one.extent[0], one.extent[1], one.extent[2], 1}, spec.type, 5, {})});
  }
  return instances;
}

// Each rung with one of the cases that it takes.
std::vector<test::Combination> oneForEachRow(std::size_t rows, std::size_t cases, const test::Sampling& sampling,
                                             const test::Allowed& allowed) {
  std::vector<test::Combination> chosen;
  for (std::size_t row = 0; row < rows; ++row)
    for (const std::size_t at : test::sampleOf(cases, cases, sampling.named("row " + std::to_string(row))))
      if (allowed({0, row, at})) {
        chosen.push_back({0, row, at});
        break;
      }
  return chosen;
}

// A ladder on the engines of a kind: on processors each rung with each level and with each case, and each case on each
// level; on devices, which compile for most cases anew, each rung.
void agreeOn(const TestMachine& machine, const std::vector<Engine*>& engines, const WorkloadKind& kind,
             const std::vector<LadderInstance>& instances, test::Coverage& coverage) {
  if (engines.empty()) return;
  const bool device = engines.front()->info().isDevice();
  const auto rows = machine.variants.rows(kind.name, engines.front()->info().kind);
  const auto sampling = test::Sampling::ofRun().named(kind.name + engines.front()->info().id);
  const test::Allowed allowed = [&](const test::Combination& any) {
    const LadderInstance& instance = instances[any[2]];
    return (!device || instance.one.devices) &&
           coverage.takes(engines[any[0]]->info(), *rows[any[1]], *instance.workload);
  };
  for (const auto& any : device && !sampling.all
                             ? oneForEachRow(rows.size(), instances.size(), sampling, allowed)
                             : coveringArray({engines.size(), rows.size(), instances.size()}, sampling, allowed)) {
    Engine& engine = *engines[any[0]];
    const Variant& row = *rows[any[1]];
    const LadderInstance& instance = instances[any[2]];
    INFO(describeRow(engine, row, *instance.workload) << ", " << test::Sampling::howToRepeat());
    REQUIRE(runRow(engine, machine.variants, row, *instance.workload, instance.input) == "");
    coverage.compared(engine.info(), row);
  }
}

void agreeOn(std::string_view ladder) {
  TestMachine machine;
  const WorkloadKind& kind = *findWorkloadKind(ladder);
  const std::vector<Engine*> engines = machine.chosen();
  if (engines.empty()) SSCOPE_SKIP("no engine that SSCOPE_TEST_ENGINES names");
  test::Coverage coverage(machine.variants, test::infosOf(engines), kind.name);
  const std::vector<LadderInstance> instances = instancesOf(kind);
  std::vector<Engine*> levels = engines;
  std::erase_if(levels, [](const Engine* engine) { return engine->info().isDevice(); });
  agreeOn(machine, levels, kind, instances, coverage);
  for (Engine* engine : engines)
    if (engine->info().isDevice()) agreeOn(machine, {engine}, kind, instances, coverage);
  coverage.requireAll();
}

}  // namespace

TEST_CASE("every rung of the bank agrees with the reference") { agreeOn("bank"); }
TEST_CASE("every rung of conv2d agrees with the reference") { agreeOn("conv2d"); }
TEST_CASE("every rung of the soup agrees with the reference") { agreeOn("soup"); }
TEST_CASE("every rung of the magic filter agrees with the reference") { agreeOn("magic"); }
TEST_CASE("every rung of the wavelet transform agrees with the reference") { agreeOn("dwt"); }

TEST_CASE("no ladder is left out") {
  std::set<std::string> missing;
  for (const WorkloadKind& kind : workloadCatalog())
    if (!kind.extent) missing.insert(kind.name);  // fields on lattices: dirac_agreement_test.cpp
  for (const char* tested : {"bank", "conv2d", "soup", "magic", "dwt"}) missing.erase(tested);
  CHECK(missing == std::set<std::string>{});
}
