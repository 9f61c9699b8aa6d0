#pragma once
// How files of filtered data were made. The window, the command line and ranks share it.

#include <optional>
#include <string>

#include "core/filter/recipe.h"
#include "core/volume/provenance.h"

namespace sscope {

// Of a bank, its type of results settled, on an engine; what a run finds out is not in it yet.
[[nodiscard]] Provenance filterProvenance(const FilterBank& bank, const std::string& engine, Provenance::Data data);

// The bank by which a file was made, if it says so.
[[nodiscard]] std::optional<FilterBank> bankThatMade(const Metadata& metadata);

// The names of the bank's results.
[[nodiscard]] std::vector<std::string> resultNames(const FilterBank& bank);

}  // namespace sscope
