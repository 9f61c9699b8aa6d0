#include "app/mpi/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <vector>

#include "app/cli/checks.h"
#include "app/cli/correction_options.h"
#include "app/cli/filter/bank_options.h"
#include "app/cli/filter/filter_task.h"
#include "app/cli/rank_engine.h"
#include "app/cli/targets.h"
#include "app/mpi/rank_files.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/cpu/run/threads.h"
#include "core/filter/families/family.h"
#include "core/filter/job/filter_provenance.h"
#include "core/filter/job/output_type.h"
#include "core/filter/program/data_unit.h"
#include "core/filter/program/program_workload.h"
#include "core/job/output_files.h"
#include "core/job/run_provenance.h"
#include "core/measure/judged_parts.h"
#include "core/measure/table.h"
#include "core/measure/verify.h"
#include "core/parts/agreed.h"
#include "core/parts/sparse_volume.h"
#include "core/reach/slab_share.h"
#include "core/reach/worst_of_ranks.h"
#include "core/volume/not_finite.h"

namespace sscope::mpi {

using reach::agreed;

namespace {


struct FilterArguments {
  std::string input, output, engine, variant, json;
  cli::BankOptions bank;
  int threads = 0;
  bool verify = false;
};

Box boxOf(const RankInput& input, const Range& planes) {
  return reach::slab(input.spec().extent, input.axis(), planes);
}

// Part of a volume's memory, as one by itself.
Volume planesOf(const std::shared_ptr<reach::SparseVolume>& array, const Range& planes) {
  std::array<std::int64_t, 4> own = array->volume().spec().extent;
  own[array->axis()] = planes.size();
  return {{own[0], own[1], own[2], static_cast<int>(own[3])},
          array->volume().type(),
          {},
          std::shared_ptr<std::byte>(array, array->plane(planes.begin))};
}

// One file by all ranks, from its header to the results.
class RankFilter {
 public:
  RankFilter(cli::Program& program, Workshop& workshop, const FilterArguments& options)
      : program_(program),
        ranks_(program.ranks),
        workshop_(workshop),
        options_(options),
        control_(program.control()),
        input_(program, *workshop.io, options.input) {
    const VolumeInfo& info = input_.info();
    for (const std::string& notice : info.notices) program.note("note: " + notice);
    task_.source.path = options.input;
    task_.output = options.output;
    const Stopwatch watch;
    cli::BankForData made = cli::bankFor(options.bank, info.shape.dimensions(), info.geometry,
                                         [&] { return input_.scale(ranks_, control_); });
    lookedSeconds_ = watch.seconds();
    if (info.metadata.labels)
      for (const std::string& notice : labelNotices(made.bank)) program.note("note: " + notice);
    for (const std::string& notice : made.notices) program.note("note: " + notice);
    task_.job.bank = std::move(made.bank);
    reach::agreed(ranks_, control_, [&] { task_.job.bank.unit = input_.unit(task_.job.bank, control_); });
    job_ = task_.job;
    job_.engine = cli::rankEngine(workshop.engines, options.engine, ranks_).info().id;
    job_.variant = options.variant;
    job_.threads = options.threads > 0 ? options.threads : program.threads;
    job_.asWhole = true;
    made_.emplace(Provenance{});
  }

  void run() {
    planFiles();
    cut();
    const Stopwatch watch;
    readPlanes();
    control_.report(0.3, "computing");
    const Volume whole(info().shape, info().type, info().geometry,
                       std::shared_ptr<std::byte>(array_, array_->plane(0)));
    job_.region = boxOf(input_, own_);
    FilterResult result;
    agreed(ranks_, control_, [&] {
      result = runFilter(workshop_.engines, workshop_.variants, job_, whole, control_.part(0.3, 0.8));
      if (options_.verify) verify(whole, result);
    });
    if (verification_) {
      verification_ = reach::worstOfRanks(*verification_, ranks_, control_);
      requireVerified(*verification_, result.report.engine);
    }
    sign(result);
    write(result);
    tell(result, lookedSeconds_ + watch.seconds());
  }

 private:
  [[nodiscard]] const VolumeInfo& info() const { return input_.info(); }
  [[nodiscard]] ElementType outputType() const { return job_.bank.outputType(info().type); }

  // As sscope does: what can go wrong with the files is found before anything is computed.
  void planFiles() {
    if (options_.output.empty()) return;
    const VolumeIo& io = *workshop_.io;
    std::optional<std::string> settled;
    agreed(ranks_, control_, [&] {
      cli::Targets targets{{options_.json}, {}};
      for (const auto& file : outputFiles(options_.output, resultNames(job_.bank)))
        targets.volumes.push_back(file.string());
      if (program_.speaks()) cli::requireSafeTargets(targets, {options_.input});
      settled = settleOutputType(io, options_.output, info().shape, info().type, job_.bank);
      plan_ = planOutputs(io, options_.output, resultNames(job_.bank), info().shape, outputType());
      requireKept(io, plan_, {info().shape, outputType(), info().geometry}, info().metadata, false);
      std::ranges::for_each(plan_.files, requireShared);
    });
    if (settled) program_.note("note: " + *settled);
    writeOptions_ = writeOptionsFor(plan_, info().metadata, {});
    job_.interleave = plan_.interleaved;
    made_.emplace(filterProvenance(job_.bank, job_.engine, dataNamed(options_.input, info())));
    for (const std::string& note : droppedNotes(io, plan_, info().geometry, info().metadata))
      program_.note("note: " + note);
  }

