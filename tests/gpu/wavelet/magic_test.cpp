// The magic filter on devices: every rung with any number of taps, in both directions, on shapes that no block divides.

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/wavelet/workload/magic_workload.h"
#include "core/workload/catalog.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

MagicWorkload magicOf(const std::array<std::int64_t, 3>& n, const OptionValues& values) {
  return {{ElementType::f64, {n[0], n[1], n[2], 1}}, completeOptions(MagicWorkload::options(), values)};
}

OptionValue text(const char* t) { return std::string(t); }

// `count` taps without any symmetry.
OptionValue tapsFile(const TemporaryFolder& folder, int count) {
  const auto path = folder.path() / (std::to_string(count) + ".txt");
  std::ofstream file(path);
  file.precision(17);
  for (int k = 0; k < count; ++k) file << std::sin(1.3 * k + 0.4) / count << "\n";
  return path.string();
}

// A simulator multiplies and compiles each tap of a loop that is unrolled. With this many, groups have as many work
// items as with 16, and halos around them.
constexpr int kTinyTaps = 4;

// Every rung that takes it, which are all but the one of the other direction; of workloads that are `turn`s in a row,
// each rung takes one in `shares`.
void requireRungs(Engine& engine, const MagicWorkload& workload, std::size_t turn = 0, std::size_t shares = 1) {
  if (takesAll()) shares = 1;
  turn += Sampling::ofRun().named("shares").seed % shares;
  const auto& e = workload.input().extent;
  const Volume input = randomVolume({e[0], e[1], e[2], 1}, ElementType::f64, 11);
  for (const Variant* row : GpuBench::instance().variants().rows("magic", engine.info().kind)) {
    const std::string reason = row->unsupported(engine.info(), workload);
    CHECK(reason.empty() == (row->name != "magic-inverse" || workload.inverse()));
    if (turn++ % shares != 0 || !reason.empty()) continue;
    INFO(row->name << " on " << engine.info().id << ", " << workload.parameters().dump() << ", " << e[0] << " x "
                   << e[1] << " x " << e[2]);
    const PlanRun run = runOn(engine, workload, input, row->name);
    CHECK(run.report.variant == row->name);
    CHECK(run.report.operations == workload.work().operations);
    requireRight(workload, input, run);
  }
}

}  // namespace

// Also run by oclgrind, see CMakeLists.txt.
TEST_CASE("every rung of the magic filter runs on tiny arrays in both directions", "[tiny]") {
  SSCOPE_EACH_DEVICE(engine);
  const TemporaryFolder folder;
  const OptionValue taps = tapsFile(folder, kTinyTaps);
  requireRungs(*engine, magicOf({18, 3, 2}, {{"taps", taps}, {"direction", text("inverse")}}));
  requireRungs(*engine, magicOf({33, 2, 2}, {{"taps", taps}}));
  requireRungs(*engine, magicOf({21, 18, 1}, {{"taps", taps}, {"passes", text("lines")}, {"transposed", true}}));
  requireRungs(*engine, magicOf({40, 3, 1}, {{"taps", taps}, {"passes", text("lines")}}));
}

TEST_CASE("the magic filter runs all axes, or two of them, at once", "[tiny]") {
  SSCOPE_EACH_DEVICE(engine);
  const TemporaryFolder folder;
  const MagicWorkload workload = magicOf({26, 3, 2}, {{"taps", tapsFile(folder, kTinyTaps)}});
  const Volume input = randomVolume({26, 3, 2, 1}, ElementType::f64, 2);
  for (const char* method : {"fused", "planes"}) {
    PrepareOptions options;
    options.values = {{"method", text(method)}};
    requireRight(workload, input, runOn(*engine, workload, input, "tuned", options));
  }
}

TEST_CASE("the magic filter runs all axes at once on every tile", "[magic]") {
  SSCOPE_EACH_DEVICE(engine);
  INFO(Sampling::howToRepeat());
  const Variant& row = GpuBench::instance().variants().at("magic", engine->info().kind, "tuned");
  for (const std::int64_t nx : {26, 19}) {
    const MagicWorkload workload = magicOf({nx, 35, 4}, {});
    const Volume input = randomVolume({nx, 35, 4, 1}, ElementType::f64, 2);
    const std::vector<OptionValues> candidates = row.candidates(engine->info(), workload);
    for (const OptionValues& one : sampled(candidates, nx == 19 ? 1 : 0, (candidates.size() + 4) / 5)) {
      PrepareOptions options;
      options.values = one;
      if (nx == 19) options.values["walk"] = std::int64_t{3};  // for those that pass by pass do not mind
      requireRight(workload, input, runOn(*engine, workload, input, "tuned", options));
    }
  }
}

