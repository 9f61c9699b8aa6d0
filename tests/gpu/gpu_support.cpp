// Before the next, which leaves listeners out.
#include "tests/support/catch_listener.h"

#include "tests/gpu/gpu_support.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
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

GpuRun runOn(Engine& engine, const Workload& workload, const Volume& input, const std::string& variant,
             const PrepareOptions& options, std::uint64_t identity, const Control& control) {
  const auto plan = GpuBench::instance().variants().prepare(engine, workload, variant, options, control);
  GpuRun run;
  std::vector<ArrayView> views;
  for (const ArraySpec& spec : workload.outputs()) {
    run.outputs.emplace_back(
        VolumeShape{spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])}, spec.type);
    views.push_back(run.outputs.back().view());
    poison(views.back());
  }
  const ConstArrayView in = input.view();
  if (identity == 0) forgetBuffers(engine);
  run.report = plan->run({{&in, 1}, identity}, views, control);
  return run;
}

void requireRight(const Workload& workload, const Volume& input, const GpuRun& run) {
  requireRight(Variant{}, workload, input, run);
}

void requireRight(const Variant& row, const Workload& workload, const Volume& input, const GpuRun& run) {
  std::vector<ConstArrayView> views;
  for (const Volume& output : run.outputs) views.push_back(output.view());
  const ConstArrayView in = input.view();
  const Verification result = verify(row, workload, {&in, 1}, views, {}, {});
  INFO(result.failure);
  REQUIRE(result.verified);
}

std::int64_t differentVoxels(const Volume& part, const Volume& whole, const Box& region) {
  std::int64_t different = 0;
  for (std::int64_t z = 0; z < region.size(2); ++z)
    for (std::int64_t y = 0; y < region.size(1); ++y)
      for (std::int64_t x = 0; x < region.size(0); ++x)
        if (part.value(x, y, z, 0) != whole.value(x + region.begin[0], y + region.begin[1], z + region.begin[2], 0))
          ++different;
  return different;
}

bool sameBytes(const Volume& a, const Volume& b) {
  return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
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

Stencil denseFilter(std::array<std::int64_t, 3> size, std::array<std::int64_t, 3> anchor) {
  Stencil filter;
  filter.dense.size = size;
  filter.dense.anchor = anchor;
  filter.dense.weights.clear();
  for (std::int64_t i = 0; i < size[0] * size[1] * size[2]; ++i)
    filter.dense.weights.push_back(std::sin(1.7 * static_cast<double>(i) + 0.3) /
                                   static_cast<double>(size[0] * size[1] * size[2]));
  return filter;
}

Stencil separableFilter(const std::vector<std::array<std::int64_t, 3>>& sizes) {
  Stencil filter;
  double phase = 0.4;
  for (const auto& size : sizes) {
    SeparableTerm term;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (size[axis] == 0) continue;  // identity
      AxisTaps& taps = term.axis[axis];
      taps.weights.clear();
      taps.anchor = size[axis] / 2;
      for (std::int64_t i = 0; i < size[axis]; ++i)
        taps.weights.push_back(std::sin(phase += 1.1) / std::sqrt(static_cast<double>(size[axis])));
    }
    filter.terms.push_back(term);
  }
  return filter;
}

}  // namespace sscope::test
