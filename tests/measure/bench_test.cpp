#include "core/measure/bench.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "tests/measure/fake_engine.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// Two fake engines and a private cache folder.
struct BenchScene {
  BenchScene() {
    engines.add(std::make_unique<FakeEngine>("cpu:a", EngineKind::Cpu, log));
    engines.add(std::make_unique<FakeEngine>("opencl:0", EngineKind::OpenCl, log));
    EngineInfo absent;
    absent.id = "cuda:0";
    absent.kind = EngineKind::Cuda;
    absent.absentReason = "libcuda.so.1 not found";
    engines.addAbsent(absent);
  }
  std::vector<Measurement> run(const std::vector<BenchRow>& rows, Control control = {}, double batchSeconds = 0) {
    const ConstArrayView view = std::as_const(input).view();
    BenchOptions options;
    options.seconds = 0;
    options.batchSeconds = batchSeconds;
    return runBench(engines, variants, workload, {&view, 1}, rows, options, control);
  }
  PrivateCache cache;
  FakeLog log;
  EngineSet engines;
  VariantTable variants;
  FilterWorkload workload = identityWorkload(8, 8, 4);
  Volume input = randomVolume({8, 8, 4, 1}, ElementType::f32, 1);
};

// Copies beside its kernels; those that run alone take half as long.
class OverlappingPlan final : public FakePlan {
 public:
  using Touch = std::function<void(float*)>;
  OverlappingPlan(std::string engine, FakeLog& log, Touch touch)
      : FakePlan(std::move(engine), copyInput, log), touch_(std::move(touch)) {}
  [[nodiscard]] bool overlapsCopies() const override { return true; }
  [[nodiscard]] ResidentRun runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& /*memory*/,
                                        const Control& control) override {
    const auto [nx, ny, nz, nc] = specs[0].extent;
    auto volume = std::make_shared<Volume>(VolumeShape{nx, ny, nz, static_cast<int>(nc)}, specs[0].type);
    const ArrayView view = volume->view();
    ResidentRun ran{run(inputs, {&view, 1}, control), {}};
    touch_(view.as<float>());
    ran.report.phases.kernel = 0.125;
    ran.outputs.push_back(hostArray(ran.report.engine, std::move(volume)));
    return ran;
  }

 private:
  Touch touch_;
};

// Every second run takes three times as long.
class UnevenPlan final : public FakePlan {
 public:
  UnevenPlan(std::string engine, FakeLog& log, int& runs) : FakePlan(std::move(engine), copyInput, log), runs_(runs) {}
  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    RunReport report = FakePlan::run(inputs, outputs, control);
    report.phases.kernel = ++runs_ % 2 == 0 ? 0.375 : 0.125;
    return report;
  }

 private:
  int& runs_;
};

}  // namespace

TEST_CASE("rows of a benchmark take turns and keep every sample") {
  BenchScene scene;
  addFakeVariant(scene.variants, "copy", EngineKind::Cpu, copyInput, scene.log);
  addFakeVariant(scene.variants, "copy", EngineKind::OpenCl, copyInput, scene.log);
  const auto results = scene.run({{"cpu:a", ""}, {"opencl:0", ""}});
  REQUIRE(results.size() == 2);
  for (const Measurement& m : results) {
    CHECK(m.hasFigures());
    CHECK(m.verification.verified);
    CHECK(m.variant == "copy");
    CHECK(m.samples.size() == kMinimumRepetitions);
    CHECK(m.bytes == Approx(2 * 4 * 256).margin(8));
    REQUIRE(m.share());
  }
  // One run each to check, then A B A B, and one more each to check.
  REQUIRE(scene.log.runs.size() == 2 + 2 * kMinimumRepetitions + 2);
  for (std::size_t i = 0; i < scene.log.runs.size(); ++i)
    CHECK(scene.log.runs[i] == (i % 2 == 0 ? "cpu:a" : "opencl:0"));
  // A device's own clock counts; a processor is charged with the wall.
  CHECK(results[1].spread().median == 0.25);
  CHECK(results[0].spread().median < 0.25);
}

