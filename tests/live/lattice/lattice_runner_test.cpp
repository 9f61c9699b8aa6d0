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
  std::vector<LatticeNews> told;
  LatticeRunner runner{files, [this](LatticeNews news) {
                         const std::lock_guard lock(mutex);
                         told.push_back(std::move(news));
                         changed.notify_all();
                       }};

  // The first of its kind and this request, or any request for 0.
  template <class One>
  One wait(std::uint64_t request = 0) {
    std::unique_lock lock(mutex);
    const auto fits = [&](const LatticeNews& news) {
      return news.as<One>() != nullptr && (request == 0 || news.request == request);
    };
    REQUIRE(changed.wait_for(lock, std::chrono::minutes(1),
                             [&] { return std::find_if(told.begin(), told.end(), fits) != told.end(); }));
    const LatticeNews& found = *std::find_if(told.begin(), told.end(), fits);
    return *found.as<One>();
  }
  // The field that was asked for.
  std::shared_ptr<const LatticeField> waitShown(std::uint64_t request) {
    std::unique_lock lock(mutex);
    std::shared_ptr<const LatticeField> field;
    REQUIRE(changed.wait_for(lock, std::chrono::minutes(1), [&] {
      for (const LatticeNews& news : told)
        if (const auto* shown = news.as<LatticeShown>(); shown != nullptr && news.request == request && !shown->passing)
          field = shown->field;
      return field != nullptr;
    }));
    return field;
  }
  template <class One>
  int count() {
    const std::lock_guard lock(mutex);
    return static_cast<int>(
        std::count_if(told.begin(), told.end(), [](const LatticeNews& news) { return news.as<One>() != nullptr; }));
  }
  // Of the curve, as told.
  std::vector<int> steps() {
    const std::lock_guard lock(mutex);
    std::vector<int> found;
    for (const LatticeNews& news : told)
      if (const auto* point = news.as<FlowPoint>()) found.push_back(point->step);
    return found;
  }
  std::shared_ptr<const Configuration> open() {
    return wait<LatticeOpened>(runner.submit(OpenTask{"rough", {}})).configuration;
  }
};

}  // namespace

TEST_CASE("a configuration is opened, shown, smoothed, and shown again as it was") {
  Room room;
  const auto configuration = room.open();
  REQUIRE(configuration);
  const auto first = room.waitShown(room.runner.submit(ShowTask{configuration, Observable::Energy, 0}));
  CHECK(first->flowSteps == 0);
  const auto smooth = room.waitShown(room.runner.submit(ShowTask{configuration, Observable::Energy, 30}));
  CHECK(smooth->flowSteps == 30);
  CHECK(smooth->mean != first->mean);
  CHECK(smooth->mean == fieldOf(flowed(configuration->field, 0.3, kFlowStep, {}), Observable::Energy, 30, {}).mean);
  // Every step of a small lattice is a point of the curve.
  CHECK(room.wait<FlowPoint>().step >= 0);
  CHECK(room.count<FlowPoint>() == 31);
  const auto again = room.waitShown(room.runner.submit(ShowTask{configuration, Observable::Energy, 0}));
  CHECK(again == first);
}

TEST_CASE("a flow dragged on goes on from where it was") {
  Room room;
  const auto configuration = room.open();
  std::uint64_t last = 0;
  for (int steps = 10; steps <= 200; steps += 10)
    last = room.runner.submit(ShowTask{configuration, Observable::Charge, steps});
  const auto field = room.waitShown(last);
  CHECK(field->flowSteps == 200);
  CHECK(room.count<CanceledNews>() == 0);
  CHECK(room.count<FailedNews>() == 0);
  CHECK(field->sum ==
        Approx(fieldOf(flowed(configuration->field, 2, kFlowStep, {}), Observable::Charge, 200, {}).sum).margin(1e-9));
  // No step was taken twice: each is told once.
  const std::vector<int> steps = room.steps();
  CHECK(std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>()) == steps.end());
}

TEST_CASE("a flow that was canceled goes on from its last whole step") {
  Room room;
  const auto configuration = room.open();
  room.runner.submit(ShowTask{configuration, Observable::Energy, 100000});
  static_cast<void>(room.wait<FlowPoint>());
  room.runner.cancel();
  static_cast<void>(room.wait<CanceledNews>());
  const int reached = room.steps().back();
  const int further = reached + 5;
  CHECK(room.waitShown(room.runner.submit(ShowTask{configuration, Observable::Energy, further}))->flowSteps == further);
  const std::vector<int> steps = room.steps();
  CHECK(std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>()) == steps.end());
  CHECK(steps.back() == further);
}

TEST_CASE("a generation tells the plaquette of each sweep and ends as a configuration") {
  Room room;
  GenerateSettings settings;
  settings.extents = {4, 4, 4, 4};
  settings.sweeps = 5;
  const auto made = room.wait<LatticeOpened>(room.runner.submit(GenerateTask{settings})).configuration;
  CHECK(room.count<LatticeSwept>() == 5);
  CHECK(made->field == generateField(settings, {}));
  CHECK(made->info.plaquette == room.told[room.told.size() - 2].as<LatticeSwept>()->plaquette);
}

TEST_CASE("a file without extents asks for them") {
  Room room;
  CHECK_FALSE(room.wait<LatticeExtentsMissing>(room.runner.submit(OpenTask{"unnamed", {}})).message.empty());
  const auto opened =
      room.wait<LatticeOpened>(room.runner.submit(OpenTask{"unnamed", Extents{2, 2, 2, 4}})).configuration;
  CHECK(opened->field.lattice().text() == "2x2x2x4");
  CHECK_FALSE(room.wait<FailedNews>(room.runner.submit(OpenTask{"none", {}})).message.empty());
  CHECK(room.count<LatticeExtentsMissing>() == 1);
}

TEST_CASE("a canceled generation says so, and the next task runs") {
  Room room;
  GenerateSettings settings;
  settings.extents = {8, 8, 8, 8};
  settings.sweeps = 10000;
  room.runner.submit(GenerateTask{settings});
  static_cast<void>(room.wait<LatticeSwept>());
  room.runner.cancel();
  static_cast<void>(room.wait<CanceledNews>());
  CHECK(room.open() != nullptr);
  // Superseded work ends silently.
  room.runner.submit(GenerateTask{settings});
  CHECK(room.wait<LatticeOpened>(room.runner.submit(OpenTask{"rough", {}})).configuration);
  CHECK(room.count<CanceledNews>() == 1);
}

}  // namespace sscope