  // Planes as equal as can be, at multiples of what the plans of all ranks need for the bits of the whole.
  void cut() {
    own_ = reach::planesOfRanks(input_.planes(), ranks_.size())[static_cast<std::size_t>(ranks_.rank())];
    std::int64_t grain = 1;
    agreed(ranks_, control_, [&] {
      // The plan of a part says so; it reads no voxel.
      array_ = std::make_shared<reach::SparseVolume>(input_.spec());
      const Volume whole(info().shape, info().type, info().geometry,
                         std::shared_ptr<std::byte>(array_, array_->plane(0)));
      FilterJob probe = job_;
      probe.region = boxOf(input_, own_);
      grain = PreparedFilter(workshop_.engines, workshop_.variants, probe, whole, control_).grain();
    });
    const auto mine = static_cast<double>(grain);
    for (const double each : ranks_.gather({&mine, 1}, control_)) {
      if (each == 0) grain = input_.planes();
      if (each > 0) grain = std::lcm(grain, static_cast<std::int64_t>(each));
    }
    if (grain == 1) return;
    const std::int64_t blocks = (input_.planes() + grain - 1) / grain;
    if (blocks < ranks_.size())
      throw Error(ErrorKind::Usage,
                  "these filters are computed in blocks of " + std::to_string(grain) + " planes, of which there are " +
                      std::to_string(blocks) + ", fewer than ranks",
                  (blocks == 1 ? "start one rank" : "start at most " + std::to_string(blocks) + " ranks") +
                      ", or choose another variant, or engines of one kind");
    const Range chosen = reach::planesOfRanks(blocks, ranks_.size())[static_cast<std::size_t>(ranks_.rank())];
    own_ = {chosen.begin * grain, std::min(chosen.end * grain, input_.planes())};
  }

  void readPlanes() {
    const auto whole = bankWorkload(job_.bank, input_.spec(), info().geometry, false);
    part_ = whole->cutTo(boxOf(input_, own_));
    const std::array<std::int64_t, 4> extent = part_->outputs().front().extent;
    agreed(ranks_, control_, [&] {
      for (const Range& range : part_->reachAlong(input_.axis(), {{0, 0, 0}, {extent[0], extent[1], extent[2]}}))
        input_.read(range.begin, range.end,
                    {array_->plane(range.begin), static_cast<std::size_t>(range.size() * input_.planeBytes())},
                    control_.part(0, 0.3));
    });
    if (!usesDataUnit(job_.bank, {info().shape, info().type, info().geometry})) return;
    // That of all ranks.
    const double mine = sampledMagnitude(planesOf(array_, own_), control_);
    const std::vector<double> all = ranks_.gather({&mine, 1}, control_);
    job_.bank.unit = dataUnit(info().type, *std::ranges::max_element(all));
    part_ = bankWorkload(job_.bank, input_.spec(), info().geometry, false)->cutTo(boxOf(input_, own_));
  }

  void verify(const Volume& whole, const FilterResult& result) {
    if (job_.interleave)
      throw Error(ErrorKind::Unsupported, "ranks do not compare results that share a file", "write {} into its name");
    const ConstArrayView input = whole.view();
    std::vector<ConstArrayView> outputs;
    for (const Volume& output : result.outputs) outputs.push_back(output.view());
    VerifyOptions how;
    how.writtenOut = result.report.writtenOut;
    how.names = result.names;
    verification_ = sscope::verify(*part_, {&input, 1}, outputs, how, control_);
    // A part in which rounding decides everything says nothing of the others.
    if (verdictOf(*verification_) == Verdict::Wrong) requireVerified(*verification_, result.report.engine);
  }

  // What is known of the files now, alike on all ranks.
  void sign(const FilterResult& result) {
    FingerprintSum sum(info().shape, info().type);
    sum.add(own_.begin, {array_->plane(own_.begin), static_cast<std::size_t>(own_.size() * input_.planeBytes())});
    learnRun(*made_, result.report, verification_, fingerprintOfAll(sum, ranks_, control_));
  }

