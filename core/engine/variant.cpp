#include "core/engine/variant.h"

#include "core/base/error.h"

namespace sscope {

std::vector<const Variant*> VariantTable::rows(std::string_view workload, EngineKind kind) const {
  std::vector<const Variant*> result;
  for (const Variant& row : rows_)
    if (row.workload == workload && row.kind == kind) result.push_back(&row);
  return result;
}

const Variant& VariantTable::at(std::string_view workload, EngineKind kind, std::string_view name) const {
  std::string known;
  for (const Variant* row : rows(workload, kind)) {
    if (name.empty() || row->name == name) return *row;
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

std::unique_ptr<Plan> VariantTable::prepare(Engine& engine, const Workload& workload, std::string_view variant,
                                            const PrepareOptions& options, const Control& control) const {
  const Variant& row = at(workload.name(), engine.info().kind, variant);
  if (row.unsupported)
    if (const std::string reason = row.unsupported(engine.info(), workload); !reason.empty())
      throw Error(ErrorKind::Unsupported,
                  "the variant " + row.name + " cannot run this on " + engine.info().id + ": " + reason,
                  "choose another variant or engine");
  PrepareOptions complete = options;
  complete.values = completeOptions(row.options, options.values);
  return row.prepare(engine, workload, complete, control);
}

}  // namespace sscope
