// Coefficients that stay on their device: the same bits as through the host, and nothing but slices is copied while a
// threshold moves.

#include <array>
#include <atomic>
#include <cstring>

#include "core/options/option.h"
#include "core/volume/volume.h"
#include "core/wavelet/job/wavelet_job.h"
#include "core/wavelet/threshold.h"
#include "core/wavelet/workload/dwt_workload.h"
#include "gpu/opencl/opencl_device.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/forwarding_device.h"
#include "tests/support/sampling.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

namespace {

struct DenoiseCase {
  VolumeShape shape;
  ElementType type;
  std::int64_t levels, dimensions;
};

Volume volumeFor(const ArraySpec& spec) { return {{spec.extent[0], spec.extent[1], spec.extent[2], 1}, spec.type}; }

std::unique_ptr<Plan> planFor(Engine& engine, const Workload& workload, const std::string& variant) {
  return GpuBench::instance().variants().prepare(engine, workload, variant, {}, {});
}

// Through the host's memory.
Volume ran(Plan& plan, const Workload& workload, const Volume& input) {
  Volume output = volumeFor(workload.outputs()[0]);
  std::memset(output.data(), 0xFF, static_cast<std::size_t>(output.bytes()));
  const ConstArrayView in = input.view();
  const ArrayView out = output.view();
  plan.run({{&in, 1}, 0}, {&out, 1}, {});
  return output;
}

// Passes for a graphics processor and counts what is copied.
class CountingDevice final : public ForwardingDevice {
 public:
  struct Copied {
    std::atomic<std::int64_t> up = 0, down = 0;
  };
  CountingDevice(std::unique_ptr<Device> device, Copied& copied)
      : ForwardingDevice(std::move(device)), properties_(this->device().properties()), copied_(copied) {
    properties_.cpu = false;
  }
  using ForwardingDevice::write;
  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
  std::unique_ptr<DeviceEvent> write(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data,
                                     Queue queue) override {
    copied_.up += std::ssize(data);
    return ForwardingDevice::write(buffer, offset, data, queue);
  }
  std::unique_ptr<DeviceEvent> read(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data,
                                    Queue queue) override {
    copied_.down += std::ssize(data);
    return ForwardingDevice::read(buffer, offset, data, queue);
  }

 private:
  DeviceProperties properties_;
  Copied& copied_;
};

double largestDifference(const Volume& a, const Volume& b) {
  REQUIRE(a.shape() == b.shape());
  double largest = 0;
  for (std::int64_t z = 0; z < a.shape().nz; ++z)
    for (std::int64_t y = 0; y < a.shape().ny; ++y)
      for (std::int64_t x = 0; x < a.shape().nx; ++x)
        largest = std::max(largest, std::abs(a.value(x, y, z, 0) - b.value(x, y, z, 0)));
  return largest;
}

}  // namespace