TEST_CASE("kernels that run beside copies are timed without them") {
  BenchScene scene;
  int apart = 0, wrongAt = 0;
  Variant row;
  row.workload = "filter";
  row.name = "slabs";
  row.kind = EngineKind::OpenCl;
  row.prepare = [&](Engine& engine, const Workload&, const PrepareOptions&, const Control&) {
    return std::make_unique<OverlappingPlan>(engine.info().id, scene.log, [&](float* output) {
      if (++apart == wrongAt) output[77] += 0.5F;
    });
  };
  scene.variants.add(std::move(row));
  const auto results = scene.run({{"opencl:0", ""}});
  REQUIRE(results[0].hasFigures());
  CHECK(results[0].samples.size() == kMinimumRepetitions);
  CHECK(results[0].spread().median == 0.125);
  CHECK(results[0].phases.kernel == 0.25);
  CHECK(apart == kMinimumRepetitions + 2);
  for (const int run : {1, kMinimumRepetitions + 2}) {
    apart = 0;
    wrongAt = run;
    const auto wrong = scene.run({{"opencl:0", ""}});
    CHECK_FALSE(wrong[0].hasFigures());
    CHECK(wrong[0].samples.empty());
    CHECK(wrong[0].failed.find("wrong: it differs") != std::string::npos);
  }
}

TEST_CASE("samples of rows too short for the clock are means of several runs") {
  BenchScene scene;
  int runs = 0;
  Variant row;
  row.workload = "filter";
  row.name = "uneven";
  row.kind = EngineKind::OpenCl;
  row.prepare = [&](Engine& engine, const Workload&, const PrepareOptions&, const Control&) {
    return std::make_unique<UnevenPlan>(engine.info().id, scene.log, runs);
  };
  scene.variants.add(std::move(row));
  // One run to check, a few to see how long they are, the samples, and one more to check.
  const auto runsWith = [&](int batch) { return 1 + 3 + kMinimumRepetitions * batch + 1; };
  const auto results = scene.run({{"opencl:0", ""}}, {}, 1);
  REQUIRE(results[0].hasFigures());
  CHECK(runs == runsWith(8));
  CHECK(results[0].batch == 8);
  CHECK(toJson(results[0]).at("batch") == 8);
  CHECK(results[0].samples == std::vector<double>(kMinimumRepetitions, 0.25));
  CHECK(results[0].phases.kernel == 0.25);

  runs = 0;
  const auto longer = scene.run({{"opencl:0", ""}}, {}, 0.1);
  CHECK(runs == runsWith(1));
  CHECK_FALSE(toJson(longer[0]).contains("batch"));
  CHECK(longer[0].spread().maximum == 0.375);

  runs = 0;
  static_cast<void>(scene.run({{"opencl:0", ""}}, {}, 1e-3));  // so long a first run needs no other to be seen
  CHECK(runs == runsWith(1) - 3);
}

TEST_CASE("an output that is wrong, or that nobody wrote, has no figures") {
  for (const bool lazy : {false, true}) {
    BenchScene scene;
    addFakeVariant(
        scene.variants, "off", EngineKind::Cpu,
        [&](const Inputs& inputs, std::span<const ArrayView> outputs) {
          std::copy_n(inputs.arrays[0].as<float>(), inputs.arrays[0].elements() - (lazy ? 1 : 0),
                      outputs[0].as<float>());
          if (!lazy) outputs[0].as<float>()[77] += 0.5F;
        },
        scene.log);
    const auto results = scene.run({{"cpu:a", ""}});
    CHECK_FALSE(results[0].hasFigures());
    CHECK(results[0].samples.empty());
    CHECK(results[0].failed.find("wrong") != std::string::npos);
    CHECK(scene.log.runs.size() == 1);
  }
}

TEST_CASE("the last run of a row is verified as well as the first") {
  BenchScene scene;
  int runs = 0;
  bool lazy = false;
  addFakeVariant(
      scene.variants, "tired", EngineKind::Cpu,
      [&](const Inputs& inputs, std::span<const ArrayView> outputs) {
        ++runs;
        if (lazy && runs == kMinimumRepetitions + 2) return;  // leaves what was there
        copyInput(inputs, outputs);
        if (!lazy && runs == kMinimumRepetitions + 2) outputs[0].as<float>()[77] += 0.5F;
      },
      scene.log);
  for (const bool each : {false, true}) {
    runs = 0;
    lazy = each;
    const auto results = scene.run({{"cpu:a", ""}});
    CHECK_FALSE(results[0].hasFigures());
    CHECK(results[0].samples.empty());
    CHECK(results[0].failed.rfind("the output of the last run is wrong: ", 0) == 0);
    CHECK_FALSE(results[0].verification.verified);
  }
}

TEST_CASE("rows that cannot run are skipped with the reason, those that break down fail alone") {
  BenchScene scene;
  addFakeVariant(scene.variants, "copy", EngineKind::Cpu, copyInput, scene.log);
  addFakeVariant(
      scene.variants, "broken", EngineKind::OpenCl,
      [](const Inputs&, std::span<const ArrayView>) { throw Error(ErrorKind::Device, "the device is lost"); },
      scene.log);
  const auto results = scene.run({{"cuda:0", ""}, {"opencl:0", "copy"}, {"opencl:0", "broken"}, {"cpu:a", "copy"}});
  CHECK(results[0].skipped == "libcuda.so.1 not found");
  CHECK(results[1].skipped.find("broken") != std::string::npos);
  CHECK(results[2].failed == "the device is lost");
  CHECK(results[3].hasFigures());
}

