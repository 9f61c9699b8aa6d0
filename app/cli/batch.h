#pragma once
// One input or several, files or pipes: what every command that turns files into files has in common.

#include <functional>
#include <string>
#include <vector>

#include "app/cli/program.h"
#include "core/volume/volume_io.h"

namespace sscope::cli {

struct Batch {
  std::vector<std::string> inputs;
  std::string output;  // with {stem} in it for each input's own name
  std::string format;  // of the standard output: an extension without its dot
  bool compress = false;
};

// What a command reads and writes besides.
struct Besides {
  std::string report;              // a file, "-", or "" for none
  std::vector<std::string> reads;  // banks, taps
  std::vector<std::string> names;  // that {} in the output stands for; empty: it stands for itself
};

// IN..., -o, --format and --compress.
void addBatchOptions(CLI::App& command, Batch& batch, const std::string& outputHelp);

// Calls `one` for every input with the file to read and the file to write; "-" becomes a temporary file for as long as
// that takes. With several inputs it goes on after one that failed, which is told on standard error, and gives exit
// status 1 at the end; a single one throws. Throws Error(Usage) before anything is done when two outputs would become
// the same file, or one would replace any input or what belongs to it.
[[nodiscard]] int runBatch(Program& program, const VolumeIo& io, const Batch& batch, const Besides& besides,
                           const std::function<void(const std::string& in, const std::string& out)>& one);

}  // namespace sscope::cli
