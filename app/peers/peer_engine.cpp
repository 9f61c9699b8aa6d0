#include "app/peers/peer_engine.h"

#include <thread>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/cpu/run/ceilings.h"

namespace sscope::peers {

namespace {

int allThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

class PeerEngine final : public Engine {
 public:
  PeerEngine(std::string id, std::string name) {
    info_.id = std::move(id);
    info_.kind = EngineKind::Peer;
    info_.name = std::move(name);
    info_.computeUnits = allThreads();
  }
  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  [[nodiscard]] Ceilings measureCeilings(int threads, const Control& control) override {
    cpu::SimdLevel widest = cpu::SimdLevel::Scalar;
    for (const cpu::SimdLevel level : cpu::kSimdLevels)
      if (cpu::absentReason(level).empty()) widest = level;
    return cpu::measureCeilings(cpu::kernelTable(widest), threads > 0 ? threads : allThreads(), control);
  }

 private:
  EngineInfo info_;
};

bool dense(const ArraySpec& spec, const std::array<std::int64_t, 4>& stride) {
  return stride[0] == 1 && stride[1] == spec.extent[0] && stride[2] == spec.extent[0] * spec.extent[1];
}

class PeerPlan final : public Plan {
 public:
  PeerPlan(const PeerRow& row, const FilterWorkload& workload, int threads)
      : function_(row.make(workload, threads)), spec_(workload.input()) {
    const Work work = workload.work();
    report_.engine = row.engine;
    report_.variant = row.name;
    report_.threads = threads;
    report_.operations = work.operations;
    report_.bytes = work.bytes;
    report_.saturated = {0};
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    const ConstArrayView& in = inputs.arrays[0];
    if (in.extent != spec_.extent || outputs.size() != 1 || outputs[0].extent != spec_.extent)
      throw Error(ErrorKind::Usage, "the arrays do not have the shapes the filter was prepared for",
                  "prepare it again");
    if (!dense(spec_, in.stride) || !dense(spec_, outputs[0].stride))
      throw Error(ErrorKind::Unsupported, report_.engine + " needs arrays without gaps", "copy the data first");
    control.check();
    const Stopwatch clock;
    RunReport report = report_;
    report.phases.kernel = function_(in.data, outputs[0].data, control);
    report.phases.total = clock.seconds();
    control.check();
    return report;
  }
  [[nodiscard]] std::int64_t scratchBytes() const override { return 2 * spec_.bytes(); }
  [[nodiscard]] std::string description() const override { return report_.variant + " of " + report_.engine; }

 private:
  PeerFunction function_;
  ArraySpec spec_;
  RunReport report_;
};

std::string commonRestriction(const PeerRow& row, const FilterWorkload& workload) {
  const ArraySpec& input = workload.input();
  if (input.type != row.type || workload.outputType() != row.type)
    return "it takes and gives " + std::string(toString(row.type)) + " only";
  if (input.extent[3] != 1) return "it takes one component only";
  if (workload.operators().size() != 1) return "it runs one filter at a time";
  if (row.ranks) {
    if (workload.operators()[0].window() == nullptr) return "it finds order statistics only";
  } else if (std::string reason = row.linear ? linearRestriction(workload) : ""; !reason.empty()) {
    return reason;
  }
  for (std::size_t a = 0; a < 3; ++a)
    if (workload.region().size(static_cast<int>(a)) != input.extent[a]) return "it computes whole volumes only";
  return {};
}

const FilterWorkload& filterWorkload(const Workload& workload) { return dynamic_cast<const FilterWorkload&>(workload); }

}  // namespace

std::unique_ptr<Engine> makePeerEngine(std::string id, std::string name) {
  return std::make_unique<PeerEngine>(std::move(id), std::move(name));
}

Variant peerVariant(PeerRow row) {
  Variant variant;
  variant.workload = row.workload;
  variant.name = row.name;
  variant.kind = EngineKind::Peer;
  variant.explanation = row.explanation;
  variant.source = row.source;
  variant.onlyOn = row.engine;
  variant.otherDefinition = row.otherDefinition;
  variant.unsupported = [row](const EngineInfo&, const Workload& workload) -> std::string {
    const std::string common = commonRestriction(row, filterWorkload(workload));
    return common.empty() ? row.restriction(filterWorkload(workload)) : common;
  };
  variant.prepare = [row](Engine&, const Workload& workload, const PrepareOptions& options,
                          const Control&) -> std::unique_ptr<Plan> {
    const int threads = options.threads > 0 ? options.threads : allThreads();
    return std::make_unique<PeerPlan>(row, filterWorkload(workload), threads);
  };
  return variant;
}

}  // namespace sscope::peers
