#include "app/cli/targets.h"

#include <algorithm>

#include "app/cli/pipe_files.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/io/base/formats.h"
#include "core/io/volume_io.h"

namespace sscope::cli {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void twice(const std::string& target) {
  throw Error(ErrorKind::Usage, "cannot write two things to " + target, "choose another name for one of them");
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
      throw Error(ErrorKind::Usage, "this command writes no volume to the standard output", "name a file");
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

}  // namespace sscope::cli
