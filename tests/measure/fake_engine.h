#pragma once
// A fake engine that records its runs and can be made to fail.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope::test {

// Called at every run with the plan's inputs and outputs; fills the outputs.
using FakeRun = std::function<void(const Inputs&, std::span<const ArrayView>)>;

struct FakeLog {
  std::vector<std::string> runs;                      // engine ids in the order of their runs
  int ceilings = 0;                                   // measurements of ceilings
  std::string ceilingsDate = "2999-01-01T00:00:00Z";  // of what they give: never before this process
  double gbs = 1e6;                                   // and their bandwidth
};

class FakePlan : public Plan {
 public:
  FakePlan(std::string engine, FakeRun run, FakeLog& log)
      : engine_(std::move(engine)), run_(std::move(run)), log_(log) {}
  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    control.check();
    log_.runs.push_back(engine_);
    run_(inputs, outputs);
    RunReport report;
    report.engine = engine_;
    report.variant = "copy";
    report.phases.kernel = 0.25;
    return report;
  }
  [[nodiscard]] std::int64_t scratchBytes() const override { return 0; }
  [[nodiscard]] std::string description() const override { return "fake"; }

 private:
  std::string engine_;
  FakeRun run_;
  FakeLog& log_;
};

class FakeEngine : public Engine {
 public:
  FakeEngine(std::string id, EngineKind kind, FakeLog& log) : log_(log) {
    info_.id = std::move(id);
    info_.kind = kind;
    info_.name = "fake";
  }
  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  EngineInfo& changeInfo() { return info_; }
  [[nodiscard]] Ceilings measureCeilings(int, const Control&) override {
    ++log_.ceilings;
    return {1e6, 1e6, log_.gbs, 1, log_.ceilingsDate};
  }

 private:
  EngineInfo info_;
  FakeLog& log_;
};

// A bank of one identity filter on f32 noise-free data of this shape: its result is a copy of the input.
[[nodiscard]] inline FilterWorkload identityWorkload(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  Stencil filter;
  return {{filter}, Boundary::nearest, 0, {ElementType::f32, {nx, ny, nz, 1}}, ElementType::f32};
}

inline void copyInput(const Inputs& inputs, std::span<const ArrayView> outputs) {
  const ConstArrayView& in = inputs.arrays[0];
  std::copy_n(in.as<float>(), in.elements(), outputs[0].as<float>());
}

inline void addFakeVariant(VariantTable& variants, const std::string& name, EngineKind kind, FakeRun run,
                           FakeLog& log) {
  Variant row;
  row.workload = "filter";
  row.name = name;
  row.kind = kind;
  row.prepare = [run, &log](Engine& engine, const Workload&, const PrepareOptions&, const Control&) {
    return std::make_unique<FakePlan>(engine.info().id, run, log);
  };
  variants.add(std::move(row));
}

}  // namespace sscope::test
