// The Lattice room without a window: tasks beside it, the newest wins, what was smoothed is kept.

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/job/lattice_runner.h"
#include "core/lattice/wilson_flow.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

using namespace lattice;
using LatticeStage = LatticeUpdate::Stage;

namespace {

// "rough" is a file with random links, "unnamed" one that does not say its extents; there are no others.
class FewFiles : public ConfigurationIo {
 public:
  Configuration read(const std::filesystem::path& path, const ConfigurationReadOptions& options,
                     const Control& control) override {
    control.check();
    if (path == "unnamed" && !options.extents) throw MissingExtents(Error(ErrorKind::Usage, "cannot read unnamed"));
    if (path != "rough" && path != "unnamed") throw Error(ErrorKind::NotFound, "cannot read " + path.string());
    return {hotStart(Lattice(options.extents.value_or(Extents{4, 4, 4, 4})), 1), {}};
  }
  [[nodiscard]] bool recognizes(const std::filesystem::path&) const override { return true; }
  void write(const std::filesystem::path&, const GaugeField&, const ConfigurationWriteOptions&,
             const Control&) override {}
};

// A runner and everything it told.
struct Room {
  FewFiles files;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<LatticeUpdate> told;
  LatticeRunner runner{files, [this](LatticeUpdate update) {
                         const std::lock_guard lock(mutex);
                         told.push_back(std::move(update));
                         changed.notify_all();
                       }};

  // The first of this stage and request, or any request for 0.
  LatticeUpdate wait(LatticeStage stage, std::uint64_t request = 0) {
    std::unique_lock lock(mutex);
    const auto fits = [&](const LatticeUpdate& update) {
      return update.stage == stage && (request == 0 || update.request == request);
    };
    REQUIRE(changed.wait_for(lock, std::chrono::minutes(1),
                             [&] { return std::find_if(told.begin(), told.end(), fits) != told.end(); }));
    return *std::find_if(told.begin(), told.end(), fits);
  }
  int count(LatticeStage stage) {
    const std::lock_guard lock(mutex);
    return static_cast<int>(
        std::count_if(told.begin(), told.end(), [&](const LatticeUpdate& update) { return update.stage == stage; }));
  }
  std::shared_ptr<const Configuration> open() {
    return wait(LatticeStage::Opened, runner.submit(OpenTask{"rough", {}})).configuration;
  }
};

}  // namespace

TEST_CASE("a configuration is opened, shown, smoothed, and shown again as it was") {
  Room room;
  const auto configuration = room.open();
  REQUIRE(configuration);
  const auto first =
      room.wait(LatticeStage::Shown, room.runner.submit(ShowTask{configuration, Observable::Energy, 0})).field;
  CHECK(first->flowSteps == 0);
  const auto smooth =
      room.wait(LatticeStage::Shown, room.runner.submit(ShowTask{configuration, Observable::Energy, 30})).field;
  CHECK(smooth->flowSteps == 30);
  CHECK(smooth->mean != first->mean);
  CHECK(smooth->mean == fieldOf(flowed(configuration->field, 0.3, kFlowStep, {}), Observable::Energy, 30, {}).mean);
  // Every step of a small lattice is a point of the curve.
  const LatticeUpdate last = room.wait(LatticeStage::Flowed);
  CHECK(last.point.step >= 0);
  CHECK(room.count(LatticeStage::Flowed) == 31);
  const auto again =
      room.wait(LatticeStage::Shown, room.runner.submit(ShowTask{configuration, Observable::Energy, 0})).field;
  CHECK(again == first);
}

TEST_CASE("a flow dragged on goes on from where it was") {
  Room room;
  const auto configuration = room.open();
  std::uint64_t last = 0;
  for (int steps = 10; steps <= 200; steps += 10)
    last = room.runner.submit(ShowTask{configuration, Observable::Charge, steps});
  const auto field = room.wait(LatticeStage::Shown, last).field;
  CHECK(field->flowSteps == 200);
  CHECK(room.count(LatticeStage::Canceled) == 0);
  CHECK(room.count(LatticeStage::Failed) == 0);
  CHECK(field->sum ==
        Approx(fieldOf(flowed(configuration->field, 2, kFlowStep, {}), Observable::Charge, 200, {}).sum).margin(1e-9));
  // No step was taken twice: each is told once.
  const std::lock_guard lock(room.mutex);
  std::vector<int> steps;
  for (const LatticeUpdate& update : room.told)
    if (update.stage == LatticeStage::Flowed) steps.push_back(update.point.step);
  CHECK(std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>()) == steps.end());
}

TEST_CASE("a flow that was canceled goes on from its last whole step") {
  Room room;
  const auto configuration = room.open();
  room.runner.submit(ShowTask{configuration, Observable::Energy, 100000});
  static_cast<void>(room.wait(LatticeStage::Flowed));
  room.runner.cancel();
  static_cast<void>(room.wait(LatticeStage::Canceled));
  const auto toldSteps = [&] {
    const std::lock_guard lock(room.mutex);
    std::vector<int> steps;
    for (const LatticeUpdate& update : room.told)
      if (update.stage == LatticeStage::Flowed) steps.push_back(update.point.step);
    return steps;
  };
  const int reached = toldSteps().back();
  const int further = reached + 5;
  CHECK(room.wait(LatticeStage::Shown, room.runner.submit(ShowTask{configuration, Observable::Energy, further}))
            .field->flowSteps == further);
  const std::vector<int> steps = toldSteps();
  CHECK(std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>()) == steps.end());
  CHECK(steps.back() == further);
}

TEST_CASE("a generation tells the plaquette of each sweep and ends as a configuration") {
  Room room;
  GenerateSettings settings;
  settings.extents = {4, 4, 4, 4};
  settings.sweeps = 5;
  const auto made = room.wait(LatticeStage::Opened, room.runner.submit(GenerateTask{settings})).configuration;
  CHECK(room.count(LatticeStage::Swept) == 5);
  CHECK(made->field == generateField(settings, {}));
  CHECK(made->info.plaquette == room.told[static_cast<std::size_t>(room.told.size() - 2)].plaquette);
}

TEST_CASE("a file without extents asks for them") {
  Room room;
  const LatticeUpdate asked = room.wait(LatticeStage::Failed, room.runner.submit(OpenTask{"unnamed", {}}));
  CHECK(asked.extentsMissing);
  const auto opened =
      room.wait(LatticeStage::Opened, room.runner.submit(OpenTask{"unnamed", Extents{2, 2, 2, 4}})).configuration;
  CHECK(opened->field.lattice().text() == "2x2x2x4");
  CHECK_FALSE(room.wait(LatticeStage::Failed, room.runner.submit(OpenTask{"none", {}})).extentsMissing);
}

TEST_CASE("a canceled generation says so, and the next task runs") {
  Room room;
  GenerateSettings settings;
  settings.extents = {8, 8, 8, 8};
  settings.sweeps = 10000;
  room.runner.submit(GenerateTask{settings});
  static_cast<void>(room.wait(LatticeStage::Swept));
  room.runner.cancel();
  static_cast<void>(room.wait(LatticeStage::Canceled));
  CHECK(room.open() != nullptr);
  // Superseded work ends silently.
  room.runner.submit(GenerateTask{settings});
  CHECK(room.wait(LatticeStage::Opened, room.runner.submit(OpenTask{"rough", {}})).configuration);
  CHECK(room.count(LatticeStage::Canceled) == 1);
}

}  // namespace sscope
