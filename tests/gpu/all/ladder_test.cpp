// The ladders on devices: small enough for a simulator, their parameters, cancel and memory.

#include <chrono>
#include <thread>

#include "core/base/stopwatch.h"
#include "core/workload/catalog.h"
#include "gpu/device/kernel_source.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/oclgrind_device.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

std::unique_ptr<Workload> smallWorkload(const WorkloadKind& kind, std::array<std::int64_t, 4> extent,
                                        OptionValues values = {}) {
  if (kind.dimensions == 2) extent[2] = 1;
  if (kind.extent) {  // a lattice has a fourth extent
    // A solver launches much more on each site than the operator that it is made of.
    const bool solver = findOption(kind.options, "iterations") != nullptr;
    extent = {solver ? 2 : 3, 2, 2, 1};
    values["time"] = std::int64_t{2};
    if (solver) values["iterations"] = std::int64_t{2};
  }
  values = completeOptions(kind.options, values);
  return kind.make(kind.inputSpec({extent[0], extent[1], extent[2]}, values), values);
}

void requireRung(Engine& engine, const Variant& row, const Workload& workload, const OptionValues& values = {}) {
  const ArraySpec spec = workload.inputs()[0];
  const auto& extent = spec.extent;
  const Volume input = randomVolume({extent[0], extent[1], extent[2], static_cast<int>(extent[3])}, spec.type, 3);
  std::string text = std::string(workload.name()) + "/" + row.name + " on " + engine.info().id;
  for (const auto& [name, value] : values) text += " " + name + "=" + formatOption(value);
  INFO(text);
  PrepareOptions options;
  options.values = values;
  const PlanRun run = runOn(engine, workload, input, row.name, options);
  CHECK(run.report.variant == row.name);
  if (row.twinOf.empty()) {
    requireRight(row, workload, input, run);
  } else {
    CHECK(sameBits(run.outputs[0], input));
  }
}

// A rung that wants the texture units would refuse a device without them.
bool readsPictures(const Variant& row, const EngineInfo& engine, const Workload& workload) {
  EngineInfo blind = engine;
  blind.largestImage = 0;
  return !row.unsupported(blind, workload).empty();
}

// The rungs of all ladders that read pictures, or those that do not; how many there are. A simulator looks at all of
// them, other devices run one in six, as tests/agreement has each on every engine.
int requireTinyRungs(Engine& engine, bool pictures) {
  const bool all = takesAll() || isOclgrind(dynamic_cast<DeviceEngine&>(engine).device());
  const std::size_t shares = all ? 1 : 6;
  std::size_t turn = firstTurn();
  int count = 0;
  for (const WorkloadKind& kind : workloadCatalog()) {
    if (kind.name == "magic") continue;  // has tests of its own, for a simulator, too
    OptionValues values;
    for (const auto& [name, size] : {std::pair{"size", 3}, {"filters", 2}, {"width", 5}, {"height", 4}})
      if (findOption(kind.options, name) != nullptr) values[name] = std::int64_t{size};
    const auto workload = smallWorkload(kind, {21, 6, 2, 1}, values);
    for (const Variant* row : GpuBench::instance().variants().rows(kind.name, engine.info().kind)) {
      if (readsPictures(*row, engine.info(), *workload) != pictures) continue;
      REQUIRE(row->unsupported(engine.info(), *workload) == "");
      ++count;
      if (turn++ % shares == 0) requireRung(engine, *row, *workload);
    }
  }
  return count;
}

}  // namespace

// Also run by oclgrind, see CMakeLists.txt.
TEST_CASE("every rung of every ladder runs on tiny images", "[tiny][rungs]") {
  SSCOPE_EACH_DEVICE(engine);
  INFO(Sampling::howToRepeat());
  CHECK(requireTinyRungs(*engine, false) >= 4);
}

TEST_CASE("every rung that reads pictures runs on a tiny one", "[pictures]") {
  SSCOPE_EACH_DEVICE(engine);
  if (engine->info().largestImage == 0) SSCOPE_SKIP(engine->info().id + " has no images");
  INFO(Sampling::howToRepeat());
  CHECK(requireTinyRungs(*engine, true) >= 4);
}

