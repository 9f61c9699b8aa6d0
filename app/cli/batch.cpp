#include "app/cli/batch.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>

#include "app/cli/pipe_files.h"
#include "app/cli/targets.h"
#include "core/base/error.h"
#include "core/job/output_files.h"

namespace sscope::cli {

namespace {

constexpr const char* kStem = "{stem}";

void requireUsable(const Batch& batch) {
  if (batch.inputs.size() == 1) return;
  if (batch.output.find(kStem) == std::string::npos)
    throw Error(ErrorKind::Usage, "several inputs need several outputs",
                "put {stem} into the name of the output, as in -o 'out/{stem}.nii.gz'");
  if (std::find(batch.inputs.begin(), batch.inputs.end(), "-") != batch.inputs.end())
    throw Error(ErrorKind::Usage, "the standard input cannot be one of several inputs", "give it alone");
}

std::vector<std::string> outputsOf(const VolumeIo& io, const Batch& batch) {
  std::vector<std::string> outputs;
  std::map<std::string, std::string> inputOf;
  for (const std::string& input : batch.inputs) {
    outputs.push_back(withStem(batch.output, inputStem(io, input)));
    const auto [other, isNew] = inputOf.emplace(outputs.back(), input);
    if (!isNew)
      throw Error(ErrorKind::Usage, other->second + " and " + input + " would both become " + outputs.back(),
                  "rename one of them, or run them one at a time");
  }
  return outputs;
}

void runOne(Program& program, const Batch& batch, const std::string& input, const std::string& output,
            const std::function<void(const std::string&, const std::string&)>& one) {
  const InputFile in(program, input);
  const OutputFile out(program, output, batch.format);
  in.explain([&] { one(in.path(), out.path()); });
  out.deliver();
}

}  // namespace

void addBatchOptions(CLI::App& command, Batch& batch, const std::string& outputHelp) {
  command
      .add_option("IN", batch.inputs,
                  "Files, DICOM folders or patterns of slices; - is the standard input. NAME@t=3 takes frame 3 alone, "
                  "NAME@c=1 channel 1 (both from 0), NAME@series=2 the second DICOM series")
      ->required();
  command.add_option("-o,--output", batch.output, outputHelp)->required()->type_name("OUT");
  command.add_option("--format", batch.format, "The format of the standard output (default nrrd)")->type_name("EXT");
}

int runBatch(Program& program, const VolumeIo& io, const Batch& batch,
             const std::function<void(const std::string& in, const std::string& out)>& one) {
  requireUsable(batch);
  if (!batch.format.empty() && batch.output != "-")
    throw Error(ErrorKind::Usage, "--format has no meaning for a file, whose name says its format", "leave it away");
  const std::vector<std::string> outputs = outputsOf(io, batch);
  // Names with {} are the filters' and are checked with them.
  Targets targets;
  for (const std::string& output : outputs)
    if (output != "-" && output.find("{}") == std::string::npos) targets.volumes.push_back(output);
  requireSafeTargets(targets, batch.inputs);
  if (batch.inputs.size() == 1) {
    runOne(program, batch, batch.inputs.front(), outputs.front(), one);
    return 0;
  }
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
    try {
      runOne(program, batch, batch.inputs[i], outputs[i], one);
    } catch (const Canceled&) {
      throw;
    } catch (const Error& error) {
      const std::string text = error.what();
      program.note("error: " + (text.find(batch.inputs[i]) == std::string::npos ? batch.inputs[i] + ": " : "") + text);
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
