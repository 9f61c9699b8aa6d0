// What the devices of a team queue and copy happens in the order in which it is asked for.

#include <numeric>

#include "core/base/error.h"
#include "gpu/gpu_engines.h"
#include "gpu/run/device_team.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/secluded_device.h"

namespace sscope::test {

namespace {

constexpr std::int64_t kColumns = 4096, kRows = 8, kNumbers = kColumns * kRows;

KernelSource mixKernel() {
  KernelSource source{"blend", {}, Precision::f32, 1, {64, 1}, {}};
  source.text = R"(
KERNEL void blend(GLOBAL i32* own, GLOBAL const i32* from, i32 more, i32 first, i32 count) {
  const i32 row = GLOBAL_ID(1);
  if (row >= count) return;
  const i32 at = (first + row) * 4096 + GLOBAL_ID(0);
  own[at] = (own[at] * 3 + from[at] + more) % 1000003;
}
)";
  return source;
}

// Members, taken from all devices of a kind, with what they compute on.
struct Ring {
  struct Member {
    OwnBuffer own, from;
    KernelStage mix;
    std::vector<std::int32_t> expected, arrived;
  };
  Ring(const std::vector<Engine*>& engines, std::size_t count) : team(membersOf(engines, count)), members(count) {
    for (std::size_t k = 0; k < count; ++k) {
      Member& one = members[k];
      one.expected.resize(kNumbers);
      one.arrived.assign(kNumbers, 0);
      std::iota(one.expected.begin(), one.expected.end(), static_cast<std::int32_t>(1000 * k));
      for (OwnBuffer* buffer : {&one.own, &one.from}) *buffer = team.engine(k).device().allocate(4 * kNumbers);
      one.mix = {mixKernel(), kColumns, kRows, kColumns, 4, {&one.own, &one.from, static_cast<std::int32_t>(k)}};
      one.mix.start(team.engine(k).programs());
    }
    for (Member& one : members) one.mix.finish({});
    TeamRun run(team, {});
    for (std::size_t k = 0; k < count; ++k) {
      run.write(k, *members[k].own, 0, std::as_bytes(std::span(members[k].expected)));
      run.write(k, *members[k].from, 0, std::as_bytes(std::span(members[k].arrived)));
    }
  }
  static std::vector<DeviceEngine*> membersOf(const std::vector<Engine*>& engines, std::size_t count) {
    std::vector<DeviceEngine*> all;
    for (std::size_t k = 0; k < count; ++k) all.push_back(dynamic_cast<DeviceEngine*>(engines[k % engines.size()]));
    return all;
  }

  // All mix; what they have goes to the next, which mixes its first rows meanwhile, and half of the last rows beside
  // the other half.
  void step(TeamRun& run) {
    const auto launch = [&](std::int64_t first, std::int64_t rows, auto how) {
      for (std::size_t k = 0; k < members.size(); ++k) {
        KernelStage part = members[k].mix;
        part.firstRow = first;
        part.rows = rows;
        const KernelStage* const one = &part;
        (run.*how)(k, {&one, 1});
      }
    };
    launch(0, kRows, &TeamRun::launch);
    std::vector<TeamCopy> copies;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const std::size_t next = (k + 1) % members.size();
      // The last rows alone, while the first are computed.
      copies.push_back({k, members[k].own.get(), 4 * kColumns * 5, next, members[next].from.get(), 4 * kColumns * 5,
                        4 * kColumns * 3});
    }
    const auto packed = run.mark();
    launch(0, 4, &TeamRun::launchBeside);
    run.end(run.begin(std::move(copies), packed));
    launch(4, 2, &TeamRun::launchBeside);
    launch(6, 2, &TeamRun::launch);
    run.join();
  }
  void expectStep() {
    const auto mix = [&](std::int64_t first, std::int64_t rows) {
      for (std::size_t k = 0; k < members.size(); ++k)
        for (std::int64_t at = kColumns * first; at < kColumns * (first + rows); ++at) {
          auto& own = members[k].expected[static_cast<std::size_t>(at)];
          own = (own * 3 + members[k].arrived[static_cast<std::size_t>(at)] + static_cast<std::int32_t>(k)) % 1000003;
        }
    };
    mix(0, kRows);
    std::vector<std::vector<std::int32_t>> before;
    for (const Member& one : members) before.push_back(one.expected);
    mix(0, 4);
    for (std::size_t k = 0; k < members.size(); ++k)
      std::copy(before[k].begin() + kColumns * 5, before[k].end(),
                members[(k + 1) % members.size()].arrived.begin() + kColumns * 5);
    mix(4, 4);
  }

  DeviceTeam team;
  std::vector<Member> members;
};

}  // namespace

TEST_CASE("a team of devices computes, copies and waits in the order of its one thread", "[device][joined]") {
  for (const bool reach : {true, false}) {
    EngineSet engines;
    addGpuEngines(engines, reach ? watched : secluded);
    std::vector<Engine*> devices = engines.available();
    if (const char* wanted = std::getenv("SSCOPE_TEST_ENGINES"))
      std::erase_if(devices, [&](const Engine* one) { return !one->info().id.starts_with(wanted); });
    if (devices.empty()) SSCOPE_SKIP("there is no device");
    INFO(devices.size() << (reach ? " devices" : " devices that reach nobody"));
    Ring ring(devices, 3);
    for (const int steps : {1, 40}) {
      TeamRun run(ring.team, {});
      for (int k = 0; k < steps; ++k) {
        ring.step(run);
        ring.expectStep();
      }
      run.finish();
      CHECK(run.seconds() > 0);
      CHECK(run.copied() == std::int64_t{steps} * 3 * 4 * kColumns * 3);
      for (std::size_t k = 0; k < ring.members.size(); ++k) {
        std::vector<std::int32_t> found(kNumbers);
        run.read(k, *ring.members[k].own, 0, std::as_writable_bytes(std::span(found)));
        CHECK(found == ring.members[k].expected);
        CHECK(run.busy(k) > 0);
      }
    }
  }
}

TEST_CASE("a team that is stopped leaves nothing under way, and can run again", "[device][joined]") {
  const std::vector<Engine*> devices = GpuBench::instance().devices();
  if (devices.front() == nullptr) SSCOPE_SKIP("there is no device");
  Ring ring(devices, 2);
  std::stop_source stop;
  const Control control{stop.get_token(), {}};
  const auto run = [&] {
    TeamRun one(ring.team, control);
    ring.step(one);
    stop.request_stop();
    for (int k = 0; k < 100000; ++k) ring.step(one);
    one.finish();
  };
  CHECK_THROWS_AS(run(), Canceled);
  // The locks are free.
  TeamRun again(ring.team, {});
  again.finish();
}

TEST_CASE("a team says what does not fit on which of its devices", "[device][joined]") {
  const std::vector<Engine*> devices = GpuBench::instance().devices();
  if (devices.front() == nullptr) SSCOPE_SKIP("there is no device");
  const DeviceTeam team(Ring::membersOf({devices.front()}, 2));
  // Together: both are on the same device.
  const std::vector<std::int64_t> bytes{600, 600}, largest{100, 100};
  CHECK_NOTHROW(team.requireMemory(bytes, largest, 1200, "it needs", "take less"));
  CHECK_THROWS_WITH(team.requireMemory(bytes, largest, 1199, "it needs", "take less"),
                    Catch::Matchers::ContainsSubstring("it needs 1 MiB on " + devices.front()->info().id));
}

}  // namespace sscope::test
