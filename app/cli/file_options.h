#pragma once
// Options that name files.

namespace CLI {
class App;
}

namespace sscope::cli {

// Throws CLI::ValidationError where an option that names a file was given without a name, as by a script's variable
// that is not set: what was asked for would be done and written nowhere. Options are known by the name --output, or
// FILE, OUT, CAPSULE or .json in the name of their type. Of the command that was chosen, too.
void requireFileNames(const CLI::App& app);

}  // namespace sscope::cli
