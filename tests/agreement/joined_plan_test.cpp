// Engines that share a computation: their names, and how parts are cut, weighed, canceled and kept.
#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

#include "core/base/error.h"
#include "core/engine/joined_engine.h"
#include "core/engine/joined_parts.h"
#include "core/engine/joined_plan.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/program/program_workload.h"
#include "core/volume/histogram.h"
#include "core/volume/volume.h"
#include "tests/agreement/jobs.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;
using test::repeated;
using test::sameBits;

TEST_CASE("names of several engines are read, and errors say which one is wrong", "[joined]") {
  const test::TestMachine machine;
  const EngineSet& engines = machine.engines;
  const std::string first = engines.preferred().info().id;
  Engine& shared = engines.at(first + "+cpu:scalar");
  CHECK(shared.info().id == first + "+cpu:scalar");
  CHECK(&engines.at(first + "+cpu:scalar") == &shared);
  CHECK(engines.find(first + "+cpu:scalar") == &shared.info());
  CHECK(engines.find(first + "+nobody") == nullptr);
  CHECK_THROWS_WITH(engines.at(first + "+nobody"), ContainsSubstring("there is no engine nobody"));
  CHECK_THROWS_WITH(engines.at(first + "+"), ContainsSubstring("an engine is missing next to a +"));
  CHECK_THROWS_WITH(engines.at("+" + first), ContainsSubstring("an engine is missing next to a +"));
  CHECK_THROWS_WITH(engines.at("cpu:all"), ContainsSubstring("names the same processor several times"));
  CHECK_THROWS_WITH(engines.at("gpu:all"), ContainsSubstring("there are no engines gpu:all"));
  CHECK_THROWS_WITH(engines.at("(" + first + "+" + first + ")+" + first), ContainsSubstring("there is no engine ("));
  for (const char* kind : {"opencl", "cuda"}) {
    const std::string all = std::string(kind) + ":all";
    std::string ids;
    const EngineInfo* absent = nullptr;
    for (const EngineInfo& info : engines.infos()) {
      if (toString(info.kind) != kind) continue;
      if (info.available()) ids += (ids.empty() ? "" : "+") + info.id;
      if (!info.available()) absent = &info;
    }
    if (!ids.empty())
      CHECK(engines.at(all).info().id == ids);
    else if (absent != nullptr)
      CHECK_THROWS_WITH(engines.at(all), ContainsSubstring(absent->absentReason));
  }
}

namespace {

class NamedEngine final : public Engine {
 public:
  NamedEngine(const std::string& id, EngineKind kind, bool isProcessor = false) {
    info_.id = info_.name = id;
    info_.kind = kind;
    info_.isProcessor = isProcessor;
  }
  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  [[nodiscard]] Ceilings measureCeilings(int threads, const Control&) override {
    Ceilings ceilings;
    ceilings.gflopsF32 = 10.0 * threads;
    ceilings.gbs = 5;
    ceilings.threads = threads;
    return ceilings;
  }

 private:
  EngineInfo info_;
};

}  // namespace

TEST_CASE("engines to share the work are offered where there are several", "[joined]") {
  EngineSet engines;
  const auto add = [&](const std::string& id, EngineKind kind, bool isProcessor = false) {
    engines.add(std::make_unique<NamedEngine>(id, kind, isProcessor));
  };
  add("cpu:scalar", EngineKind::Cpu);
  add("cpu:wide", EngineKind::Cpu);
  CHECK(offeredJoins(engines).empty());
  add("opencl:0", EngineKind::OpenCl, true);
  CHECK(offeredJoins(engines).empty());  // the processor again
  add("cuda:0", EngineKind::Cuda);
  CHECK(offeredJoins(engines) == std::vector<std::string>{"cpu:wide+cuda:0"});
  CHECK(engines.at("cuda:all").info().id == "cuda:0");
  add("cuda:1", EngineKind::Cuda);
  CHECK(offeredJoins(engines) == std::vector<std::string>{"cuda:0+cuda:1", "cpu:wide+cuda:0"});
  CHECK(engines.at("cuda:all").info().id == "cuda:0+cuda:1");
  add("peer:other", EngineKind::Peer);
  CHECK_THROWS_WITH(engines.at("cuda:0+peer:other"), ContainsSubstring("peer:other is another library"));

  Engine& mixed = engines.at("cuda:0+cpu:scalar+cpu:wide");
  CHECK(mixed.info().kind == EngineKind::Cpu);
  CHECK(mixed.info().hasThreads());
  CHECK(engines.at("cuda:0+cuda:1").info().kind == EngineKind::Cuda);
  // Of eight threads each level of the processor has four; a device that is there twice is one.
  const Ceilings sums = mixed.measureCeilings(8, {});
  CHECK(sums.gflopsF32 == 80 + 40 + 40);
  CHECK(sums.gbs == 15);
  CHECK(sums.threads == 8);
  CHECK(engines.at("cuda:0+cuda:0").measureCeilings(8, {}).gbs == 5);
}

