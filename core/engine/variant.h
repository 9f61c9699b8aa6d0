#pragma once
// The table of variants, over which the window's lists, the command line, the benchmarks and the agreement tests
// iterate: a new variant is one file and one row.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/volume/array_view.h"
#include "core/workload/workload.h"

namespace sscope {

// Variants that compute or store in a lower precision than their workload's. They are labeled extras: never a default,
// never chosen automatically, and verified against error bounds of their own.

struct Verification;   // core/measure/verify.h
struct VerifyOptions;  // core/measure/verify.h

struct LowerPrecision {
  std::string words;                    // for labels: "float32", "stored in float32"
  Precision computed = Precision::f32;  // of the arithmetic; its peak rate is the ceiling
  // Compares a run's outputs with the float64 reference.
  std::function<Verification(const Workload&, std::span<const ConstArrayView> inputs,
                             std::span<const ConstArrayView> outputs, const VerifyOptions&, const Control&)>
      judge;
};

inline constexpr std::size_t kMostCandidates = 12;

struct Variant {
  std::string workload;  // "filter"
  std::string name;      // "separable"
  EngineKind kind = EngineKind::Cpu;
  std::string explanation;  // a paragraph for users; empty: the one in resources/variants
  std::string source;       // paper and section, or "Stencilscope"
  // Why this engine cannot run this workload, as half a sentence; empty if it can.
  std::function<std::string(const EngineInfo&, const Workload&)> unsupported;
  std::function<std::unique_ptr<Plan>(Engine&, const Workload&, const PrepareOptions&, const Control&)> prepare;
  // If several devices share a workload with a plan of its own instead of parts of its outputs
  // (core/engine/joined_plan.h): prepares that plan, with the shares of the engines as weights, or none for equal ones;
  // null if these engines cannot share this workload. Empty: no such plan.
  std::function<std::unique_ptr<Plan>(std::span<Engine* const>, const Workload&, std::span<const double> weights,
                                      const PrepareOptions&, const Control&)>
      prepareTogether{};
  // Expected seconds of a run, without transfers and before anything is prepared; 0 if the engine's rates are unknown.
  // Empty: no prediction.
  std::function<double(const Engine&, const Workload&, const PrepareOptions&)> predict{};
  // The variant's own parameters, such as the shape of blocks; most have none.
  std::vector<Option> options;
  // Values to time against each other if no model is reliable, at most kMostCandidates. The first is always {}, the
  // variant's own choice. Empty: nothing to tune.
  std::function<std::vector<OptionValues>(const EngineInfo&, const Workload&)> candidates{};
  // Of a memory-only twin: the name of the variant whose loads and stores it repeats without the arithmetic. Its output
  // is not the workload's and is never shown as a result. Empty for ordinary variants.
  std::string twinOf;
  // Devices: the file of the kernel's source in resources/kernels, for users to read; may be empty.
  std::string kernelFile;
  // With candidates: identifies the source text of all its kernels; results of searches with another text are ignored.
  std::string code{};
  // The id of the only engine it is written for ("cpu:sse4"); it is not listed for others. Empty: for all engines of
  // the kind.
  std::string onlyOn{};
  // Of other libraries: it computes another filter by its own definition, whose difference is reported, not judged.
  bool otherDefinition = false;
  // Set for extras of a lower precision than the workload's.
  std::optional<LowerPrecision> lower{};
  [[nodiscard]] bool belongsTo(const EngineInfo& info) const {
    return info.kind == kind && (onlyOn.empty() || onlyOn == info.id);
  }
};

class VariantTable {
 public:
  void add(Variant variant);

  [[nodiscard]] const std::vector<Variant>& rows() const { return rows_; }
  // Rows for a workload and a kind of engine, in order. The default is the first that is not of lower precision.
  [[nodiscard]] std::vector<const Variant*> rows(std::string_view workload, EngineKind kind) const;
  // An empty name gives the default. Throws Error(NotFound), listing the known names.
  [[nodiscard]] const Variant& at(std::string_view workload, EngineKind kind, std::string_view name) const;
  // The same, but the default is the first that belongs to this engine. Throws Error(Unsupported) if none does.
  [[nodiscard]] const Variant& at(std::string_view workload, const EngineInfo& engine, std::string_view name) const;

  // Finds the variant (empty: the default), completes options.values and prepares a plan. Without values it uses those
  // that a search has found (core/engine/tuning_store.h), and the plan's reports say so. Throws Error(NotFound) as at()
  // does, Error(Unsupported) with the reason if the variant cannot run the workload, Error(Usage) for unknown values,
  // and what Variant::prepare throws.
  [[nodiscard]] std::unique_ptr<Plan> prepare(Engine& engine, const Workload& workload, std::string_view variant,
                                              const PrepareOptions& options, const Control& control) const;

  // What Variant::predict of the variant (empty: the default) expects; 0 if it cannot run the workload or there is no
  // prediction. Throws Error(NotFound) as at() does.
  [[nodiscard]] double predict(const Engine& engine, const Workload& workload, std::string_view variant,
                               const PrepareOptions& options) const;

 private:
  std::vector<Variant> rows_;
};

// Paragraphs about variants for users, from resources/variants/SUBJECT/*.md, which are embedded in the program.

// One embedded file: "bank.md" has a section for each variant of the workload bank, with the heading "## tuned", or
// "## tuned (processor)" and "## tuned (device)" if they differ.
struct VariantFile {
  std::string_view name;
  std::string_view text;
};
[[nodiscard]] std::span<const VariantFile> variantFiles();

// The paragraph as one line; empty if there is none.
[[nodiscard]] std::string variantText(std::string_view workload, std::string_view variant, EngineKind kind);

}  // namespace sscope
