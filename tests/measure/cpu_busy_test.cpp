#include "core/measure/cpu_time.h"

#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using sscope::test::TemporaryFolder;

namespace {

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

}  // namespace

TEST_CASE("busy time is counted between two readings") {
  const TemporaryFolder folder;
  const auto file = folder / "stat";
  CpuBusySampler sampler(file);
  write(file,
        "cpu  200 0 200 600 0 0 0 0 0 0\ncpu0 100 0 100 300 0 0 0 0 0 0\ncpu1 100 0 100 300 0 0 0 0 0 0\nintr 5\n");
  CHECK(!sampler.sample().unavailable.empty());
  write(file, "cpu  0 0 0 0\ncpu0 150 0 125 325 0 0 0 0 0 0\ncpu1 100 0 100 350 50 0 0 7 0 0\nintr 9\n");
  const CpuBusy busy = sampler.sample();
  CHECK(busy.unavailable.empty());
  REQUIRE(busy.percent.size() == 2);
  CHECK(busy.percent[0] == Approx(75));
  CHECK(busy.percent[1] == Approx(0).margin(1e-12));  // waiting and stolen time is not busy
  CHECK(busy.overall == Approx(37.5));
}

TEST_CASE("what cannot be read is unavailable, not zero") {
  const TemporaryFolder folder;
  CpuBusySampler missing(folder / "none");
  CHECK(missing.sample().unavailable.find("cannot be read") != std::string::npos);

  const auto file = folder / "stat";
  write(file, "cpu0 100 0 100 300 0 0 0\n");
  CpuBusySampler sampler(file);
  static_cast<void>(sampler.sample());
  const CpuBusy tooSoon = sampler.sample();
  CHECK(!tooSoon.unavailable.empty());
  CHECK(tooSoon.percent.empty());
  // The reading that came too soon is not the new start.
  write(file, "cpu0 200 0 100 300 0 0 0\n");
  CHECK(sampler.sample().percent == std::vector<double>{100});
  write(file, "cpu0 200 0 100 300 0 0 0\ncpu1 200 0 100 300 0 0 0\n");
  CHECK(sampler.sample().unavailable.find("number of cores") != std::string::npos);
}

TEST_CASE("this machine's cores are counted") {
  CpuBusySampler sampler;
  const CpuBusy first = sampler.sample();
  CHECK(!first.unavailable.empty());
  CHECK(first.percent.empty());
}
