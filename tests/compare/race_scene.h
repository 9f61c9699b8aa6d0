#pragma once
// Fake engines that race each other at the identity filter, and that can be made to fail.

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/race.h"
#include "core/filter/workload/filter_workload.h"
#include "tests/measure/fake_engine.h"
#include "tests/support/environment.h"
#include "tests/support/support.h"

namespace sscope::test {

// Copies its region of the input, and takes `kernel` seconds by a device's own clock.
class RegionPlan final : public Plan {
 public:
  using Spoil = std::function<void(const Box& region, std::span<const ArrayView> outputs)>;
  RegionPlan(std::string engine, Box region, double kernel, Spoil spoil)
      : engine_(std::move(engine)), region_(region), kernel_(kernel), spoil_(std::move(spoil)) {}
  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    control.check();
    const ConstArrayView& in = inputs.arrays[0];
    const ArrayView& out = outputs[0];
    for (std::int64_t z = 0; z < out.extent[2]; ++z)
      for (std::int64_t y = 0; y < out.extent[1]; ++y)
        for (std::int64_t x = 0; x < out.extent[0]; ++x)
          out.as<float>()[out.offset(x, y, z)] =
              in.as<float>()[in.offset(x + region_.begin[0], y + region_.begin[1], z + region_.begin[2])];
    if (spoil_) spoil_(region_, outputs);
    RunReport report;
    report.engine = engine_;
    report.variant = "copy";
    report.why = "there is no other";
    report.phases = {0, 0.5, kernel_, 0.25, 0, 0.75 + kernel_};
    return report;
  }
  [[nodiscard]] std::int64_t scratchBytes() const override { return 4096; }
  [[nodiscard]] std::string description() const override { return "copies"; }

 private:
  std::string engine_;
  Box region_;
  double kernel_;
  Spoil spoil_;
};

using Contenders = std::vector<BenchRow>;

struct RaceScene {
  RaceScene() {
    for (const char* id : {"opencl:0", "opencl:1"})
      engines.add(std::make_unique<FakeEngine>(id, EngineKind::OpenCl, log));
    EngineInfo absent;
    absent.id = "cuda:0";
    absent.kind = EngineKind::Cuda;
    absent.name = "CUDA";
    absent.absentReason = "libcuda.so.1 not found";
    engines.addAbsent(absent);
    wish.workload = std::make_shared<FilterWorkload>(identityWorkload(9, 7, 10));
    wish.input = std::make_shared<const Volume>(randomVolume({9, 7, 10, 1}, ElementType::f32, 1));
    wish.how.seconds = 0;
    wish.how.slabs = 4;
  }

  // With the variant of addCopy(), raced by these.
  explicit RaceScene(Contenders contenders) : RaceScene() {
    addCopy();
    wish.contenders = std::move(contenders);
  }

  // A variant of devices; `kernel` per engine.
  void add(const std::string& name, std::function<double(const std::string& engine)> kernel,
           RegionPlan::Spoil spoil = {}) {
    Variant row;
    row.workload = "filter";
    row.name = name;
    row.kind = EngineKind::OpenCl;
    row.prepare = [kernel = std::move(kernel), spoil = std::move(spoil)](Engine& engine, const Workload& workload,
                                                                         const PrepareOptions&, const Control&) {
      return std::make_unique<RegionPlan>(engine.info().id, dynamic_cast<const FilterWorkload&>(workload).region(),
                                          kernel(engine.info().id), spoil);
    };
    variants.add(std::move(row));
  }
  // opencl:1 takes twice as long as opencl:0.
  void addCopy() {
    add("copy", [](const std::string& engine) { return engine == "opencl:0" ? 0.25 : 0.5; });
  }

  std::vector<compare::Lane> run(const Control& control = {}) {
    return compare::executeRace(
        {engines, variants, gate}, wish, [this](compare::RaceEvent event) { events.push_back(std::move(event)); },
        control);
  }
  template <class One>
  [[nodiscard]] std::vector<One> all() const {
    std::vector<One> found;
    for (const compare::RaceEvent& event : events)
      if (const One* one = std::get_if<One>(&event)) found.push_back(*one);
    return found;
  }

  PrivateCache cache;
  FakeLog log;
  EngineSet engines;
  VariantTable variants;
  QuietGate gate;
  compare::RaceWish wish;
  std::vector<compare::RaceEvent> events;
};

}  // namespace sscope::test
