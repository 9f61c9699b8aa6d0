#include "app/cli/compare/compare_case.h"

#include <filesystem>
#include <utility>

#include "app/cli/bench/bench_case.h"
#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/bank_case.h"
#include "core/filter/noise_estimate.h"
#include "core/workload/catalog.h"

namespace sscope::cli {

namespace {

using compare::DataRecipe;

constexpr const char* kFilterToCompare = "gaussian:sigma=2";
constexpr std::int64_t kEdgeToCompare = 128;

// Where the data come from; noise gets its extents from whoever makes it.
DataRecipe originOf(const DataSource& source) {
  DataRecipe data;
  data.seed = source.seed;
  data.size = source.size;
  if (!source.path.empty()) {
    data.from = DataRecipe::From::File;
    data.name = std::filesystem::path(source.path).filename().string();
  } else if (!source.sample.empty()) {
    data.from = DataRecipe::From::Sample;
    data.name = source.sample;
  }
  return data;
}

void finish(CompareCase& result, const Control& control) {
  result.workload = compare::makeWorkload(result.recipe, result.input->spec(), result.input->geometry());
  std::int64_t outputs = 0;
  for (const ArraySpec& spec : result.workload->outputs()) outputs += spec.bytes();
  requireMemory(outputs);
  result.recipe = compare::completed(std::move(result.recipe), *result.workload, *result.input, control);
}

CompareCase filtersCase(const CompareSource& source, Workshop& workshop, const Control& control) {
  if (!source.parameters.empty()) throw Error(ErrorKind::Usage, "--param is for a --workload", "use --filter SPEC");
  CompareCase result;
  result.recipe.computes = kBankCase;
  result.recipe.data = originOf(source.data);
  if (source.data.empty()) {
    const auto& shape = source.shape;
    const std::int64_t edge = kEdgeToCompare;
    result.recipe.data.spec = {source.type.empty() ? ElementType::f32 : *parseElementType(source.type),
                               shape.empty()
                                   ? std::array{edge, edge, edge, std::int64_t{1}}
                                   : std::array{shape[0], shape[1], shape.size() > 2 ? shape[2] : 1, std::int64_t{1}}};
    result.input = std::make_shared<const Volume>(compare::noiseOf(result.recipe.data, control));
  } else {
    result.input = std::make_shared<const Volume>(load(*workshop.io, source.data, control).volume);
  }
  BankOptions bank = source.bank;
  if (bank.filters.empty() && bank.bank.empty() && bank.templateName.empty()) bank.filters = {kFilterToCompare};
  const auto noise = [&] {
    control.report(0, "estimating the noise");
    return estimatedScale(result.input->view(), control);
  };
  result.recipe.parameters = bankParameters(
      bankFor(bank, result.input->shape().dimensions(), result.input->geometry(), noise).bank, *result.input, control);
  finish(result, control);
  return result;
}

CompareCase catalogCase(const CompareSource& source, Workshop& workshop, const Control& control) {
  if (source.bank.given())
    throw Error(ErrorKind::Usage, "filters are for no --workload", "leave --workload or the filters out");
  if (!source.type.empty())
    throw Error(ErrorKind::Usage, "--type is for filters", "the workload " + source.workload + " has its own");
  const WorkloadKind* kind = findWorkloadKind(source.workload);
  if (kind == nullptr) {
    std::string known;
    for (const WorkloadKind& each : workloadCatalog()) known += (known.empty() ? "" : ", ") + each.name;
    throw Error(ErrorKind::Usage, "there is no workload " + source.workload,
                "use one of " + known + ", or none, for filters");
  }
  CatalogParameters given = catalogParameters(*kind, source.parameters, workshop.variants);
  CompareCase result;
  result.threads = given.threads;
  result.variantValues = std::move(given.variantValues);
  result.recipe.computes = kind->name;
  result.recipe.parameters = nlohmann::json::object();
  for (const auto& [name, value] : given.values) result.recipe.parameters[name] = optionToJson(value);
  result.recipe.data = originOf(source.data);
  if (source.data.empty()) {
    const OptionValues values = completeOptions(kind->options, given.values);
    const ArraySpec spec =
        kind->inputSpec(source.shape.empty() ? kind->smallShape : catalogShape(*kind, source.shape), values);
    result.recipe.data.spec = spec;
    result.recipe.data.seed = static_cast<std::uint64_t>(integerOf(values, "seed"));
    result.input = std::make_shared<const Volume>(compare::noiseOf(result.recipe.data, control));
  } else {
    result.input = std::make_shared<const Volume>(load(*workshop.io, source.data, control).volume);
  }
  finish(result, control);
  return result;
}

}  // namespace

CompareCase makeCompareCase(const CompareSource& source, Workshop& workshop, const Control& control) {
  if (!source.data.sample.empty()) requireKnownSample(source.data.sample);
  if (!source.data.empty() && !source.type.empty())
    throw Error(ErrorKind::Usage, "--type is for noise only", "leave it out with data of their own");
  return source.workload.empty() ? filtersCase(source, workshop, control) : catalogCase(source, workshop, control);
}

CompareCase replayedCase(const compare::Comparison& capsule, const std::string& file, Workshop& workshop,
                         const Control& control) {
  CompareCase result;
  result.recipe = capsule.recipe;
  const DataRecipe& data = capsule.recipe.data;
  const bool fromFile = data.from == DataRecipe::From::File;
  if (!fromFile && !file.empty())
    throw Error(ErrorKind::Usage, "the capsule makes its data itself", "leave --data out");
  if (fromFile && file.empty())
    throw Error(ErrorKind::NotFound, "the capsule was made with the file " + data.name + ", which it does not hold",
                "name yours with --data FILE");
  if (data.from == DataRecipe::From::Noise) {
    result.input = std::make_shared<const Volume>(compare::noiseOf(data, control));
  } else {
    const DataSource source{fromFile ? file : "", fromFile ? "" : data.name, data.size, data.seed};
    if (!fromFile) requireKnownSample(data.name);
    result.input = std::make_shared<const Volume>(load(*workshop.io, source, control).volume);
  }
  compare::requireSame(data, *result.input, control);
  finish(result, control);
  compare::requireSame(capsule.recipe, *result.workload);
  result.threads = capsule.how.threads;
  return result;
}

std::vector<std::string> filesOf(const CompareSource& source) {
  std::vector<std::string> files = filesOf(source.bank);
  files.push_back(source.data.path);
  for (const std::string& parameter : source.parameters)
    if (const std::size_t equals = parameter.find('='); equals != std::string::npos)
      files.push_back(parameter.substr(equals + 1));
  return files;
}

}  // namespace sscope::cli
