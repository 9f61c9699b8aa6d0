// Candidates of gpu/device/copies.h and gpu/filter/tiling.cpp, timed. Not for the main branch.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "core/base/stopwatch.h"
#include "core/filter/family.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"

namespace sscope::test {

namespace {

double medianMs(std::vector<double> s) {
  std::ranges::sort(s);
  return 1e3 * s[s.size() / 2];
}

double timedMs(int n, const std::function<void()>& f) {
  f();
  f();
  std::vector<double> samples;
  for (int i = 0; i < n; ++i) {
    const Stopwatch watch;
    f();
    samples.push_back(watch.seconds());
  }
  return medianMs(samples);
}

}  // namespace

TEST_CASE("candidates of copies", "[.copiesbench]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  auto& device = dynamic_cast<DeviceEngine&>(*engine);
  const char* text = std::getenv("SSCOPE_BENCH_N");
  const int n = text == nullptr ? 256 : std::atoi(text);
  const int reps = n > 300 ? 7 : 15;
  Volume input({n, n, n, 1}, ElementType::f32), output({n, n, n, 1}, ElementType::f32),
      other({n, n, n, 1}, ElementType::f32);
  auto values = input.elements<float>();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 2654435761u >> 8) & 0xFFFF);
  const auto bytes = static_cast<std::size_t>(input.bytes());
  const FilterWorkload workload({makeOperator(parseFilterSpec("gaussian:sigma=2"), {3, {1, 1, 1}})}, Boundary::nearest,
                                0, input.spec(), ElementType::f32);
  const ConstArrayView in = input.view();
  const ArrayView out = output.view();
  const auto buffer = device.device().allocate(input.bytes());
  std::printf("%s %d^3\n%-66s %7s %7s | %7s %7s %7s %7s %7s | %7s %7s\n", engine->info().name.c_str(), n, "candidate",
              "up GB/s", "dn GB/s", "cold ms", "up", "kernel", "down", "overlap", "kept ms", "down");
  const auto row = [&](const char* what, const CopyCandidates& c) {
    copyCandidates() = c;
    device.transfer().pieces().forget();
    const double up = timedMs(reps, [&] { device.transfer().write(*buffer, 0, {input.data(), bytes}, {}); });
    const double down = timedMs(reps, [&] { device.transfer().read(*buffer, 0, {other.data(), bytes}, {}); });
    const auto plan = GpuBench::instance().variants().prepare(*engine, workload, "auto", {}, {});
    std::vector<double> part[5];
    const auto run = [&](std::uint64_t identity) {
      const Phases p = plan->run({{&in, 1}, identity}, {&out, 1}, {}).phases;
      const double all[5] = {p.total, p.upload, p.kernel, p.download, p.overlap};
      for (int i = 0; i < 5; ++i) part[i].push_back(all[i]);
    };
    const double cold = timedMs(reps, [&] { run(0); });
    double mid[5];
    for (int i = 0; i < 5; ++i) mid[i] = medianMs(part[i]), part[i].clear();
    const double kept = timedMs(reps, [&] { run(7); });
    std::printf("%-66s %7.1f %7.1f | %7.2f %7.2f %7.2f %7.2f %7.2f | %7.2f %7.2f\n", what,
                static_cast<double>(bytes) / up * 1e-6, static_cast<double>(bytes) / down * 1e-6, cold, mid[1], mid[2],
                mid[3], mid[4], kept, medianMs(part[3]));
    std::fflush(stdout);
  };
  const CopyCandidates base = copyCandidates();
  const auto named = [&](const std::function<void(CopyCandidates&)>& change) {
    CopyCandidates c = base;
    change(c);
    char name[160];
    std::snprintf(name, sizeof name, "piece %zuK slots %zu+%zu threads %zu nt %d/%d slabs %lld %lld..%lldK",
                  c.piece >> 10, c.uploads, c.downloads, c.threads, c.streamUploads, c.streamDownloads,
                  static_cast<long long>(c.slabs), static_cast<long long>(c.smallestSlab >> 10),
                  static_cast<long long>(c.largestSlab >> 10));
    row(name, c);
  };
  named([](auto&) {});
  named([](auto& c) { c.slabs = 0; });
  for (const std::size_t piece : {256, 512, 2048, 4096}) named([&](auto& c) { c.piece = piece << 10; });
  for (const std::size_t slots : {8, 12, 24, 32}) named([&](auto& c) { c.uploads = c.downloads = slots; });
  named([](auto& c) { c.piece = 512 << 10, c.uploads = c.downloads = 32; });
  for (const std::size_t threads : {4, 6, 8, 10, 12, 14}) named([&](auto& c) { c.threads = threads; });
  named([](auto& c) { c.streamUploads = true; });
  named([](auto& c) { c.streamDownloads = false; });
  named([](auto& c) { c.streamUploads = true, c.streamDownloads = false; });
  for (const std::int64_t slabs : {4, 6, 12, 16}) named([&](auto& c) { c.slabs = slabs; });
  for (const std::int64_t slab : {4, 8, 32, 64})
    named([&](auto& c) { c.largestSlab = slab << 20, c.smallestSlab = std::min(c.smallestSlab, c.largestSlab); });
  named([](auto&) {});
  copyCandidates() = base;
  device.transfer().pieces().forget();
}

}  // namespace sscope::test
