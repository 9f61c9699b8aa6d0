// A benchmark finds plans that compute nothing, although the device still holds what an earlier run computed.

#include <atomic>

#include "core/filter/workload/filter_workload.h"
#include "core/measure/bench.h"
#include "gpu/opencl/opencl_device.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/forwarding_device.h"

namespace sscope::test {

namespace {

// Passes for a graphics processor, whose kernels do nothing while it is idle.
class IdleDevice final : public ForwardingDevice {
 public:
  IdleDevice(std::unique_ptr<Device> device, const std::atomic<bool>& idle)
      : ForwardingDevice(std::move(device)), properties_(this->device().properties()), idle_(idle) {
    properties_.cpu = false;
  }
  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
  std::unique_ptr<DeviceEvent> launch(DeviceKernel& kernel, const LaunchShape& shape,
                                      std::span<const KernelArgument> arguments) override {
    if (idle_) return std::make_unique<Ended>();
    return ForwardingDevice::launch(kernel, shape, arguments);
  }
  std::unique_ptr<DeviceEvent> launchInRow(std::span<const KernelLaunch> launches, Queue queue) override {
    if (idle_) return std::make_unique<Ended>();
    return ForwardingDevice::launchInRow(launches, queue);
  }

 private:
  struct Ended final : DeviceEvent {
    bool done() override { return true; }
    double seconds() override { return 1e-6; }
    double startsAfter(DeviceEvent&) override { return 0; }
  };
  DeviceProperties properties_;
  const std::atomic<bool>& idle_;
};

// Which runs of another plan compute nothing.
enum class Idles { Never, Runs, KeptRuns };

class IdlePlan final : public Plan {
 public:
  IdlePlan(std::unique_ptr<Plan> plan, const Idles& who, std::atomic<bool>& idle)
      : plan_(std::move(plan)), who_(who), idle_(idle) {}
  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    idle_ = who_ == Idles::Runs;
    RunReport report = plan_->run(inputs, outputs, control);
    idle_ = false;
    return report;
  }
  [[nodiscard]] ResidentRun runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                                        const Control& control) override {
    idle_ = who_ == Idles::KeptRuns;
    ResidentRun ran = plan_->runResident(inputs, specs, memory, control);
    idle_ = false;
    return ran;
  }
  [[nodiscard]] bool overlapsCopies() const override { return plan_->overlapsCopies(); }
  [[nodiscard]] std::int64_t scratchBytes() const override { return plan_->scratchBytes(); }
  [[nodiscard]] std::string description() const override { return plan_->description(); }

 private:
  std::unique_ptr<Plan> plan_;
  const Idles& who_;
  std::atomic<bool>& idle_;
};

}  // namespace

TEST_CASE("a benchmark finds runs that write nothing where an earlier run's result lies", "[idle]") {
  const GpuBench& bench = GpuBench::instance();
  auto devices = findOpenClDevices().devices;
  if (devices.empty()) SSCOPE_SKIP("there is no OpenCL device");
  TemporaryFolder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  std::atomic<bool> idle = false;
  Idles who = Idles::Never;
  EngineSet engines;
  engines.add(std::make_unique<DeviceEngine>("opencl:0", EngineKind::OpenCl,
                                             std::make_unique<IdleDevice>(std::move(devices.front()), idle)));
  VariantTable variants;
  Variant row = bench.variants().at("filter", EngineKind::OpenCl, "separable");
  row.prepare = [&, prepare = row.prepare](Engine& engine, const Workload& workload, const PrepareOptions& options,
                                           const Control& control) -> std::unique_ptr<Plan> {
    return std::make_unique<IdlePlan>(prepare(engine, workload, options, control), who, idle);
  };
  variants.add(std::move(row));
  // Large enough for slabs, so that there are runs whose results stay.
  const Volume input = randomVolume({64, 64, 150, 1}, ElementType::f32, 5);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  const ConstArrayView view = input.view();
  BenchOptions how;
  how.seconds = 0;
  how.measureCeilings = how.emptyCaches = false;
  const auto failureWhere = [&](Idles lazy, const std::string& stage) {
    who = Idles::Never;
    const Control control{{}, [&](double, std::string_view words) {
                            if (words.find(stage) != std::string_view::npos) who = lazy;
                          }};
    return runBench(engines, variants, workload, {&view, 1}, {{"opencl:0", "separable"}}, how, control)[0].failed;
  };
  CHECK(failureWhere(Idles::Never, "round").empty());
  // After the first run, which the others may find the result of.
  CHECK(failureWhere(Idles::Runs, "round").starts_with("the output of the last run is wrong: "));
  CHECK(failureWhere(Idles::KeptRuns, "round").starts_with("the output of the last run is wrong: it differs"));
  // From the first run on, after another row or benchmark that computed the same.
  CHECK(failureWhere(Idles::Runs, "checking").starts_with("the output is wrong: "));
  CHECK(failureWhere(Idles::KeptRuns, "checking").starts_with("the output is wrong: it differs"));
}

}  // namespace sscope::test