TEST_CASE("every candidate for tuning gives the right result", "[ladder]") {
  SSCOPE_EACH_DEVICE(engine);
  INFO(Sampling::howToRepeat());
  std::size_t tunable = 0;
  for (const WorkloadKind& kind : workloadCatalog()) {
    if (GpuBench::instance().variants().rows(kind.name, engine->info().kind).empty()) continue;
    OptionValues values;
    for (const auto& [name, size] : {std::pair{"size", 3}, {"filters", 9}, {"width", 5}, {"height", 4}})
      if (findOption(kind.options, name) != nullptr) values[name] = std::int64_t{size};
    const auto workload = smallWorkload(kind, {48, 70, 3, 1}, values);
    for (const Variant* row : GpuBench::instance().variants().rows(kind.name, engine->info().kind)) {
      if (!row->candidates) continue;
      ++tunable;
      const std::vector<OptionValues> candidates = row->candidates(engine->info(), *workload);
      REQUIRE(candidates.size() >= 2);
      REQUIRE(candidates.size() <= kMostCandidates);
      CHECK(candidates[0].empty());
      requireRung(*engine, *row, *workload, candidates[0]);
      const std::vector<OptionValues> others(candidates.begin() + 1, candidates.end());
      for (const OptionValues& one : sampled(others, tunable)) requireRung(*engine, *row, *workload, one);
    }
  }
  CHECK(tunable >= 4);
}

TEST_CASE("every parameter of every rung gives the same result at its ends", "[ladder]") {
  SSCOPE_EACH_DEVICE(engine);
  INFO(Sampling::howToRepeat());
  constexpr std::size_t kShares = 3;  // each value is a kernel of its own
  std::size_t turn = firstTurn();
  for (const WorkloadKind& kind : workloadCatalog()) {
    if (GpuBench::instance().variants().rows(kind.name, engine->info().kind).empty()) continue;
    const auto workload = smallWorkload(kind, {75, 37, 3, 1});
    for (const Variant* row : GpuBench::instance().variants().rows(kind.name, engine->info().kind)) {
      if (!row->unsupported(engine->info(), *workload).empty()) continue;
      for (const Option& option : row->options) {
        std::vector<OptionValue> values(option.choices.begin(), option.choices.end());
        if (option.type == OptionType::Integer)
          for (const std::int64_t value : {1, 5, 32})
            if (static_cast<double>(value) <= option.maximum && static_cast<double>(value) >= option.minimum)
              values.emplace_back(value);
        if (values.empty() || (!takesAll() && turn++ % kShares != 0)) continue;
        for (const OptionValue& value : sampled(values, turn))
          requireRung(*engine, *row, *workload, {{option.name, value}});
      }
    }
  }
}

TEST_CASE("a rung says what it cannot do", "[ladder]") {
  SSCOPE_EACH_DEVICE(engine);
  const VariantTable& table = GpuBench::instance().variants();
  const WorkloadKind& bank = *findWorkloadKind("bank");
  const EngineKind kind = engine->info().kind;
  const auto reason = [&](const char* variant, std::int64_t filters, std::int64_t size) {
    return table.at("bank", kind, variant)
        .unsupported(engine->info(), *smallWorkload(bank, {20, 9, 4, 1}, {{"filters", filters}, {"size", size}}));
  };
  CHECK(reason("naive-vector", 5, 3).find("1, 2, 3, 4, 8 and 16") != std::string::npos);
  CHECK(reason("unrolled", 3, 3).find("1, 2, 4, 8, 16 and 32") != std::string::npos);
  CHECK(reason("naive-array", 5, 3).empty());
  const auto workload = smallWorkload(bank, {20, 9, 4, 1}, {{"size", std::int64_t{7}}});
  PrepareOptions options;
  options.values = {{"unroll", std::int64_t{35}}};
  CHECK_THROWS_WITH(table.prepare(*engine, *workload, "unrolled", options, {}),
                    Catch::Matchers::ContainsSubstring("< 42"));
  options.values = {{"group_x", std::int64_t{1024}}, {"group_y", std::int64_t{1024}}};
  CHECK_THROWS_WITH(table.prepare(*engine, *workload, "naive-array", options, {}),
                    Catch::Matchers::ContainsSubstring("1024 x 1024"));
  options = {};
  options.deviceMemoryLimit = 4096;
  CHECK_THROWS_WITH(table.prepare(*engine, *workload, "naive-array", options, {}),
                    Catch::Matchers::ContainsSubstring("MiB"));
}

