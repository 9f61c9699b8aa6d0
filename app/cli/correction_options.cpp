#include "app/cli/correction_options.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/volume/selection.h"

namespace sscope::cli {

namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

std::string withCorrections(const std::string& input, const Given& given) {
  if (input.empty() || given.empty()) return input;
  Selection selection = parseSelection(input);
  try {
    for (const auto& [key, text] : given) static_cast<void>(takeCorrection(selection.correction, key, text));
  } catch (const Error& error) {
    throw CLI::ValidationError(error.what());
  }
  return selection.name();
}

void add(CLI::App& command, std::function<void(const Given&)> apply) {
  const auto given = std::make_shared<Given>();
  const auto option = [&](const std::string& key, const char* type, const char* help) {
    command
        .add_option_function<std::string>(
            "--" + key, [given, key](const std::string& text) { given->emplace_back(key, text); }, help)
        ->type_name(type);
  };
  option("raw", "EXTENTS,TYPE[,...]",
         "The data have no header: how voxels lie, as 512x512x300,u16,be,components=3,offset=1024");
  option("spacing", "X[,Y,Z][UNIT]",
         "Correct the data: the edges of a voxel, as 0.1,0.1,0.5um; of lengths without a unit the data's own");
  option("unit", "UNIT", "Correct the data: the unit of the file's lengths, as um");
  option("origin", "X,Y,Z[UNIT]", "Correct the data: the center of the first voxel");
  option("axes", "AXES",
         "Correct the data: what the slices are, the slowest first, with all extents but one: t3zyx, zc2yx, tyx");
  command.add_flag_callback(
      "--labels", [given] { given->emplace_back("labels", "yes"); }, "Correct the data: the values name regions");
  command.parse_complete_callback([given, apply = std::move(apply)] { apply(*given); });
}

}  // namespace

void addCorrectionOptions(CLI::App& command, std::vector<std::string>& inputs) {
  add(command, [&inputs](const Given& given) {
    for (std::string& input : inputs) input = withCorrections(input, given);
  });
}

void addCorrectionOptions(CLI::App& command, std::string& input) {
  add(command, [&input](const Given& given) { input = withCorrections(input, given); });
}

}  // namespace sscope::cli
