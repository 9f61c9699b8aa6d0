#pragma once
// --raw, --spacing, --unit, --origin, --axes and --labels: what a file says wrongly, or not at all.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sscope::cli {

// Adds the options to a command that reads data. Once it is parsed the corrections are part of the names of its inputs,
// as in "stack.tif@spacing=0.1x0.1x0.5um" (core/volume/correction.h); empty names stay empty. The names live as long as
// the command. Throws CLI::ValidationError then, for what makes no sense and for what a name corrects already.
void addCorrectionOptions(CLI::App& command, std::vector<std::string>& inputs);
void addCorrectionOptions(CLI::App& command, std::string& input);

}  // namespace sscope::cli