  void write(const FilterResult& result) {
    std::vector<std::unique_ptr<RankOutput>> files;
    for (std::size_t i = 0; i < plan_.files.size(); ++i) {
      const Volume& own = result.outputs[i];
      VolumeShape shape = info().shape;
      shape.components = own.shape().components;
      const VolumeOutline outline{shape, own.type(), info().geometry};
      WriteOptions options = writeOptions_;
      const std::vector<std::string> results = resultNames(job_.bank);
      options.provenance = made_->of(plan_.interleaved ? results : std::vector{results.at(i)});
      files.push_back(std::make_unique<RankOutput>(program_, plan_.files[i], outline, options));
      files[i]->sign(*made_);
      agreed(ranks_, control_, [&] {
        files[i]->write(own_.begin, {own.data(), static_cast<std::size_t>(own.bytes())}, control_.part(0.8, 1));
      });
      files[i]->complete(control_);
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      files[i]->name(control_);
      program_.log("wrote " + plan_.files[i].string());
    }
  }

  // The sums of what all ranks have lost.
  std::vector<std::string> noticesOf(const FilterResult& result) {
    ResultLosses own{.from = info().type, .to = outputType(), .formulas = hasFormulas(job_.bank), .input = {}};
    own.input = inputLosses(planesOf(array_, own_), own.to, control_);
    for (const std::int64_t each : result.report.saturated) own.saturated += each;
    for (const Volume& output : result.outputs) own.nonFinite += countNonFinite(output, control_);
    return lossNotices(reach::ofAllRanks(own, ranks_, control_));
  }

  void tell(const FilterResult& result, double seconds) {
    for (const std::string& notice : noticesOf(result)) program_.note("note: " + notice);
    const std::array<double, 1> kernel{result.report.phases.kernel};
    double slowest = 0;
    for (const double each : ranks_.gather(kernel, control_)) slowest = std::max(slowest, each);
    program_.tell(std::to_string(ranks_.size()) + (ranks_.size() == 1 ? " rank" : " ranks") + " ran " +
                  result.report.variant + " on " + result.report.engine + ", " + shortNumber(1e3 * slowest) +
                  " ms kernel, " + shortNumber(1e3 * seconds) + " ms total" +
                  (verification_ ? cli::verificationText(*verification_) : ""));
    if (options_.json.empty() || !program_.speaks()) return;
    cli::FilterOutcome outcome;
    outcome.report = result.report;
    outcome.names = result.names;
    for (const auto& file : plan_.files) outcome.files.push_back(file.string());
    outcome.output = job_.bank.output;
    outcome.verification = verification_;
    outcome.measurement.shape = {info().shape.nx, info().shape.ny, info().shape.nz};
    nlohmann::json report = cli::toJson(task_, outcome);
    report["ranks"] = ranks_.size();
    report["slowest_kernel_s"] = slowest;
    report["seconds"] = seconds;
    cli::writeJson(program_, options_.json, report);
  }

  cli::Program& program_;
  reach::Communicator& ranks_;
  Workshop& workshop_;
  const FilterArguments& options_;
  Control control_;
  RankInput input_;
  cli::FilterTask task_;
  FilterJob job_;
  OutputPlan plan_;
  WriteOptions writeOptions_;
  std::optional<GrowingProvenance> made_;
  double lookedSeconds_ = 0;  // at values that options follow
  Range own_;
  std::shared_ptr<reach::SparseVolume> array_;
  std::unique_ptr<Workload> part_;
  std::optional<Verification> verification_;
};

int filterFile(cli::Program& program, const FilterArguments& options) {
  if (!options.bank.templateName.empty())
    throw Error(ErrorKind::Usage, "a template looks at all voxels, and ranks have a part each",
                "write the bank to a file first, and give --bank");
  Workshop workshop = makeWorkshop({}, cli::devicesFor(options.engine));
  if (!options.variant.empty()) cli::requireKnownVariant(workshop.variants, "filter", options.variant);
  const cpu::ThreadLimit limit(options.threads > 0 ? options.threads : program.threads);
  RankFilter(program, workshop, options).run();
  return 0;
}

}  // namespace

void addRankFilter(CLI::App& app, cli::Program& program) {
  const auto options = std::make_shared<FilterArguments>();
  CLI::App* command = app.add_subcommand("filter", "Filter a file, of which every rank reads and writes its planes");
  command->add_option("IN", options->input, "A file whose voxels can be read by planes")->required();
  cli::addCorrectionOptions(*command, options->input);
  command->add_option("-o,--output", options->output, "The file to write; {} becomes the filter's name")
      ->required()
      ->type_name("OUT");
  cli::addBankOptions(*command, options->bank);
  command
      ->add_option("--engine", options->engine,
                   "An engine, or cuda or opencl, whose devices the ranks of a machine take in turn (default: the "
                   "processor)")
      ->type_name("ID");
  command->add_option("--variant", options->variant, "How to compute (default: the engine's first)")->type_name("NAME");
  command->add_option("--threads", options->threads, "Threads of each rank (default 0: its share of the cores)")
      ->transform(cli::wholeNumberWithin(0, 4096));
  command->add_flag("--verify", options->verify, "Compare with the reference before writing, on each rank its planes");
  command->add_option("--json", options->json, "Write a report to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->callback(
      [&program, options] { program.action = [&program, options] { return filterFile(program, *options); }; });
}

}  // namespace sscope::mpi
