#include "app/cli/file_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace sscope::cli {

void requireFileNames(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool file = type.find("FILE") != std::string::npos || type.find("OUT") != std::string::npos ||
                      type.find(".json") != std::string::npos || type.find("CAPSULE") != std::string::npos ||
                      option->check_lname("output");
    const std::vector<std::string>& given = option->results();
    if (file && std::find(given.begin(), given.end(), "") != given.end())
      throw CLI::ValidationError(option->get_name(), "no file is named");
  }
  for (const CLI::App* command : app.get_subcommands()) requireFileNames(*command);
}

}  // namespace sscope::cli
