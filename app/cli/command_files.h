#pragma once
// The files that commands read and write: checks before any work, and commands on one or several inputs.

#include <functional>
#include <string>
#include <vector>

#include "app/cli/program.h"
#include "core/job/input_files.h"
#include "core/volume/volume_io.h"

namespace sscope::cli {

struct Targets {
  std::vector<std::string> reports;  // single files; "-" is the standard output, "" is none
  std::vector<std::string> volumes;  // together with the separate data files of their formats; "" is none
};

// Throws what checkTarget() throws for a target that cannot be written, before any work is done. Throws Error(Usage) if
// a target is one of `inputs` (files, folders and patterns; "" is none) or belongs to one, if two targets are the same,
// or if the data file of a new header exists already.
void requireSafeTargets(const Targets& targets, const std::vector<std::string>& inputs = {});

// For commands that convert files to files: one or several inputs, files or pipes.

struct Batch {
  std::vector<std::string> inputs;
  std::string output;  // {stem} stands for each input's name
  std::string format;  // of the standard output: an extension without its dot
  bool compress = false;
  bool zarr3 = false;  // OME-Zarr 0.5
};

// Further files that a command reads and writes.
struct Besides {
  std::string report;              // a file, "-", or "" for none
  std::vector<std::string> reads;  // banks, taps
  std::vector<std::string> names;  // values for {} in the output; empty: {} is literal
};

// IN..., -o, --format, --compress and --zarr.
void addBatchOptions(CLI::App& command, Batch& batch, const std::string& outputHelp);

// Calls `one` for every input with the file to read and the file to write; for "-" these are temporary files. With
// several inputs, it reports a failed one on standard error, continues, and returns exit status 1 at the end; for a
// single input it throws. Throws Error(Usage) at the start if two outputs are the same file, or an output would replace
// an input or a file that belongs to it.
[[nodiscard]] int runBatch(Program& program, const VolumeIo& io, const Batch& batch, const Besides& besides,
                           const std::function<void(const std::string& in, const std::string& out)>& one);

}  // namespace sscope::cli
