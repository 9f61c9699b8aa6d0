#include "ui/rooms/compare/race_job.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/bank_case.h"
#include "core/filter/job/fitting_bank.h"
#include "core/workload/catalog.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

struct JobText {
  Q_DECLARE_TR_FUNCTIONS(RaceJob)
};

compare::DataRecipe originOf(const OpenData& data) {
  compare::DataRecipe recipe;
  recipe.seed = data.source.seed;
  recipe.size = data.source.size;
  recipe.from = data.source.sample.empty() ? compare::DataRecipe::From::File : compare::DataRecipe::From::Sample;
  recipe.name = data.source.sample.empty() ? fromQt(dataTitle(data)) : data.source.sample;
  return recipe;
}

void takeOpenData(RaceJob& job, const SessionModel& model) {
  if (!model.hasData())
    throw makeError(ErrorKind::Usage, JobText::tr("no data are open"),
                    JobText::tr("open a file, start from a sample, or choose noise"));
  if (const QString refusal = largeRefusal(model.data(), JobText::tr("a race needs all of them at once"));
      !refusal.isEmpty())
    throw makeError(ErrorKind::Memory, refusal, JobText::tr("open a smaller file, or choose noise"));
  job.what.input = model.data().volume;
  job.what.recipe.data = originOf(model.data());
  job.plane = model.crosshair()[1];
}

void takeWorkload(RaceJob& job, const CompareSettings& settings, const SessionModel& model) {
  const WorkloadKind* kind = findWorkloadKind(settings.job);
  if (kind == nullptr)
    throw makeError(ErrorKind::NotFound, JobText::tr("this program cannot compute %1").arg(toQt(settings.job)),
                    JobText::tr("choose another job"));
  compare::CaseRecipe& recipe = job.what.recipe;
  recipe.parameters = nlohmann::json::object();
  for (const auto& [name, value] : parametersOf(settings, settings.job))
    if (value != findOption(kind->options, name)->fallback) recipe.parameters[name] = optionToJson(value);
  if (settings.data == "open") {
    takeOpenData(job, model);
  } else {
    recipe.data = compare::caseKind(kind->name)
                      .noise(recipe.parameters, settings.data == "paper" ? kind->shape : kind->smallShape);
  }
}

}  // namespace

RaceJob raceJob(const CompareSettings& settings, const SessionModel& model) {
  RaceJob job;
  compare::CaseRecipe& recipe = job.what.recipe;
  recipe.computes = settings.job;
  if (settings.job == kBankCase) {
    takeOpenData(job, model);
    recipe.parameters = bankParameters(fittingBank(model.bank(), *job.what.input).bank, *job.what.input, {});
    job.output = model.shownFilterIndex();
    for (const FilterRecipe* filter : model.bank().enabled()) job.outputs.push_back(filter->name);
  } else {
    takeWorkload(job, settings, model);
  }
  job.what = compare::makeCase(std::move(recipe), job.what.input);
  job.what.threads = model.session().threads;
  const std::size_t count = job.what.workload->outputs().size();
  if (job.outputs.size() != count) {
    job.outputs.clear();
    for (std::size_t i = 0; i < count; ++i) job.outputs.push_back(fromQt(JobText::tr("output %1").arg(i + 1)));
  }
  return job;
}

QString jobWords(const compare::CaseRecipe& then, const std::optional<compare::CaseRecipe>& now) {
  const QString title = toQt(compare::titleOf(then));
  return now && compare::sameJob(then, *now) ? title
                                             : JobText::tr("The job has changed since then, which was %1").arg(title);
}

OptionValues parametersOf(const CompareSettings& settings, const std::string& workload) {
  const WorkloadKind* kind = findWorkloadKind(workload);
  if (kind == nullptr) return {};
  OptionValues given;
  for (const Option& option : kind->options)
    if (const auto found = settings.parameters.find(workload + "." + option.name); found != settings.parameters.end()) {
      try {
        given[option.name] = parseOption(option, found->second);
      } catch (const Error&) {
        continue;  // of another version of the program
      }
    }
  return completeOptions(kind->options, given);
}

std::string contenderName(const BenchRow& row) {
  return row.variant.empty() ? row.engine : row.engine + " " + row.variant;
}

BenchRow contenderOf(const std::string& name) {
  const std::size_t space = name.find(' ');
  if (space == std::string::npos) return {name, {}};
  return {name.substr(0, space), name.substr(space + 1)};
}

std::vector<const Variant*> contestedVariants(const VariantTable& variants, const std::string& workload,
                                              const EngineInfo& engine) {
  std::vector<const Variant*> rows = variants.rows(workload, engine.kind);
  std::erase_if(rows, [&](const Variant* row) { return !row->twinOf.empty() || !row->belongsTo(engine); });
  return rows;
}

std::vector<BenchRow> contendersOf(const CompareSettings& settings, const EngineSet& engines,
                                   const VariantTable& variants, const std::string& workload) {
  std::vector<BenchRow> rows;
  for (const std::string& name : settings.contenders) {
    BenchRow row = contenderOf(name);
    const EngineInfo* info = engines.find(row.engine);
    if (info == nullptr) continue;
    const std::vector<const Variant*> known = contestedVariants(variants, workload, *info);
    if (row.variant.empty() || std::ranges::find(known, row.variant, &Variant::name) != known.end())
      rows.push_back(std::move(row));
  }
  if (!settings.contenders.empty()) return rows;
  constexpr int kOwnLevels = 2;
  std::vector<BenchRow> processor;  // from wide to narrow
  for (const EngineInfo& info : engines.infos())
    if (info.hasThreads() && info.available()) processor.insert(processor.begin(), BenchRow{info.id, {}});
  std::ranges::stable_partition(processor,
                                [&](const BenchRow& row) { return row.engine == engines.preferred().info().id; });
  if (processor.size() > kOwnLevels) processor.resize(kOwnLevels);
  rows = std::move(processor);
  for (const EngineInfo& info : engines.infos())
    if (!info.hasThreads() && !info.isPeer()) rows.push_back({info.id, {}});
  return rows;
}

}  // namespace sscope
