#pragma once
// The case that the Compare room races at, from its settings, the open data and the bank.

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/case.h"
#include "core/compare/compare_settings.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/measure/bench.h"
#include "ui/model/session_model.h"

namespace sscope {

struct RaceJob {
  compare::Case what;                // noise is not made yet
  std::vector<std::string> outputs;  // names of the outputs
  std::size_t output = 0;            // the one that is shown
  std::int64_t plane = -1;           // of the open data along the second axis; -1: the middle
};

// Throws Error with the remedy where there is nothing to compare: no data, no filter, data that do not fit.
[[nodiscard]] RaceJob raceJob(const CompareSettings& settings, const SessionModel& model);

// The title of a case; before it, where something else would be computed now, that the job has changed.
[[nodiscard]] QString jobWords(const compare::CaseRecipe& then, const std::optional<compare::CaseRecipe>& now);

// The values of a workload's options: the chosen ones, else the defaults.
[[nodiscard]] OptionValues parametersOf(const CompareSettings& settings, const std::string& workload);

// The settings' list where no contender is checked; an empty list means the room's own choice.
inline constexpr const char* kNoContender = "none";
// Converts to "cpu:avx2 separable" and back.
[[nodiscard]] std::string contenderName(const BenchRow& row);
[[nodiscard]] BenchRow contenderOf(const std::string& name);
// The variants of an engine that have a result: memory-only twins are no contenders.
[[nodiscard]] std::vector<const Variant*> contestedVariants(const VariantTable& variants, const std::string& workload,
                                                            const EngineInfo& engine);
// The chosen contenders that exist for this workload; if none are chosen, the widest instruction set of the processor,
// the next narrower one and all devices. Absent engines are included, with the reason on their lanes.
[[nodiscard]] std::vector<BenchRow> contendersOf(const CompareSettings& settings, const EngineSet& engines,
                                                 const VariantTable& variants, const std::string& workload);

}  // namespace sscope
