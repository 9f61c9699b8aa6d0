#include "app/cli/bench/bench_rows.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/program.h"

namespace sscope::cli {

namespace {

// The variants of another library for this workload; the names of our variants do not apply to it.
std::vector<BenchRow> peerRows(const VariantTable& table, const EngineInfo& info, const Workload& workload) {
  std::vector<BenchRow> rows;
  for (const Variant* variant : table.rows(workload.name(), info.kind))
    if (variant->belongsTo(info) && (!variant->unsupported || variant->unsupported(info, workload).empty()))
      rows.push_back({info.id, variant->name});
  if (rows.empty()) rows.push_back({info.id, {}});  // so that the table shows the reason
  return rows;
}

// The rows of one engine for --variant; an absent engine has one row, with the reason.
std::vector<BenchRow> rowsOf(const VariantTable& table, const EngineInfo& info, const std::string& variant,
                             const Workload& workload) {
  if (info.isPeer() && info.available()) return peerRows(table, info, workload);
  if (variant != "all") return {{info.id, variant}};
  std::vector<BenchRow> rows;
  if (info.available())
    for (const Variant* one : table.rows(workload.name(), info.kind))
      if (one->belongsTo(info)) rows.push_back({info.id, one->name});
  if (rows.empty()) rows.push_back({info.id, {}});
  return rows;
}

// The engines of "all" or "peers", or the one with this id.
std::vector<EngineInfo> infosOf(const EngineSet& engines, const std::string& id) {
  if (id != "all" && id != "peers") return {*engines.find(id)};
  std::vector<EngineInfo> infos;
  for (const EngineInfo& info : engines.infos())
    if (info.isPeer() == (id == "peers")) infos.push_back(info);
  return infos;
}

}  // namespace

void addRowOptions(CLI::App& command, BenchChoice& choice) {
  command
      .add_option("--engine", choice.engines,
                  "ID or ID/VARIANT, several separated by commas, all (default), or peers: other libraries; "
                  "ID+ID or KIND:all share the work")
      ->delimiter(',')
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("ID|all|peers");
  command.add_option("--variant", choice.variant, "One variant, or all (default: each engine's first)")
      ->type_name("NAME|all");
}

std::vector<BenchRow> chosenRows(const Workshop& workshop, const BenchChoice& choice, const Workload& workload) {
  const std::string name(workload.name());
  if (!choice.variant.empty() && choice.variant != "all") requireKnownVariant(workshop.variants, name, choice.variant);
  std::vector<BenchRow> rows;
  const auto add = [&](const std::vector<BenchRow>& more) {
    for (const BenchRow& row : more)
      if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  };
  const std::vector<std::string> chosen = choice.engines.empty() ? std::vector<std::string>{"all"} : choice.engines;
  for (const std::string& entry : chosen) {
    const std::size_t slash = entry.find('/');
    const std::string id = entry.substr(0, slash);
    if (id != "all" && id != "peers") {
      requireKnownEngine(workshop.engines, id);
      if (chosen.size() == 1)
        static_cast<void>(workshop.engines.at(id));  // a single requested engine must be available
    }
    for (const EngineInfo& info : infosOf(workshop.engines, id)) {
      if (slash == std::string::npos) {
        add(rowsOf(workshop.variants, info, choice.variant, workload));
      } else {
        requireKnownVariant(workshop.variants, name, entry.substr(slash + 1));
        add({{info.id, entry.substr(slash + 1)}});
      }
    }
  }
  return rows;
}

std::vector<BenchRow> withValues(std::vector<BenchRow> rows, const Workshop& workshop, std::string_view workload,
                                 const OptionValues& values) {
  for (BenchRow& row : rows) {
    const EngineInfo* info = workshop.engines.find(row.engine);
    if (info == nullptr) continue;
    for (const Variant* variant : workshop.variants.rows(workload, info->kind)) {
      if (!row.variant.empty() && variant->name != row.variant) continue;
      for (const auto& [name, value] : values)
        if (findOption(variant->options, name) != nullptr) row.values[name] = value;
      break;
    }
  }
  return rows;
}

}  // namespace sscope::cli