TEST_CASE("integer outputs of the bank count what was saturated", "[ladder]") {
  SSCOPE_EACH_DEVICE(engine);
  const auto workload = smallWorkload(*findWorkloadKind("bank"), {19, 8, 5, 1},
                                      {{"filters", std::int64_t{4}}, {"output", std::string("u8")}});
  const auto& bank = dynamic_cast<const FilterWorkload&>(*workload);
  const Volume input = randomVolume({19, 8, 5, 1}, ElementType::u8, 3);
  std::vector<std::int64_t> first;
  for (const char* variant : {"naive-array", "naive-vector", "unrolled"}) {
    const PlanRun run = runOn(*engine, bank, input, variant);
    requireRight(bank, input, run);
    if (first.empty()) first = run.report.saturated;
    CHECK(run.report.saturated == first);
  }
  CHECK(*std::max_element(first.begin(), first.end()) > 0);
}

TEST_CASE("arrays that do not match a rung are refused", "[ladder]") {
  SSCOPE_EACH_DEVICE(engine);
  const auto workload = smallWorkload(*findWorkloadKind("soup"), {21, 6, 1, 1});
  const Volume input = randomVolume({21, 6, 1, 1}, ElementType::u8, 1),
               low = randomVolume({21, 5, 1, 1}, ElementType::u8, 1);
  Volume output({21, 6, 1, 1}, ElementType::u8), wide({21, 6, 1, 1}, ElementType::f32);
  for (const char* rung : {"naive", "tuned"}) {
    const auto plan = GpuBench::instance().variants().prepare(*engine, *workload, rung, {}, {});
    const auto run = [&](const Volume& from, Volume& to, std::size_t outputs) {
      const ConstArrayView in = from.view();
      const std::vector<ArrayView> out(outputs, to.view());
      return plan->run({{&in, 1}, 0}, out, {});
    };
    CHECK_NOTHROW(run(input, output, 1));
    CHECK_THROWS_AS(run(low, output, 1), Error);
    CHECK_THROWS_AS(run(input, wide, 1), Error);
    CHECK_THROWS_AS(run(input, output, 2), Error);
  }
}

TEST_CASE("what a search found is known by the text of the kernels", "[ladder]") {
  const auto code = [](const char* header, const char* one, const char* two) {
    const std::vector<KernelFile> files{{"prelude.h", header}, {"one.kernel", one}, {"two.kernel", two}};
    const std::vector<std::string_view> kernels{"one"};
    return kernelCode(files, kernels);
  };
  const std::string before = code("a", "b", "c");
  CHECK(before == code("a", "b", "another"));
  CHECK(before != code("a", "another", "c"));
  CHECK(before != code("another", "b", "c"));
  CHECK_THROWS_AS(kernelCode({}, std::vector<std::string_view>{"one"}), Error);
  if (eachDevice() == nullptr) SSCOPE_SKIP("there is no device");
  for (const Variant& row : GpuBench::instance().variants().rows())
    if (row.candidates) CHECK(row.code.size() == before.size());
}

TEST_CASE("a stop request ends a long rung and the engine works on", "[ladder]") {
  SSCOPE_EACH_DEVICE(engine);
  const auto workload = smallWorkload(*findWorkloadKind("bank"), {96, 96, 96, 1}, {{"size", std::int64_t{9}}});
  const auto& bank = dynamic_cast<const FilterWorkload&>(*workload);
  const Volume input = randomVolume({96, 96, 96, 1}, ElementType::u8, 1);
  std::stop_source source;
  Control control;
  control.stop = source.get_token();
  double furthest = 0;
  control.progress = [&](double fraction, std::string_view) {
    furthest = std::max(furthest, fraction);
    source.request_stop();  // as soon as the first launch is done
  };
  CHECK_THROWS_AS(runOn(*engine, bank, input, "naive-array", {}, 0, control), Canceled);
  CHECK(furthest < 0.9);
  const auto next = smallWorkload(*findWorkloadKind("bank"), {9, 9, 9, 1}, {{"size", std::int64_t{3}}});
  const auto& small = dynamic_cast<const FilterWorkload&>(*next);
  const Volume data = randomVolume({9, 9, 9, 1}, ElementType::u8, 1);
  requireRight(small, data, runOn(*engine, small, data, "naive-array"));
}

}  // namespace sscope::test
