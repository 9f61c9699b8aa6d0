#pragma once
// The command that does in a shell what the window does.

#include <string>
#include <string_view>
#include <vector>

#include "core/filter/families/recipe_text.h"
#include "core/session/session.h"

namespace sscope {

// As one word of a POSIX shell: in single quotes where a character could mean something else.
[[nodiscard]] std::string shellWord(std::string_view text);

// What `sscope filter` takes for the rows that are switched on, the boundary rule and the output type. Throws
// Error(Unsupported) for a bank without such rows, for a row that no spec gives (wholeFilterSpec), and for a word
// longer than systems take (taps of several thousand numbers).
[[nodiscard]] std::vector<std::string> filterArguments(const FilterBank& bank);

// The whole line: a session's bank on its data, on its engine, with results beside it as NRRD. A sample is written to a
// file first; data from neither a file nor a sample are called IN. Throws as filterArguments does.
[[nodiscard]] std::string filterCommand(const Session& session);

}  // namespace sscope