TEST_CASE("every rung of the magic filter takes 2 to 64 taps", "[magic]") {
  SSCOPE_EACH_DEVICE(engine);
  const TemporaryFolder folder;
  INFO(Sampling::howToRepeat());
  // Taps are part of the text of a kernel: each rung takes two of these 28, one in each direction.
  constexpr std::size_t kShares = 14;
  std::size_t turn = 0;
  for (const int count : {2, 3, 7, 17, 20, 33, 64})
    for (const char* direction : {"forward", "inverse"}) {
      requireRungs(*engine, magicOf({37, 20, 9}, {{"taps", tapsFile(folder, count)}, {"direction", text(direction)}}),
                   turn++, kShares);
      requireRungs(*engine,
                   magicOf({70, 5, 3}, {{"taps", tapsFile(folder, count)},
                                        {"direction", text(direction)},
                                        {"passes", text("lines")},
                                        {"transposed", true}}),
                   turn++, kShares);
    }
}

TEST_CASE("all axes at once take up to 24 taps, walks of any length, and say what they do not", "[magic]") {
  SSCOPE_EACH_DEVICE(engine);
  const TemporaryFolder folder;
  const Volume input = randomVolume({50, 34, 37, 1}, ElementType::f64, 4);
  PrepareOptions options;
  options.values = {{"method", text("fused")}};
  INFO(Sampling::howToRepeat());
  std::size_t turn = 0;
  for (const int count : sampled(std::array{2, 3, 9, 16, 18, 24}, firstTurn(), 2))
    for (const char* method : sampled(std::array{"fused", "planes"}, turn++)) {
      options.values["method"] = text(method);
      const MagicWorkload workload = magicOf({50, 34, 37}, {{"taps", tapsFile(folder, count)}});
      for (const int walk : sampled(std::array{0, 1, 10, 37, 100}, turn, 2)) {
        options.values["walk"] = std::int64_t{walk};
        const PlanRun run = runOn(*engine, workload, input, "tuned", options);
        requireRight(workload, input, run);
        CHECK(run.report.executedOperations > run.report.operations);
      }
    }
  const auto refused = [&](const MagicWorkload& workload) {
    return GpuBench::instance().variants().prepare(*engine, workload, "tuned", options, {});
  };
  CHECK_THROWS_WITH(refused(magicOf({50, 34, 37}, {{"taps", tapsFile(folder, 25)}})),
                    Catch::Matchers::ContainsSubstring("24 taps"));
  CHECK_THROWS_WITH(refused(magicOf({50, 34, 37}, {{"passes", text("lines")}})),
                    Catch::Matchers::ContainsSubstring("one pass"));
}

TEST_CASE("the magic filter tells what it needs and refuses what does not fit", "[magic]") {
  SSCOPE_EACH_DEVICE(engine);
  const VariantTable& table = GpuBench::instance().variants();
  PrepareOptions options;
  options.deviceMemoryLimit = 4096;
  const MagicWorkload workload = magicOf({20, 9, 4}, {});
  CHECK_THROWS_WITH(table.prepare(*engine, workload, "magic", options, {}), Catch::Matchers::ContainsSubstring("MiB"));
  EngineInfo single = engine->info();
  single.fp64 = false;
  for (const Variant* row : table.rows("magic", engine->info().kind))
    CHECK(row->unsupported(single, workload).find("double precision") != std::string::npos);
  const auto plan = table.prepare(*engine, workload, "magic", {}, {});
  const Volume wrong = randomVolume({20, 9, 5, 1}, ElementType::f64, 1);
  Volume output({20, 9, 4, 1}, ElementType::f64);
  const ConstArrayView in = wrong.view();
  const ArrayView out = output.view();
  CHECK_THROWS_AS(plan->run({{&in, 1}, 0}, {&out, 1}, {}), Error);
  CHECK(plan->description().find("three") == std::string::npos);
}

}  // namespace sscope::test
