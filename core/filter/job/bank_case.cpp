#include "core/filter/job/bank_case.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_adjoint.h"
#include "core/filter/program/data_unit.h"
#include "core/filter/program/program_workload.h"
#include "core/filter/recipe.h"

namespace sscope {

namespace {

FilterBank bankOf(nlohmann::json parameters) {
  double unit = 1;
  if (const auto found = parameters.is_object() ? parameters.find("unit") : parameters.end();
      found != parameters.end()) {
    int exponent = 0;
    if (found->is_number()) unit = found->get<double>();
    if (!found->is_number() || !std::isfinite(unit) || std::frexp(unit, &exponent) != 0.5)
      throw Error(ErrorKind::BadData, "the unit of a bank must be a power of two");
    parameters.erase(found);
  }
  FilterBank bank = bankFromJson(parameters);
  bank.unit = unit;
  return bank;
}

std::unique_ptr<Workload> workloadOfBank(const nlohmann::json& parameters, const ArraySpec& input,
                                         const Geometry& geometry) {
  const FilterBank bank = bankOf(parameters);
  if (bank.results().empty()) throw Error(ErrorKind::Usage, "the bank has no filter that is on", "switch one on");
  return bankWorkload(bank, input, geometry, false);
}

std::string wordsOfBank(const nlohmann::json& parameters) {
  const FilterBank bank = bankOf(parameters);
  constexpr std::size_t kMostNamed = 8;
  std::string text;
  std::size_t named = 0;
  const std::vector<const FilterRecipe*> enabled = bank.enabled();
  for (const FilterRecipe* recipe : enabled) {
    if (named++ == kMostNamed) {
      text += " and " + std::to_string(enabled.size() - kMostNamed) + " more";
      break;
    }
    text += (text.empty() ? "" : ", ") + (recipe->family == "custom" ? "custom" : formatFilterSpec(*recipe));
  }
  return text + "; boundary " + std::string(toString(bank.boundary)) +
         (bank.output.automatic ? "" : ", results in " + toString(bank.output));
}

compare::Adjoint adjointOfBank(const Workload& workload, std::size_t output) {
  if (const auto* filters = workloadIf<FilterWorkload>(workload)) return filterAdjoint(*filters, output);
  return {nullptr, "rows that read each other and formulas have none that is known"};
}

}  // namespace

nlohmann::json bankParameters(FilterBank bank, const Volume& input, const Control& control) {
  nlohmann::json parameters = toJson(bank);
  bank.unit = 1;
  if (const double unit = dataUnitOf(bank, input, control); unit != 1) parameters["unit"] = unit;
  return parameters;
}

std::vector<compare::CaseKind> filterCases() { return {{kBankCase, workloadOfBank, wordsOfBank, adjointOfBank}}; }

}  // namespace sscope
