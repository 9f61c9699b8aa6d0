#include "app/cli/outputs.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/paths.h"

namespace sscope::cli {

namespace {

constexpr const char* kPlaceholder = "{}";

// A filter's name comes from a file: it must not lead to another folder.
std::string fileNamePart(std::string name) {
  for (char& c : name)
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20) c = '_';
  return name;
}

std::string filled(std::string pattern, const std::string& name) {
  const std::string part = fileNamePart(name);
  for (std::size_t at = pattern.find(kPlaceholder); at != std::string::npos;
       at = pattern.find(kPlaceholder, at + part.size()))
    pattern.replace(at, 2, part);
  return pattern;
}

void requireRoomForAll(const VolumeIo& io, const std::filesystem::path& file, const VolumeShape& shape,
                       ElementType type, std::size_t filters) {
  try {
    io.checkWritable(file, shape, type);
  } catch (const Error& error) {
    throw Error(ErrorKind::Usage, std::string(error.what()) + " (" + std::to_string(filters) + " filters in one file)",
                "put {} into the name to write one file for each filter");
  }
}

}  // namespace

OutputPlan planOutputs(const VolumeIo& io, const std::string& pattern, const std::vector<std::string>& names,
                       const VolumeShape& input, ElementType type) {
  OutputPlan plan;
  if (pattern.find(kPlaceholder) != std::string::npos) {
    for (const std::string& name : names) {
      std::filesystem::path file = filled(pattern, name);
      if (std::find(plan.files.begin(), plan.files.end(), file) != plan.files.end())
        throw Error(ErrorKind::Usage, "two filters would write the same file " + file.string(),
                    "give them other names");
      plan.files.push_back(std::move(file));
    }
  } else {
    plan.files.emplace_back(pattern);
    plan.interleaved = names.size() > 1;
  }
  for (const std::filesystem::path& file : plan.files) {
    checkTarget(file);
    if (!plan.interleaved) io.checkWritable(file, input, type);
  }
  if (plan.interleaved) {
    VolumeShape all = input;
    all.components *= static_cast<int>(names.size());
    requireRoomForAll(io, plan.files.front(), all, type, names.size());
  }
  return plan;
}

void writeOutputs(Program& program, VolumeIo& io, const OutputPlan& plan, std::vector<Volume> outputs) {
  const Control control = program.control();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    program.interrupt.writes(plan.files[i]);
    io.write(plan.files[i], outputs[i], control);
    outputs[i] = Volume();
  }
}

}  // namespace sscope::cli