namespace {

// A plan that copies its planes and takes so long for each.
class SlowCopy final : public Plan {
 public:
  SlowCopy(const FilterWorkload& workload, double secondsPerPlane, bool fails)
      : workload_(workload), seconds_(secondsPerPlane), fails_(fails) {}
  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    const Box& box = workload_.region();
    const auto planes = static_cast<double>(box.size(2));
    if (fails_) throw Error(ErrorKind::Device, "it fell over", "pick it up");
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds_ * planes);
    while (std::chrono::steady_clock::now() < until) {
      control.check();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const ArrayView& to = outputs[0];
    for (std::int64_t z = 0; z < to.extent[2]; ++z)
      for (std::int64_t y = 0; y < to.extent[1]; ++y)
        for (std::int64_t x = 0; x < to.extent[0]; ++x)
          to.as<float>()[to.offset(x, y, z)] =
              inputs.arrays[0].as<float>()[inputs.arrays[0].offset(x, y, z + box.begin[2])];
    RunReport report;
    report.engine = "cpu:scalar";
    report.variant = "copy";
    return report;
  }
  [[nodiscard]] std::int64_t scratchBytes() const override { return 0; }
  [[nodiscard]] std::string description() const override { return "a copy"; }

 private:
  FilterWorkload workload_;
  double seconds_;
  bool fails_;
};

// The part that begins at the first plane takes `first` seconds a plane, all others `other`.
// `preparing` is called first where a part is prepared.
VariantTable slowTable(
    double first, double other, bool otherFails,
    std::function<void(const Control&)> preparing = [](const Control&) {}) {
  Variant row;
  row.workload = "filter";
  row.name = "copy";
  row.kind = EngineKind::Cpu;
  row.explanation = "Copies.";
  row.prepare = [=](Engine&, const Workload& workload, const PrepareOptions&,
                    const Control& control) -> std::unique_ptr<Plan> {
    preparing(control);
    const auto& filter = dynamic_cast<const FilterWorkload&>(workload);
    const bool begins = filter.region().begin[2] == 0;
    return std::make_unique<SlowCopy>(filter, begins ? first : other, !begins && otherFails);
  };
  VariantTable table;
  table.add(std::move(row));
  return table;
}

struct Shared {
  test::TestMachine machine;
  Volume input = test::randomVolume({8, 8, 40, 1}, ElementType::f32, 5);
  Volume output{{8, 8, 40, 1}, ElementType::f32};
  Engine& engine = machine.engines.at("cpu:scalar+cpu:scalar");
  std::unique_ptr<Workload> workload =
      bankWorkload(test::jobOf({"gaussian:sigma=1"}, "").bank, input.spec(), {}, false);

  RunReport run(Plan& plan, const Control& control = {}) {
    const ConstArrayView in = input.view();
    const ArrayView out = output.view();
    return plan.run({{&in, 1}, 0}, {&out, 1}, control);
  }
};

}  // namespace

TEST_CASE("parts follow the speeds that runs show", "[joined]") {
  Shared shared;
  // So far apart that the work of others on this machine does not turn it around.
  const VariantTable table = slowTable(1e-2, 1e-4, false);
  const auto plan = table.prepare(shared.engine, *shared.workload, "", {}, {});
  const auto planesOfFirst = [&] { return sharesIn(shared.run(*plan).launch, "cpu:scalar+cpu:scalar").at(0).planes; };
  CHECK(planesOfFirst() == 20);
  CHECK(planesOfFirst() == 20);  // the first run may have been slow for other reasons
  const double then = planesOfFirst();
  CHECK(then < 12);
  CHECK(then >= 1);
  CHECK(sameBits(shared.input, shared.output));
}

TEST_CASE("the first error of a part ends the run, with the name of its engine", "[joined]") {
  Shared shared;
  const VariantTable table = slowTable(1, 0, true);  // the first part alone would take 20 s
  const auto plan = table.prepare(shared.engine, *shared.workload, "", {}, {});
  try {
    shared.run(*plan);
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Device);
    CHECK(std::string(error.what()) == "cpu:scalar (2): it fell over; pick it up");
  }
}