TEST_CASE("a peer may define the filter in another way, within limits") {
  BenchScene scene;
  scene.engines.add(std::make_unique<FakeEngine>("peer:x", EngineKind::Peer, scene.log));
  const auto scaledBy = [](float factor) {
    return [factor](const Inputs& inputs, std::span<const ArrayView> outputs) {
      copyInput(inputs, outputs);
      for (std::int64_t i = 0; i < outputs[0].elements(); ++i) outputs[0].as<float>()[i] *= factor;
    };
  };
  addFakeVariant(scene.variants, "near", EngineKind::Peer, scaledBy(1.001F), scene.log);
  addFakeVariant(scene.variants, "far", EngineKind::Peer, scaledBy(1.1F), scene.log);
  addFakeVariant(scene.variants, "near", EngineKind::Cpu, scaledBy(1.001F), scene.log);
  const auto results = scene.run({{"peer:x", "near"}, {"peer:x", "far"}, {"cpu:a", "near"}});
  CHECK(results[0].hasFigures());
  CHECK(results[0].approximate);
  CHECK(!results[0].verification.verified);
  CHECK(results[0].ceilingsOf == "cpu:a");
  CHECK(!results[1].failed.empty());
  CHECK(!results[2].failed.empty());  // ours must be right
}

TEST_CASE("buffers take turns so that data does not stay in the caches") {
  BenchScene scene;
  std::vector<const std::byte*> inputs, outputs;
  addFakeVariant(
      scene.variants, "copy", EngineKind::Cpu,
      [&](const Inputs& in, std::span<const ArrayView> out) {
        inputs.push_back(in.arrays[0].data);
        outputs.push_back(out[0].data);
        copyInput(in, out);
      },
      scene.log);
  const auto results = scene.run({{"cpu:a", ""}});
  CHECK(results[0].caches.rfind("cold", 0) == 0);
  const auto distinct = [](std::vector<const std::byte*> list) {
    std::sort(list.begin(), list.end());
    return std::unique(list.begin(), list.end()) - list.begin();
  };
  CHECK(distinct(inputs) == kMinimumRepetitions + 1);
  CHECK(distinct(outputs) == kMinimumRepetitions + 1);
}

TEST_CASE("ceilings are measured once and then remembered") {
  BenchScene scene;
  addFakeVariant(scene.variants, "copy", EngineKind::Cpu, copyInput, scene.log);
  static_cast<void>(scene.run({{"cpu:a", ""}}));
  const auto again = scene.run({{"cpu:a", ""}});
  CHECK(scene.log.ceilings == 1);
  REQUIRE(again[0].ceilings);
  CHECK(again[0].ceilings->gbs == 1e6);
}

TEST_CASE("ceilings of an earlier process are measured again beside the race") {
  BenchScene scene;
  addFakeVariant(scene.variants, "copy", EngineKind::Cpu, copyInput, scene.log);
  scene.log.ceilingsDate = "2001-01-01T00:00:00Z";
  static_cast<void>(scene.run({{"cpu:a", ""}}));
  scene.log.gbs = 2e6;
  const auto again = scene.run({{"cpu:a", ""}});
  REQUIRE(again[0].ceilings);
  CHECK(again[0].ceilings->gbs == 2e6);
  // A lower figure does not replace a higher one: both were measured.
  scene.log.gbs = 1e6;
  CHECK(scene.run({{"cpu:a", ""}})[0].ceilings->gbs == 2e6);
}

TEST_CASE("ceilings that a row surpasses are measured again") {
  BenchScene scene;
  addFakeVariant(scene.variants, "copy", EngineKind::Cpu, copyInput, scene.log);
  scene.log.gbs = 1e-9;
  static_cast<void>(scene.run({{"cpu:a", ""}}));
  CHECK(scene.log.ceilings == 2);
}

TEST_CASE("a benchmark that is stopped says so") {
  BenchScene scene;
  std::stop_source stop;
  int runs = 0;
  addFakeVariant(
      scene.variants, "copy", EngineKind::Cpu,
      [&](const Inputs& in, std::span<const ArrayView> out) {
        copyInput(in, out);
        if (++runs == 3) stop.request_stop();
      },
      scene.log);
  CHECK_THROWS_AS(scene.run({{"cpu:a", ""}}, {stop.get_token(), {}}), Canceled);
  CHECK(runs == 3);
}
