#pragma once
// The one table of variants. The window's lists, the command line, the benchmarks and the agreement tests all
// iterate over it: a new variant is one file and one row.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/lower_precision.h"
#include "core/engine/plan.h"
#include "core/workload/workload.h"

namespace sscope {

inline constexpr std::size_t kMostCandidates = 12;

struct Variant {
  std::string workload;  // "filter"
  std::string name;      // "separable"
  EngineKind kind = EngineKind::Cpu;
  std::string explanation;  // one paragraph for people; empty: that of resources/variants
  std::string source;       // paper and section, or "Stencilscope"
  // Empty when this engine can run this instance; else the reason why not, as half a sentence.
  std::function<std::string(const EngineInfo&, const Workload&)> unsupported;
  std::function<std::unique_ptr<Plan>(Engine&, const Workload&, const PrepareOptions&, const Control&)> prepare;
  // The variant's own parameters (unroll, block shape), as data; empty for most.
  std::vector<Option> options;
  // Values worth timing against each other where no model is sure, at most kMostCandidates; the first is always {}, the
  // variant's own choice. Empty: there is nothing to tune.
  std::function<std::vector<OptionValues>(const EngineInfo&, const Workload&)> candidates{};
  // The name of the row it is the memory-only twin of: the same loads and stores, the arithmetic left out but kept
  // alive. Its output is not the workload's and is never shown as a result. Empty: an ordinary row.
  std::string twinOf;
  // Devices: file of the kernel's source in resources/kernels, for those who want to read it; may be empty.
  std::string kernelFile;
  // With candidates: stands for the source text of all its kernels, so that what a search found for another text is
  // not taken.
  std::string code{};
  // The id of the one engine whose instructions it is written for ("cpu:sse4"): listings leave it out elsewhere. Empty:
  // every engine of the kind has its own.
  std::string onlyOn{};
  // There: an extra of a lower precision than the workload's.
  std::optional<LowerPrecision> lower{};
  [[nodiscard]] bool belongsTo(const EngineInfo& info) const {
    return info.kind == kind && (onlyOn.empty() || onlyOn == info.id);
  }
};

class VariantTable {
 public:
  void add(Variant variant);

  [[nodiscard]] const std::vector<Variant>& rows() const { return rows_; }
  // Rows for one workload and engine kind, in order; the first that is no extra of lower precision is the default.
  [[nodiscard]] std::vector<const Variant*> rows(std::string_view workload, EngineKind kind) const;
  // Throws Error(NotFound) listing the known names. An empty name gives the default.
  [[nodiscard]] const Variant& at(std::string_view workload, EngineKind kind, std::string_view name) const;

  // Looks the variant up, completes options.values and prepares it. Where none are given, those that a search has found
  // (core/engine/tuning_store.h) are taken, and the plan's reports say so. Throws Error(Unsupported) with the reason
  // outside its restrictions, Error(Usage) for values it does not know.
  [[nodiscard]] std::unique_ptr<Plan> prepare(Engine& engine, const Workload& workload, std::string_view variant,
                                              const PrepareOptions& options, const Control& control) const;

 private:
  std::vector<Variant> rows_;
};

}  // namespace sscope
