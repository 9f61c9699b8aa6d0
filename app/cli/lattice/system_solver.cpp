#include "app/cli/lattice/system_solver.h"

#include <nlohmann/json.hpp>

#include "app/cli/filter/filter_task.h"
#include "app/cli/lattice/lattice_command.h"
#include "app/cli/program.h"
#include "core/cpu/run/threads.h"
#include "core/lattice/ranks/rank_solver.h"

namespace sscope::cli {

using namespace lattice;

namespace {

class OnOneEngine final : public SystemSolver {
 public:
  OnOneEngine(Program& program, const std::shared_ptr<const GaugeField>& field, const WilsonChoice& wilson,
              const SolverOptions& solver)
      : lattice_(field->lattice()), bench_(program, field, wilson, solver) {}
  [[nodiscard]] const Lattice& lattice() const override { return lattice_; }
  [[nodiscard]] SolverResult solve(const SpinorField& source, const Control& control, const OnIteration& onIteration,
                                   KernelTrace* trace) override {
    return bench_.solver().solve(source, control, onIteration, trace);
  }
  [[nodiscard]] nlohmann::json toJson() const override { return bench_.toJson(); }
  [[nodiscard]] const Variant& row() override { return bench_.dirac().row(); }

 private:
  Lattice lattice_;
  WilsonBench bench_;
};

class OnRanks final : public SystemSolver {
 public:
  OnRanks(Program& program, const ConfigurationChoice& configuration, const WilsonChoice& wilson,
          const SolverOptions& solver)
      : ranks_(program.ranks),
        threads_(wilson.threads > 0 ? wilson.threads : program.threads),
        limit_(threads_),
        workshop_(makeWorkshop({}, devicesFor(wilson.engine))) {
    if (!wilson.variant.empty()) requireKnownVariant(workshop_.variants, "dirac", wilson.variant);
    Engine& engine = rankEngine(workshop_.engines, wilson.engine, ranks_);
    const Control control = program.control();
    const DealtField field = dealtConfiguration(program, configuration);
    lattice_ = field.part.whole;
    const PrepareOptions options{threads_, 0, {}, {}};
    solver_ =
        std::make_unique<RankSolver>(ranks_, latticeParts(lattice_, ranks_.size()), field.links, wilson.parameters,
                                     solver, engine, workshop_.variants, wilson.variant, options, control);
    verification_ = solver_->verified(ranks_, control);
  }
  [[nodiscard]] const Lattice& lattice() const override { return lattice_; }
  [[nodiscard]] SolverResult solve(const SpinorField& source, const Control& control, const OnIteration& onIteration,
                                   KernelTrace* /*trace*/) override {
    return solver_->solve(ranks_, source, onIteration, control);
  }
  [[nodiscard]] nlohmann::json toJson() const override {
    const RunReport& report = solver_->report();
    return {{"engine", report.engine},
            {"variant", report.variant},
            {"threads", report.threads},
            {"ranks", ranks_.size()},
            {"verified", verification_.verified},
            {"rel_l2", verification_.relativeL2},
            {"compared", verification_.coverage},
            {"applications", solver_->applications()},
            {"kernel_s", solver_->kernelSeconds()}};
  }
  [[nodiscard]] const Variant& row() override { return solver_->row(); }

 private:
  reach::Communicator& ranks_;
  int threads_;
  cpu::ThreadLimit limit_;  // also limits the loops over vectors
  Workshop workshop_;
  Lattice lattice_;
  std::unique_ptr<RankSolver> solver_;
  Verification verification_;
};

}  // namespace

std::unique_ptr<SystemSolver> makeSystemSolver(Program& program, const ConfigurationChoice& configuration,
                                               const WilsonChoice& wilson, const SolverOptions& solver) {
  if (program.ranks.size() > 1) return std::make_unique<OnRanks>(program, configuration, wilson, solver);
  return std::make_unique<OnOneEngine>(
      program, std::make_shared<const GaugeField>(readConfiguration(program, configuration).field), wilson, solver);
}

}  // namespace sscope::cli
