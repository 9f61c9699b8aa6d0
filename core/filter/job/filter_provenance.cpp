#include "core/filter/job/filter_provenance.h"

#include <utility>

#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"

namespace sscope {

Provenance filterProvenance(const FilterBank& bank, const std::string& engine, Provenance::Data data) {
  Provenance made = provenanceOf("filter", {{"bank", toJson(bank)}}, std::move(data));
  made.engine = engine;
  return made;
}

std::optional<FilterBank> bankThatMade(const Metadata& metadata) {
  if (metadata.provenance.empty()) return std::nullopt;
  try {
    const Provenance made = parseProvenance(metadata.provenance);
    if (made.command == "filter" && made.options.contains("bank")) return bankFromJson(made.options.at("bank"));
  } catch (const Error&) {
    // Damaged, or of another version: the window shows what it is.
  } catch (const nlohmann::json::exception&) {
  }
  return std::nullopt;
}

std::vector<std::string> resultNames(const FilterBank& bank) {
  std::vector<std::string> names;
  for (const FilterRecipe* recipe : bank.results()) names.push_back(recipe->name);
  return names;
}

}  // namespace sscope
