#pragma once
// Functions of a row of the table of variants (core/engine/variant.h) that receive the engine and the workload as the
// types that the row is written for. Rows convert nothing themselves.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/variant.h"

namespace sscope {

// For Variant::unsupported, from why(const EngineInfo&, const W&).
template <class W, class Why>
[[nodiscard]] auto unsupportedFor(Why why) {
  return [why = std::move(why)](const EngineInfo& engine, const Workload& workload) -> std::string {
    const W* own = workloadIf<W>(workload);
    return own == nullptr ? "it computes something else" : std::string(why(engine, *own));
  };
}
// The same for rows that compute every W on every engine of their kind.
template <class W>
[[nodiscard]] auto unsupportedFor() {
  return unsupportedFor<W>([](const EngineInfo&, const W&) { return std::string(); });
}

// For Variant::prepare, from prepare(E&, const W&, const PrepareOptions&, const Control&).
template <class E, class W, class Prepare>
[[nodiscard]] auto prepareFor(Prepare prepare) {
  return [prepare = std::move(prepare)](Engine& engine, const Workload& workload, const PrepareOptions& options,
                                        const Control& control) -> std::unique_ptr<Plan> {
    return prepare(engineAs<E>(engine), workloadAs<W>(workload), options, control);
  };
}

// For Variant::predict, from predict(const E&, const W&, const PrepareOptions&).
template <class E, class W, class Predict>
[[nodiscard]] auto predictFor(Predict predict) {
  return [predict = std::move(predict)](const Engine& engine, const Workload& workload, const PrepareOptions& options) {
    return predict(engineAs<E>(engine), workloadAs<W>(workload), options);
  };
}

// For Variant::candidates, from candidates(const EngineInfo&, const W&).
template <class W, class Candidates>
[[nodiscard]] auto candidatesFor(Candidates candidates) {
  return [candidates = std::move(candidates)](const EngineInfo& engine, const Workload& workload) {
    return std::vector<OptionValues>(candidates(engine, workloadAs<W>(workload)));
  };
}

}  // namespace sscope
