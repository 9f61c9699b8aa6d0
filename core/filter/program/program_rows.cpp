#include "core/filter/program/program_rows.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/typed_row.h"
#include "core/filter/program/program_plan.h"
#include "core/filter/program/program_stages.h"

namespace sscope {

namespace {

// The rows that stages are run with.
using Stages = std::shared_ptr<const VariantTable>;

// Why a row of this name cannot run a stage; empty if it can.
std::string refusal(const VariantTable& stages, const EngineInfo& engine, const Workload& stage,
                    const std::string& name) {
  for (const Variant* row : stages.rows(stage.name(), engine.kind))
    if (row->name == name) return row->unsupported ? row->unsupported(engine, stage) : "";
  return "it has no variant of this name";
}

// The row for a stage: the one that was asked for where that can run it, else the default.
std::string rowFor(const VariantTable& stages, const EngineInfo& engine, const Workload& stage,
                   const std::string& name) {
  return refusal(stages, engine, stage, name).empty() ? name : std::string();
}

std::vector<std::unique_ptr<Workload>> stagesOf(const ProgramWorkload& workload, const EndTogether& together = {}) {
  std::vector<std::unique_ptr<Workload>> stages;
  const ProgramSteps steps = withEndings(workload, stepsOf(workload, workload.region()), together);
  for (const ProgramStage& stage : steps.stages) {
    std::vector<ProgramArray> inputs;
    for (const std::size_t input : stage.inputs) inputs.push_back(arrayOf(workload, steps, input));
    stages.push_back(stageWorkload(workload, steps, stage, inputs));
  }
  return stages;
}

// Of these stages; 0 where nobody predicts one of them.
double predicted(const VariantTable& stages, const Engine& engine,
                 const std::vector<std::unique_ptr<Workload>>& workloads, const std::string& name,
                 const PrepareOptions& options) {
  double sum = 0;
  for (const auto& stage : workloads) {
    const double seconds = stages.predict(engine, *stage, rowFor(stages, engine.info(), *stage, name), options);
    if (seconds <= 0) return 0;
    sum += seconds;
  }
  return sum;
}

// On devices, by the row that the filters would have alone. What is chosen does not depend on measured ceilings.
EndTogether endTogether(const Stages& stages, const Engine& engine, const std::string& name) {
  if (!engine.info().isDevice()) return {};
  return [stages, &engine, name](const EndedFilters& ended, const std::vector<std::unique_ptr<Workload>>& apart) {
    const auto rows = stages->rows("filter", engine.info().kind);
    const std::string row = rowFor(*stages, engine.info(), *apart.front(), name);
    const std::string known = row.empty() ? rows.front()->name : row;
    if (!refusal(*stages, engine.info(), ended, known).empty()) return false;
    const double seconds = stages->predict(engine, ended, known, {});
    return seconds <= predicted(*stages, engine, apart, name, {});
  };
}

// Some stage has to be one that the row runs, and every other one that the default runs; in the default row, all.
std::string unsupported(const VariantTable& stages, const EngineInfo& engine, const ProgramWorkload& workload,
                        const std::string& name) {
  std::string first;
  bool some = name == stages.rows("filter", engine.kind).front()->name;
  for (const auto& stage : stagesOf(workload)) {
    const std::string why = refusal(stages, engine, *stage, name);
    some = some || why.empty();
    if (first.empty()) first = why;
    if (why.empty()) continue;
    const auto rows = stages.rows(stage->name(), engine.kind);
    if (rows.empty()) return "a part of it has no variant there";
    if (const Variant& usual = *rows.front(); usual.unsupported)
      if (std::string never = usual.unsupported(engine, *stage); !never.empty()) return never;
  }
  return some ? std::string() : first;
}

}  // namespace

void addProgramRows(VariantTable& variants, EngineKind kind) {
  const auto stages = std::make_shared<const VariantTable>(variants);
  for (const Variant* filter : stages->rows("filter", kind)) {
    Variant row;
    row.workload = "program";
    row.name = filter->name;
    row.kind = kind;
    row.explanation =
        "Those rows of the bank that it can compute run so, all others as in auto. " + filter->explanation;
    row.source = filter->source;
    row.unsupported = unsupportedFor<ProgramWorkload>(
        [stages, name = row.name](const EngineInfo& engine, const ProgramWorkload& workload) {
          return unsupported(*stages, engine, workload, name);
        });
    row.predict = [stages, name = row.name](const Engine& engine, const Workload& workload,
                                            const PrepareOptions& options) {
      const auto workloads = stagesOf(workloadAs<ProgramWorkload>(workload), endTogether(stages, engine, name));
      return predicted(*stages, engine, workloads, name, options);
    };
    row.prepare = [stages, name = row.name](Engine& engine, const Workload& workload, const PrepareOptions& options,
                                            const Control& control) {
      const auto& program = workloadAs<ProgramWorkload>(workload);
      const EndTogether together = endTogether(stages, engine, name);
      return makeProgramPlan(
          engine.info(), program,
          [&](const Workload& stage) {
            return stages->prepare(engine, stage, rowFor(*stages, engine.info(), stage, name), options, control);
          },
          predicted(*stages, engine, stagesOf(program, together), name, options), kProgramSlabBytes, together);
    };
    variants.add(std::move(row));
  }
}

}  // namespace sscope
