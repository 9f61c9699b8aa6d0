#include "core/filter/job/output_type.h"

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/job/output_files.h"

namespace sscope {

std::optional<std::string> settleOutputType(const VolumeIo& io, const std::string& pattern, const VolumeShape& input,
                                            ElementType type, FilterBank& bank) {
  const std::vector<std::string> names = bank.resultNames();
  const auto holds = [&](ElementType one) {
    try {
      static_cast<void>(planOutputs(io, pattern, names, input, one));
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  const ElementType wanted = bank.outputType(type);
  if (!bank.output.automatic || holds(wanted) || !holds(type)) return std::nullopt;
  bank.output = {std::nullopt};
  return "the results are stored as " + std::string(toString(type)) + ", rounded, because the file cannot hold " +
         std::string(toString(wanted));
}

std::vector<std::string> labelNotices(const FilterBank& bank) {
  std::vector<std::string> notices;
  for (const FilterRecipe* recipe : bank.results())
    if (filterFamily(recipe->family).results != ResultValues::OfTheData)
      notices.push_back("the values name regions, and " + recipe->name + " computes with them as numbers");
  return notices;
}

}  // namespace sscope
