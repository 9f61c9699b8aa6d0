// sscope bench: times a workload on engines and variants that take turns, and checks every output.

#include "core/measure/bench.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/bench_case.h"
#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/cpu/cpu_engines.h"
#include "gpu/gpu_engines.h"
#ifdef SSCOPE_WITH_PEERS
#include "app/peers/peers.h"
#endif

namespace sscope::cli {

namespace {

struct Options {
  BenchCaseOptions what;
  std::vector<std::string> engines;
  std::string variant, json, csv, report;
  int repetitions = kMinimumRepetitions;
  bool remeasure = false, warm = false;
};

Workshop makeBenchWorkshop() {
  Workshop workshop = makeWorkshop();
#ifdef SSCOPE_WITH_PEERS
  addPeerEngines(workshop.engines);
  addPeerVariants(workshop.variants);
#endif
  return workshop;
}

// What a library has for this very workload; names of our variants do not apply to it.
std::vector<BenchRow> peerRows(const VariantTable& table, const EngineInfo& info, const Workload& workload) {
  std::vector<BenchRow> rows;
  for (const Variant* variant : table.rows(workload.name(), info.kind))
    if (!variant->unsupported || variant->unsupported(info, workload).empty()) rows.push_back({info.id, variant->name});
  if (rows.empty()) rows.push_back({info.id, {}});  // the reason of the first is as good as any
  return rows;
}

// The rows of one engine: those of --variant, which absent engines and libraries have none of.
std::vector<BenchRow> rowsOf(const VariantTable& table, const EngineInfo& info, const std::string& variant,
                             const Workload& workload) {
  if (info.kind == EngineKind::Peer && info.available()) return peerRows(table, info, workload);
  if (variant != "all") return {{info.id, variant}};
  std::vector<BenchRow> rows;
  if (info.available())
    for (const Variant* one : table.rows(workload.name(), info.kind)) rows.push_back({info.id, one->name});
  if (rows.empty()) rows.push_back({info.id, {}});
  return rows;
}

// Names are engines, "engine/variant", "all" for the machine's engines (absent ones too, since their reasons belong
// into the table), or "peers" for the other libraries.
std::vector<BenchRow> chosenRows(const Workshop& workshop, const Options& options, const Workload& workload) {
  const std::string name(workload.name());
  if (!options.variant.empty() && options.variant != "all")
    requireKnownVariant(workshop.variants, name, options.variant);
  std::vector<BenchRow> rows;
  const auto add = [&](const std::vector<BenchRow>& more) {
    for (const BenchRow& row : more)
      if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  };
  const std::vector<std::string> chosen = options.engines.empty() ? std::vector<std::string>{"all"} : options.engines;
  for (const std::string& entry : chosen) {
    const std::size_t slash = entry.find('/');
    const std::string id = entry.substr(0, slash);
    if (id != "all" && id != "peers") {
      requireKnownEngine(workshop.engines, id);
      if (chosen.size() == 1) static_cast<void>(workshop.engines.at(id));  // the only one asked for must be there
    }
    for (const EngineInfo& info : workshop.engines.infos()) {
      const bool peer = info.kind == EngineKind::Peer;
      if (info.id != id && !(id == "all" && !peer) && !(id == "peers" && peer)) continue;
      if (slash == std::string::npos) {
        add(rowsOf(workshop.variants, info, options.variant, workload));
      } else {
        requireKnownVariant(workshop.variants, name, entry.substr(slash + 1));
        add({{info.id, entry.substr(slash + 1)}});
      }
    }
  }
  return rows;
}

// Each row takes the parameters that its variant declares.
std::vector<BenchRow> withValues(std::vector<BenchRow> rows, const Workshop& workshop, const BenchCase& one) {
  for (BenchRow& row : rows)
    for (const EngineInfo& info : workshop.engines.infos()) {
      if (info.id != row.engine) continue;
      for (const Variant* variant : workshop.variants.rows(one.workload->name(), info.kind)) {
        if (!row.variant.empty() && variant->name != row.variant) continue;
        for (const auto& [name, value] : one.variantValues)
          if (findOption(variant->options, name) != nullptr) row.values[name] = value;
        break;
      }
    }
  return rows;
}

std::string footnote(const std::vector<Measurement>& results) {
  std::string text;
  const auto add = [&](const std::string& line) {
    if (text.find(line) == std::string::npos) text += line + "\n";
  };
  for (const Measurement& m : results)
    if (m.hasFigures()) {
      add("caches: " + m.caches);
      add("compared: " + m.verification.coverage);
    }
  return text;
}

int run(Program& program, const Options& options) {
  const Workshop workshop = makeBenchWorkshop();
  const Control control = program.control();
  BenchReport report{thisMachine(), workshop.engines.infos(), {}};
  std::erase_if(report.devices, [](const EngineInfo& info) { return info.kind == EngineKind::Peer; });
  const std::vector<std::string> names =
      options.what.workload == "all" ? benchWorkloads() : std::vector<std::string>{options.what.workload};
  std::string text;
  for (const std::string& name : names) {
    BenchCaseOptions what = options.what;
    what.workload = name;
    const BenchCase one = makeBenchCase(what, workshop.variants, *workshop.io, control);
    BenchOptions how;
    how.repetitions = options.repetitions;
    how.threads = one.threads;
    how.emptyCaches = !options.warm;
    how.remeasureCeilings = options.remeasure;
    const ConstArrayView input = one.input.view();
    const std::vector<Measurement> results =
        runBench(workshop.engines, workshop.variants, *one.workload, {&input, 1},
                 withValues(chosenRows(workshop, options, *one.workload), workshop, one), how, control);
    text += one.title + "\n" + toTable(results) + footnote(results);
    report.results.insert(report.results.end(), results.begin(), results.end());
  }
  if (options.json != "-") writeText(program, "-", text);
  if (!options.json.empty()) writeJson(program, options.json, toJson(report));
  if (!options.csv.empty()) writeText(program, options.csv, toCsv(report));
  if (!options.report.empty()) writeText(program, options.report, toHtml(report));
  for (const Measurement& m : report.results)
    if (!m.failed.empty())
      throw Error(ErrorKind::Device, m.engine + " " + m.variant + " failed: " + m.failed, "its figures are left out");
  return 0;
}

}  // namespace

void addBench(CLI::App& app, Program& program) {
  const auto options = std::make_shared<Options>();
  std::string workloads;
  for (const std::string& name : benchWorkloads()) workloads += (workloads.empty() ? "" : ", ") + name;
  CLI::App* command = app.add_subcommand("bench", "Time engines and variants against each other, every output checked");
  command->add_option("WORKLOAD", options->what.workload, workloads + ", or all")->required();
  command
      ->add_option("--engine", options->engines,
                   "ID or ID/VARIANT, several with commas, all (default), or peers: other libraries")
      ->delimiter(',')
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("ID|all|peers");
  command->add_option("--variant", options->variant, "One variant, or all (default: each engine's first)")
      ->type_name("NAME|all");
  CLI::Option* shape = command->add_option("--shape", options->what.shape, "Extents of the noise that is computed on")
                           ->delimiter(',')
                           ->expected(2, 3)
                           ->allow_extra_args(false)
                           ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 24))
                           ->type_name("X,Y[,Z]");
  CLI::Option* input = command->add_option("--input", options->what.source.path, "Compute on a file")
                           ->excludes(shape)
                           ->type_name("FILE");
  CLI::Option* sample = command->add_option("--sample", options->what.source.sample, "Compute on a built-in sample")
                            ->excludes(shape)
                            ->excludes(input)
                            ->type_name("NAME");
  command->add_option("--size", options->what.source.size, "Voxels along each edge of the sample")
      ->check(CLI::PositiveNumber)
      ->needs(sample);
  command->add_option("--param", options->what.parameters, "A parameter of the workload; may be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--reps", options->repetitions, "Repetitions, at least 7; more are made until 0.3 s have passed")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--remeasure", options->remeasure, "Measure the ceilings again");
  command->add_flag("--warm", options->warm, "Use one buffer, which may stay in the caches");
  command->add_option("--json", options->json, "Write JSON to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->add_option("--csv", options->csv, "Write CSV")->type_name("FILE");
  command->add_option("--report", options->report, "Write a page with table and chart")->type_name("FILE.html");
  command->footer([] {
    VariantTable variants;
    addCpuVariants(variants);
    addGpuVariants(variants);
    return benchParameterHelp(variants);
  });
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
