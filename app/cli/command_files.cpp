#include "app/cli/command_files.h"

#include <algorithm>
#include <iostream>
#include <map>

#include <CLI/CLI.hpp>

#include "app/cli/options.h"
#include "app/cli/pipe_files.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/words.h"
#include "core/io/base/formats.h"
#include "core/io/volume_io.h"
#include "core/job/output_files.h"

namespace sscope::cli {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void twice(const std::string& target) {
  throw Error(ErrorKind::Usage, "two outputs would both be written to " + target, "rename one of them");
}

}  // namespace

void requireSafeTargets(const Targets& targets, const std::vector<std::string>& inputs) {
  const auto io = makeVolumeIo();
  std::vector<fs::path> files;
  for (const std::string& report : targets.reports)
    if (!report.empty() && report != "-") files.emplace_back(report);
  if (std::count(targets.reports.begin(), targets.reports.end(), "-") > 1) twice("-");
  for (const std::string& volume : targets.volumes) {
    if (volume == "-")
      throw Error(ErrorKind::Usage, "this command cannot write a volume to the standard output", "name a file");
    if (volume.empty()) continue;
    requireOwnData(*io, volume);
    for (fs::path& file : io->filesWritten(volume)) files.push_back(std::move(file));
  }
  if (files.empty()) return;
  InputFiles read;
  for (const std::string& input : inputs) read.add(*io, isPipe(input) ? "/dev/stdin" : input);
  for (const fs::path& file : files) checkTarget(file);
  if (const std::string refusal = refusalToReplace(read, files, "read"); !refusal.empty())
    throw Error(ErrorKind::Usage, refusal);
  FileIndex seen;
  for (const fs::path& file : files)
    if (!seen.add(FileIdentity::of(file), 0)) twice(file.string());
  for (const std::string& report : targets.reports)
    if (fs::path(report).extension() != ".json")
      io::requireNoFormat(report, "a report", "name it .json, .csv, .html or .txt");
}

namespace {

constexpr const char* kStem = "{stem}";

void requireUsable(const Batch& batch, const Besides& besides) {
  if (besides.report == "-" && batch.output == "-")
    throw Error(ErrorKind::Usage, "two outputs would both be written to -", "rename one of them");
  if (batch.inputs.size() == 1) return;
  if (batch.output.find(kStem) == std::string::npos)
    throw Error(ErrorKind::Usage, "several inputs need several outputs",
                "put {stem} into the name of the output, as in -o 'out/{stem}.nii.gz'");
  if (!besides.report.empty())
    throw Error(ErrorKind::Usage, "a report describes one input", "omit --json, or give the inputs one at a time");
  if (std::any_of(batch.inputs.begin(), batch.inputs.end(), isPipe))
    throw Error(ErrorKind::Usage, "the standard input cannot be one of several inputs", "give it alone");
}

// The value of {stem}.
std::string stemOf(const VolumeIo& io, const std::string& input) {
  if (!isPipe(input)) return inputStem(io, input);
  const std::size_t choice = input.find('@');
  return inputStem(io, "stdin" + (choice == std::string::npos ? "" : input.substr(choice)));
}

std::vector<std::string> outputsOf(const VolumeIo& io, const Batch& batch) {
  std::vector<std::string> outputs;
  std::map<std::string, std::string> inputOf;
  for (const std::string& input : batch.inputs) {
    outputs.push_back(withStem(batch.output, stemOf(io, input)));
    const auto [other, isNew] = inputOf.emplace(outputs.back(), input);
    if (!isNew)
      throw Error(ErrorKind::Usage, other->second + " and " + input + " would both become " + outputs.back(),
                  "rename one of them, or run them one at a time");
  }
  return outputs;
}

// No output may replace an input or another output.
void requireSafe(const Batch& batch, const Besides& besides, const std::vector<std::string>& outputs) {
  Targets targets{{besides.report}, {}};
  for (const std::string& output : outputs) {
    if (output == "-") continue;
    const auto files =
        besides.names.empty() ? std::vector<std::filesystem::path>{output} : outputFiles(output, besides.names);
    for (const std::filesystem::path& file : files) targets.volumes.push_back(file.string());
  }
  std::vector<std::string> inputs = batch.inputs;
  inputs.insert(inputs.end(), besides.reads.begin(), besides.reads.end());
  requireSafeTargets(targets, inputs);
}

void runOne(Program& program, const Batch& batch, const std::string& input, const std::string& output,
            const std::function<void(const std::string&, const std::string&)>& one) {
  const OutputFile out(program, output, batch.format);
  const InputFile in(program, input);
  out.fill([&] { in.explain([&] { one(in.path(), out.path()); }); });
}

}  // namespace

void addBatchOptions(CLI::App& command, Batch& batch, const std::string& outputHelp) {
  command
      .add_option("IN", batch.inputs,
                  "Files, DICOM folders or patterns of slices; - is the standard input. NAME@t=3 selects frame 3, "
                  "NAME@c=1 channel 1 (both from 0), NAME@series=2 the second DICOM series; OME-Zarr stores have "
                  "levels, NAME@level=1 (from 0)")
      ->required();
  addCorrectionOptions(command, batch.inputs);
  command.add_option("-o,--output", batch.output, outputHelp)->required()->type_name("OUT");
  command.add_option("--format", batch.format, "The format of the standard output (default nrrd)")->type_name("EXT");
  command.add_flag("--compress", batch.compress,
                   "Compress the voxels (nrrd, mha, tif, h5, npz, zarr; nii.gz and png always are)");
  command
      .add_option_function<std::string>(
          "--zarr", [&batch](const std::string& version) { batch.zarr3 = version == "0.5"; },
          "The version of OME-Zarr to write: 0.4, in Zarr 2 (default), or 0.5, in Zarr 3")
      ->type_name("VERSION")
      ->check(CLI::IsMember({"0.4", "0.5"}));
}

int runBatch(Program& program, const VolumeIo& io, const Batch& batch, const Besides& besides,
             const std::function<void(const std::string& in, const std::string& out)>& one) {
  requireUsable(batch, besides);
  const std::vector<std::string> outputs = outputsOf(io, batch);
  requireSafe(batch, besides, outputs);
  if (batch.inputs.size() == 1) {
    runOne(program, batch, batch.inputs.front(), outputs.front(), one);
    return 0;
  }
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
    try {
      program.interrupt.begins();
      runOne(program, batch, batch.inputs[i], outputs[i], one);
    } catch (const Canceled&) {
      throw;
    } catch (const Error& error) {
      const std::string text = inOneLine(error.what()), name = inOneLine(batch.inputs[i]);
      program.note("error: " + (text.find(name) == std::string::npos ? name + ": " : "") + text);
      failed.push_back(batch.inputs[i]);
    }
  }
  const std::size_t count = batch.inputs.size();
  std::string summary = std::to_string(count - failed.size()) + " of " + std::to_string(count) + " inputs done";
  for (const std::string& name : failed) summary += (name == failed.front() ? "; failed: " : ", ") + name;
  program.note(summary);
  return failed.empty() ? 0 : 1;
}

}  // namespace sscope::cli
