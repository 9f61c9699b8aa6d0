// sscope sample: writes a built-in sample to a file.

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command_files.h"
#include "app/cli/options.h"
#include "app/cli/pipe_files.h"
#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/job/output_files.h"
#include "core/measure/table.h"
#include "core/volume/provenance.h"
#include "datasets/samples.h"

namespace sscope::cli {

namespace {

struct SampleArguments {
  DataSource source;
  std::string output, format;
  bool list = false, compress = false;
};

std::string samplesTable() {
  TextRows rows{{"name", "size", "description"}};
  for (const Sample& one : samples()) {
    const std::string edge = std::to_string(one.defaultSize);
    rows.push_back({one.name, edge + "x" + edge + (one.dimensions == 3 ? "x" + edge : ""), one.description});
  }
  return textTable(rows);
}

Provenance sampleProvenance(const DataSource& source) {
  nlohmann::json made{{"name", source.sample}, {"seed", source.seed}};
  if (source.size > 0) made["size"] = source.size;
  return provenanceOf("sample", std::move(made), std::nullopt);
}

int run(Program& program, const SampleArguments& options) {
  if (options.list) {
    writeText(program, "-", samplesTable());
    return 0;
  }
  if (options.source.sample.empty())
    throw Error(ErrorKind::Usage, "no sample is named", "`sscope sample --list` shows them");
  requireKnownSample(options.source.sample);
  if (options.output.empty()) throw Error(ErrorKind::Usage, "no output file is named", "name one with -o FILE");
  const Workshop workshop = makeWorkshop({}, Devices::Leave);
  const std::string output = withStem(options.output, options.source.sample);
  if (output != "-") requireSafeTargets({{}, {output}});
  const OutputFile file(program, output, options.format);
  file.fill([&] {
    if (options.compress) workshop.io->checkCompressible(file.path());
    const Control control = program.control();
    const LoadedVolume loaded = load(*workshop.io, options.source, control);
    workshop.io->checkWritable(file.path(), loaded.volume.shape(), loaded.volume.type());
    if (const std::string dropped = workshop.io->dropped(file.path(), loaded.volume.geometry(), {}); !dropped.empty())
      program.note("note: " + dropped);
    WriteOptions how;
    how.compress = options.compress;
    how.provenance = GrowingProvenance(sampleProvenance(options.source)).of();
    program.interrupt.writes(file.path());
    workshop.io->write(file.path(), loaded.volume, how, control);
    program.tell(output + ": " + loaded.volume.shape().text() + " " + std::string(toString(loaded.volume.type())));
  });
  return 0;
}

}  // namespace

void addSample(CLI::App& app, Program& program) {
  const auto options = std::make_shared<SampleArguments>();
  CLI::App* command = app.add_subcommand("sample", "Write a built-in sample to a file");
  CLI::Option* name = command->add_option("NAME", options->source.sample, "The sample; see --list");
  CLI::Option* output = command->add_option(
      "-o,--output", options->output,
      "The file to write, or - ; its extension chooses the format, {stem} becomes the sample's name");
  command->add_option("--format", options->format, "The format of the standard output (default nrrd)")
      ->type_name("EXT");
  command->add_flag("--compress", options->compress, "Compress the voxels (nrrd, mha, tif, h5)");
  command->add_option("--size", options->source.size, "Voxels along each edge (default: the sample's own)")
      ->transform(wholeNumberWithin(1, kLargestSample));
  addSeedOption(*command, options->source.seed, "Seed of the samples with noise (default 1)");
  command->add_flag("--list", options->list, "List the samples")->excludes(name)->excludes(output);
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
