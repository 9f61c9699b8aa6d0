#pragma once
// Files that hold a filter bank.

#include <string>

#include "core/filter/recipe.h"

namespace sscope {

// schema "stencilscope.bank/1", see docs/manual/file-formats.md. Throws Error(NotFound, Io), or Error(BadData) naming
// the file.
[[nodiscard]] FilterBank readBankFile(const std::string& path);

}  // namespace sscope
