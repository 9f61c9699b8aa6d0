#include "core/measure/machine_load.h"

#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;
using sscope::test::TemporaryFolder;

namespace {

void put(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

using Clock = std::chrono::steady_clock;

}  // namespace

TEST_CASE("memory, clocks and watts are read where the system tells them") {
  const TemporaryFolder folder;
  const LoadFiles files{folder / "stat", folder / "meminfo", folder / "cpu", folder / "power"};
  put(files.stat, "cpu0 100 0 0 100\n");
  put(files.memory, "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    400 kB\nHugePages_Total: 0\n");
  put(files.processors / "cpu0/cpufreq/scaling_cur_freq", "1200000\n");
  put(files.processors / "cpu11/cpufreq/scaling_cur_freq", "3600000\n");
  put(files.processors / "cpufreq/scaling_cur_freq", "99\n");  // no core
  put(files.power / "intel-rapl:0/name", "package-0\n");
  put(files.power / "intel-rapl:0/energy_uj", "7000000\n");
  put(files.power / "intel-rapl:0/max_energy_range_uj", "10000000\n");
  put(files.power / "intel-rapl:0:0/name", "core\n");  // a part of the package
  put(files.power / "intel-rapl:0:0/energy_uj", "1000000\n");
  MachineLoadSampler sampler(files);
  const Clock::time_point start{};
  const MachineLoad first = sampler.sample(start);
  CHECK_FALSE(first.cores.unavailable.empty());
  CHECK(first.memoryBytes.unavailable.empty());
  CHECK(first.memoryBytes.value == 600 * 1024);
  CHECK(first.memoryTotal == 1000 * 1024);
  CHECK(first.megahertz.unavailable.empty());
  CHECK(first.megahertz.value == Approx(2400));
  CHECK(first.lowest == Approx(1200));
  CHECK(first.highest == Approx(3600));
  CHECK_THAT(first.watts.unavailable, ContainsSubstring("first reading"));
  put(files.stat, "cpu0 150 0 0 150\n");
  put(files.power / "intel-rapl:0/energy_uj", "9000000\n");
  const MachineLoad second = sampler.sample(start + std::chrono::seconds(4));
  CHECK(second.cores.overall == Approx(50));
  CHECK(second.watts.unavailable.empty());
  CHECK(second.watts.value == Approx(0.5));
  // The counter begins again.
  put(files.power / "intel-rapl:0/energy_uj", "1000000\n");
  CHECK(sampler.sample(start + std::chrono::seconds(6)).watts.value == Approx(1));
}

TEST_CASE("what the machine does not tell has a reason and no figure") {
  const TemporaryFolder folder;
  MachineLoadSampler sampler({folder / "a", folder / "b", folder / "c", folder / "d"});
  const MachineLoad load = sampler.sample();
  CHECK_THAT(load.cores.unavailable, ContainsSubstring("cannot be read"));
  CHECK_THAT(load.memoryBytes.unavailable, ContainsSubstring("does not report it"));
  CHECK_THAT(load.megahertz.unavailable, ContainsSubstring("no cpufreq"));
  CHECK_THAT(load.watts.unavailable, ContainsSubstring("no RAPL"));
  // A counter that only root may read.
  put(folder / "d/intel-rapl:0/name", "package-0\n");
  CHECK_THAT(sampler.sample().watts.unavailable, ContainsSubstring("cannot be read"));
}

TEST_CASE("this machine tells its memory and its cores") {
  MachineLoadSampler sampler;
  CHECK_FALSE(sampler.sample().cores.unavailable.empty());
  const MachineLoad load = sampler.sample(Clock::now() + std::chrono::seconds(1));
  CHECK(load.memoryBytes.unavailable.empty());
  CHECK(load.memoryBytes.value > 0);
  CHECK(load.memoryBytes.value < load.memoryTotal);
}
