// Memory and time of the Wavelet room's job on 512^3, the way the window runs it: a transform, then another threshold
// while the result before is still shown. benches "[memory]"

#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include "core/base/stopwatch.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/wavelet/job/wavelet_job.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// VmHWM, GiB.
double peakOfProcess() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / (1 << 20);
  return 0;
}

}  // namespace

TEST_CASE("memory of the wavelet room at 512^3", "[memory]") {
  EngineSet engines;
  VariantTable variants;
  addCpuEngines(engines);
  addCpuVariants(variants);
  WaveletPipeline pipeline(engines, variants);
  WaveletJob job;
  job.input = std::make_shared<const Volume>(test::randomVolume({512, 512, 512}, ElementType::f32, 1));
  job.inputIdentity = 1;
  job.crosshair = {256, 256, 256};
  std::cout << "input: " << peakOfProcess() << " GiB\n";
  auto shown = pipeline.run(job, {});
  std::cout << "first run: " << shown->seconds << " s, peak " << peakOfProcess() << " GiB\n";
  for (int i = 1; i <= 3; ++i) {
    job.settings.automatic = false;
    job.settings.threshold = shown->suggested * i / 3;
    const auto preview = pipeline.preview(job, {});
    shown = pipeline.run(job, {});
    std::cout << "slices: " << 1e3 * preview->seconds << " ms; another threshold: " << shown->seconds << " s, peak "
              << peakOfProcess() << " GiB\n";
  }
  const Stopwatch watch;
  std::stop_source stop;
  std::jthread stopper([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop.request_stop();
  });
  job.settings.threshold = 0;
  CHECK_THROWS_AS(static_cast<void>(pipeline.run(job, {stop.get_token(), {}})), Canceled);
  std::cout << "stopped after " << 1e3 * watch.seconds() - 300 << " ms\n";
}
