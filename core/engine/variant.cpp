#include "core/engine/variant.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/engine/embedded_plan.h"
#include "core/engine/forwarding_plan.h"
#include "core/engine/joined_engine.h"
#include "core/engine/joined_plan.h"
#include "core/engine/traced_plan.h"
#include "core/engine/tuning_store.h"
#include "core/engine/variant_texts.h"

namespace sscope {

namespace {

// A plan whose tiles a search has chosen.
class RememberedPlan final : public ForwardingPlan {
 public:
  RememberedPlan(std::unique_ptr<Plan> plan, std::string date)
      : ForwardingPlan(std::move(plan)), date_(std::move(date)) {}

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    return noted(ForwardingPlan::run(inputs, outputs, control));
  }
  [[nodiscard]] ResidentRun runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                                        const Control& control) override {
    ResidentRun run = ForwardingPlan::runResident(inputs, specs, memory, control);
    run.report = noted(std::move(run.report));
    return run;
  }
  [[nodiscard]] std::string description() const override { return ForwardingPlan::description() + "; " + words(); }

 private:
  [[nodiscard]] std::string words() const { return "tiles as tuned on " + date_; }
  [[nodiscard]] RunReport noted(RunReport report) const {
    report.why += (report.why.empty() ? "" : "; ") + words();
    return report;
  }

  std::string date_;
};

// Variants that can do it there, as advice.
std::string remedyFor(const std::vector<const Variant*>& rows, const EngineInfo& engine, const Workload& workload) {
  std::string able;
  for (const Variant* row : rows)
    if (row->belongsTo(engine) && (!row->unsupported || row->unsupported(engine, workload).empty()))
      able += (able.empty() ? "" : ", ") + row->name;
  return able.empty() ? "choose another engine" : "choose another engine or the variant " + able;
}

}  // namespace

void VariantTable::add(Variant variant) {
  if (variant.explanation.empty()) variant.explanation = variantText(variant.workload, variant.name, variant.kind);
  rows_.push_back(std::move(variant));
}

std::vector<const Variant*> VariantTable::rows(std::string_view workload, EngineKind kind) const {
  std::vector<const Variant*> result;
  for (const Variant& row : rows_)
    if (row.workload == workload && row.kind == kind) result.push_back(&row);
  return result;
}

const Variant& VariantTable::at(std::string_view workload, EngineKind kind, std::string_view name) const {
  std::string known;
  for (const Variant* row : rows(workload, kind)) {
    if (name.empty() ? !row->lower : row->name == name) return *row;
    known += (known.empty() ? "" : ", ") + row->name;
  }
  if (known.empty())
    throw Error(ErrorKind::Unsupported,
                "no variant of " + std::string(workload) + " runs on " + std::string(toString(kind)) + " engines",
                "choose another engine");
  throw Error(ErrorKind::NotFound,
              "there is no variant " + std::string(name) + " of " + std::string(workload) + " for " +
                  std::string(toString(kind)) + " engines",
              "use one of " + known);
}

const Variant& VariantTable::at(std::string_view workload, const EngineInfo& engine, std::string_view name) const {
  const std::vector<const Variant*> all = rows(workload, engine.kind);
  if (!name.empty() || all.empty()) return at(workload, engine.kind, name);
  const auto own = std::ranges::find_if(all, [&](const Variant* row) { return row->belongsTo(engine) && !row->lower; });
  if (own == all.end())
    throw Error(ErrorKind::Unsupported, engine.id + " has nothing that computes the workload " + std::string(workload),
                "choose another engine");
  return **own;
}

double VariantTable::predict(const Engine& engine, const Workload& workload, std::string_view variant,
                             const PrepareOptions& options) const {
  if (const auto* joined = engineIf<JoinedEngine>(engine))
    return predictJoined(*joined, *this, workload, std::string(variant), options);
  const Variant& row = at(workload.name(), engine.info(), variant);
  const bool runs =
      row.belongsTo(engine.info()) && (!row.unsupported || row.unsupported(engine.info(), workload).empty());
  return runs && row.predict ? row.predict(engine, workload, options) : 0;
}

std::unique_ptr<Plan> VariantTable::prepare(Engine& engine, const Workload& workload, std::string_view variant,
                                            const PrepareOptions& options, const Control& control) const {
  if (const auto* joined = engineIf<JoinedEngine>(engine))
    return prepareJoined(*joined, *this, workload, std::string(variant), options, control);
  const Variant& row = at(workload.name(), engine.info(), variant);
  if (!row.belongsTo(engine.info()))
    throw Error(ErrorKind::Unsupported,
                "the variant " + row.name + " is written for " + row.onlyOn + ", not for " + engine.info().id,
                "choose that engine or another variant");
  if (row.unsupported)
    if (const std::string reason = row.unsupported(engine.info(), workload); !reason.empty())
      throw Error(ErrorKind::Unsupported,
                  "the variant " + row.name + " cannot run this on " + engine.info().id + ": " + reason,
                  remedyFor(rows(workload.name(), row.kind), engine.info(), workload));
  PrepareOptions complete = options;
  complete.values = completeOptions(row.options, options.values);
  const auto prepared = [&] {
    std::unique_ptr<Plan> plan = prepareEmbedded(
        workload, options.threads, [&](const Workload& one) { return row.prepare(engine, one, complete, control); });
    return options.trace ? traced(std::move(plan), std::string(workload.name()), options.trace) : std::move(plan);
  };
  if (!options.values.empty()) return prepared();
  const std::optional<TunedTiles> tuned = rememberedTiles(row, engine.info(), workload);
  if (!tuned || tuned->values.empty()) return prepared();
  complete.values = completeOptions(row.options, tuned->values);
  return std::make_unique<RememberedPlan>(prepared(), tuned->date);
}

}  // namespace sscope