TEST_CASE("a run that is canceled while it is cut again leaves a plan that runs", "[joined]") {
  Shared shared;
  std::stop_source stop;
  std::atomic<int> prepared = 0;
  const VariantTable table = slowTable(1e-2, 1e-4, false, [&](const Control& control) {
    if (++prepared > 2) stop.request_stop();
    control.check();
  });
  const auto plan = table.prepare(shared.engine, *shared.workload, "", {}, {});
  shared.run(*plan);
  shared.run(*plan);  // which shows that the parts end far apart
  CHECK_THROWS_AS(shared.run(*plan, {stop.get_token(), {}}), Canceled);
  CHECK(prepared > 2);
  shared.run(*plan);
  CHECK(sameBits(shared.input, shared.output));
}

TEST_CASE("a run on several engines is canceled", "[joined]") {
  Shared shared;
  const VariantTable table = slowTable(1, 1, false);
  const auto plan = table.prepare(shared.engine, *shared.workload, "", {}, {});
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  CHECK_THROWS_AS(shared.run(*plan, {stop.get_token(), {}}), Canceled);
  CHECK_THROWS_AS(shared.run(*plan, {stop.get_token(), {}}), Canceled);
}

TEST_CASE("a workload that cannot be cut is refused by engines that would share it", "[joined]") {
  class Whole final : public FilterWorkload {
   public:
    using FilterWorkload::FilterWorkload;
    [[nodiscard]] std::unique_ptr<Workload> cutTo(const Box&) const override { return nullptr; }
  };
  Shared shared;
  const Whole whole(dynamic_cast<const FilterWorkload&>(*shared.workload).operators(), Boundary::nearest, 0,
                    shared.input.spec(), ElementType::f32);
  CHECK_THROWS_WITH(shared.machine.variants.prepare(shared.engine, whole, "", {}, {}),
                    ContainsSubstring("cannot be cut into parts for cpu:scalar+cpu:scalar"));
}

TEST_CASE("a shared plan takes other weights, and results stay in parts on devices", "[joined]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({24, 20, 19, 1}, ElementType::f32, 5);
  for (const Engine* engine : machine.chosen()) {
    INFO(engine->info().id);
    FilterJob job = test::jobOf({"gaussian:sigma=1", "sharpen"}, engine->info().id);
    const FilterResult one = runFilter(machine.engines, machine.variants, job, input, {});
    const FilterJob other = test::jobOf({"gaussian:sigma=1.1", "sharpen"}, repeated(engine->info().id, 2));
    job.engine = other.engine;
    PreparedFilter prepared(machine.engines, machine.variants, job, input, {});
    VolumePool pool;
    const ResidentFilterResult resident = prepared.runResident(pool, {});
    REQUIRE(resident.outputs.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      ResidentArray& array = *resident.outputs[i];
      const auto host = hostArray("host", std::shared_ptr<const Volume>(&one.outputs[i], [](const Volume*) {}));
      CHECK(array.spec() == host->spec());
      CHECK((array.deviceBytes() > 0) == engine->info().isDevice());
      const Box box{{3, 2, 5}, {20, 17, 15}};
      CHECK(array.range(box, 0, {}) == host->range(box, 0, {}));
      const Bins bins = binsFor(host->range(box, 0, {}), ElementType::f32, 16);
      CHECK(array.counts(box, 0, bins, {}) == host->counts(box, 0, bins, {}));
      CHECK(sameBits(array.every(7, {}), host->every(7, {})));
      const BrickBlocks blocks = brickBlocks(array.spec(), 0, 8);
      CHECK(array.means(blocks, {}) == host->means(blocks, {}));
      Volume part({17, 15, 10, 1}, ElementType::f32), expected({17, 15, 10, 1}, ElementType::f32);
      const BoxCopy own{box, part.view()}, truth{box, expected.view()};
      array.read({&own, 1}, {});
      host->read({&truth, 1}, {});
      CHECK(sameBits(part, expected));
      CHECK(sameBits(*array.host({}), one.outputs[i]));
    }
    if (!prepared.adopt(other, input, {})) continue;  // plans of this engine do not
    FilterResult adopted = prepared.makeRoom();
    prepared.run(adopted, {});
    const FilterResult fresh = runFilter(machine.engines, machine.variants, other, input, {});
    for (std::size_t i = 0; i < 2; ++i) CHECK(sameBits(adopted.outputs[i], fresh.outputs[i]));
  }
}