TEST_CASE("thresholds on the device give the bits of thresholds on the host", "[denoise]") {
  SSCOPE_EACH_DEVICE(engine);
  const DenoiseCase one =
      GENERATE(DenoiseCase{{40, 24, 16}, ElementType::f32, 3, 0}, DenoiseCase{{33, 18, 1}, ElementType::f32, 1, 0},
               DenoiseCase{{20, 12, 7}, ElementType::f64, 2, 2});
  const bool doubles = engine->info().fp64;
  if (!doubles && one.type == ElementType::f64) return;
  INFO(Sampling::howToRepeat());
  const auto variants =
      sampled(std::array{std::string("naive"), std::string("tuned")}, static_cast<std::size_t>(one.levels));
  const std::string variant = GENERATE_REF(Catch::Generators::from_range(variants));
  INFO(engine->info().id << " " << variant << " " << one.shape.text());
  OptionValues values{{"levels", one.levels}, {"dimensions", one.dimensions}, {"wavelet", std::string("db2")}};
  const Volume input = randomVolume(one.shape, one.type, 3);
  const DwtWorkload there(input.spec(), completeOptions(DwtWorkload::options(), values));
  values["direction"] = std::string("inverse");
  const DwtWorkload back(there.outputs()[0], completeOptions(DwtWorkload::options(), values));
  const auto forward = planFor(*engine, there, variant), inverse = planFor(*engine, back, variant);
  const Volume coefficients = ran(*forward, there, input);

  VolumePool pool;
  const ConstArrayView in = input.view();
  const std::vector<ArraySpec> specs = there.outputs();
  const ResidentRun kept = forward->runResident({{&in, 1}, 0}, specs, pool, {});
  CHECK(kept.outputs[0]->deviceBytes() > 0);
  CHECK(sameBits(*kept.outputs[0]->host({}), coefficients));

  auto* const resident = dynamic_cast<ResidentInverse*>(inverse.get());
  REQUIRE(resident != nullptr);
  std::vector<double> each;
  for (std::size_t band = 0; band < there.pyramid().bands().size(); ++band)
    each.push_back(doubles ? 0.1 * static_cast<double>(band % 5) : 0.125 * static_cast<double>(band % 5));
  const BandThresholds thresholds(each);
  const ResidentRun again = forward->runResident({{&in, 1}, 0}, specs, pool, {});  // without a copy on the host
  for (const ThresholdMode mode : {ThresholdMode::Soft, ThresholdMode::Hard}) {
    Volume after = volumeFor(back.inputs()[0]);
    (void)applyThreshold(coefficients.view(), after.view(), there.pyramid(), thresholds, mode, {});
    const Volume expected = ran(*inverse, back, after);
    const auto denoised = resident->runThresholded(*again.outputs[0], thresholds, mode, pool, {});
    REQUIRE(denoised);
    CHECK(denoised->outputs[0]->deviceBytes() > 0);
    CHECK(sameBits(*denoised->outputs[0]->host({}), expected));
    CHECK(denoised->report.phases.upload == 0);
    CHECK(denoised->report.phases.download == 0);
  }
  forgetBuffers(*engine);
  CHECK_FALSE(resident->runThresholded(*again.outputs[0], thresholds, ThresholdMode::Soft, pool, {}));
  CHECK(sameBits(ran(*inverse, back, coefficients), ran(*inverse, back, coefficients)));
}

TEST_CASE("a moving threshold copies slices, the whole once it rests", "[denoise]") {
  auto devices = findOpenClDevices().devices;
  if (devices.empty()) SSCOPE_SKIP("there is no OpenCL device");
  if (!devices.front()->properties().fp64) SSCOPE_SKIP("the device has no doubles");
  const GpuBench& bench = GpuBench::instance();
  CountingDevice::Copied copied;
  EngineSet engines;
  engines.add(std::make_unique<DeviceEngine>(
      "opencl:0", EngineKind::OpenCl, watched(std::make_unique<CountingDevice>(std::move(devices.front()), copied))));
  WaveletPipeline pipeline(engines, bench.variants());
  WaveletJob job;
  job.input = std::make_shared<const Volume>(randomVolume({45, 40, 33, 1}, ElementType::f32, 9));
  job.inputIdentity = 1;
  job.engine = "opencl:0";
  job.crosshair = {20, 7, 31};
  job.settings.automatic = false;
  job.settings.levels = 2;
  job.settings.threshold = 0.1;
  (void)pipeline.run(job, {});
  const std::int64_t whole = job.input->bytes(), slices = 4 * (45 * 40 + 45 * 33 + 40 * 33);
  for (const double threshold : {0.2, 0.35}) {
    job.settings.threshold = threshold;
    copied.up = copied.down = 0;
    const auto preview = pipeline.preview(job, {});
    CHECK(copied.up < 4096);
    CHECK(copied.down == slices);
    copied.up = copied.down = 0;
    const auto result = pipeline.run(job, {});
    CHECK(copied.up < 4096);
    CHECK(copied.down >= whole);
    CHECK(copied.down < 3 * whole / 2);  // the device's array is extended
    CHECK(result->forwardReused);
    const Volume& made = *result->result;
    for (std::int64_t y = 0; y < 40; ++y)
      for (std::int64_t x = 0; x < 45; ++x) REQUIRE(preview->result[0]->value(x, y, 0, 0) == made.value(x, y, 31, 0));
    // As another pipeline computes it, whose coefficients go through the host each time.
    EngineSet others;
    others.add(std::make_unique<DeviceEngine>("opencl:0", EngineKind::OpenCl,
                                              watched(std::move(findOpenClDevices().devices.front()))));
    const auto expected = WaveletPipeline(others, bench.variants()).run(job, {});
    CHECK(largestDifference(made, *expected->result) < 1e-5);
    CHECK(pipeline.verifyLast({}).verified);
  }
}

}  // namespace sscope::test
