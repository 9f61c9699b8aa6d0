#pragma once
// Which rows of the variant table were compared on which engine. A row that no instance reached is a failure: if
// restrictions began to refuse everything, nothing would be wrong in what was left to compare.

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/variant.h"

namespace sscope::test {

class Coverage {
 public:
  // Expects every row of the workload on every engine that it belongs to; `wanted` leaves out what another test
  // compares.
  Coverage(const VariantTable& variants, const std::vector<EngineInfo>& engines, const std::string& workload,
           const std::function<bool(const Variant&)>& wanted = {});

  // Whether the engine takes this instance. What it says when it does not is remembered.
  [[nodiscard]] bool takes(const EngineInfo& engine, const Variant& row, const Workload& instance);
  void compared(const EngineInfo& engine, const Variant& row);

  // Rows that were never compared, with the engine and its last reason.
  [[nodiscard]] std::vector<std::string> missing() const;
  // As missing(), for rows whose requirements the engine lacks: not a failure, but reported.
  [[nodiscard]] std::vector<std::string> lacking() const;

  // At the end of a test: fails for missing rows and reports lacking ones as skipped.
  void requireAll() const;

 private:
  struct Place {
    EngineInfo engine;
    int compared = 0;
    std::string refusal;
  };
  [[nodiscard]] std::vector<std::string> unseen(bool lacking) const;
  std::map<std::pair<std::string, std::string>, Place> places_;  // by engine's id and row's name
};

[[nodiscard]] std::vector<EngineInfo> infosOf(const std::vector<Engine*>& engines);

}  // namespace sscope::test
