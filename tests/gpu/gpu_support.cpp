// Before the next, which leaves listeners out.
#include "tests/support/catch_listener.h"

#include "tests/gpu/gpu_support.h"

#include <cstdlib>
#include <limits>

#include "gpu/gpu_engines.h"
#include "tests/gpu/remembered_device.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

std::unique_ptr<GpuBench> GpuBench::bench;

namespace {
struct CloseAtEnd : Catch::EventListenerBase {
  using Catch::EventListenerBase::EventListenerBase;
  void testRunEnded(const Catch::TestRunStats&) override { GpuBench::close(); }
};
CATCH_REGISTER_LISTENER(CloseAtEnd)
}  // namespace

GpuBench::GpuBench() {
  addGpuEngines(engines_, observed);
  addGpuVariants(variants_);
}

GpuBench& GpuBench::instance() {
  if (!bench) bench.reset(new GpuBench);
  return *bench;
}

void GpuBench::close() { bench.reset(); }

std::vector<Engine*> GpuBench::devices() const {
  const char* wanted = std::getenv("SSCOPE_TEST_ENGINES");
  std::vector<Engine*> devices = engines_.available();
  if (wanted != nullptr)
    std::erase_if(devices, [&](const Engine* engine) { return !engine->info().id.starts_with(wanted); });
  if (devices.empty()) devices.push_back(nullptr);
  return devices;
}

PlanRun runOn(Engine& engine, const Workload& workload, const Volume& input, const std::string& variant,
              const PrepareOptions& options, std::uint64_t identity, const Control& control) {
  const auto plan = GpuBench::instance().variants().prepare(engine, workload, variant, options, control);
  if (identity == 0) forgetBuffers(engine);
  return runOnce(*plan, workload, input, identity, control);
}

void requireRight(const Workload& workload, const Volume& input, const PlanRun& run) {
  requireRight(Variant{}, workload, input, run);
}

void requireRight(const Variant& row, const Workload& workload, const Volume& input, const PlanRun& run) {
  const ConstArrayView in = input.view();
  const Verification result = verify(row, workload, {&in, 1}, run.views(), {}, {});
  INFO(result.failure);
  REQUIRE(result.verified);
}

Volume noiseWithNanAndInf() {
  Volume volume = randomVolume({40, 30, 20, 1}, ElementType::f32, 5);
  const ArrayView view = volume.view();
  const auto put = [&](std::int64_t x, std::int64_t y, std::int64_t z, float value) {
    view.as<float>()[view.offset(x, y, z)] = value;
  };
  put(3, 4, 5, std::numeric_limits<float>::quiet_NaN());
  put(20, 29, 19, std::numeric_limits<float>::infinity());
  put(0, 0, 0, -std::numeric_limits<float>::infinity());
  return volume;
}

}  // namespace sscope::test
