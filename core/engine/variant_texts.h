#pragma once
// Paragraphs for people about variants, from resources/variants/SUBJECT/*.md, which are embedded in the program.

#include <span>
#include <string>
#include <string_view>

#include "core/engine/engine.h"

namespace sscope {

// One embedded file: "bank.md" has a section for each variant of the workload bank, with the heading "## tuned", or
// "## tuned (processor)" and "## tuned (device)" if they differ.
struct VariantFile {
  std::string_view name;
  std::string_view text;
};
[[nodiscard]] std::span<const VariantFile> variantFiles();

// The paragraph as one line; empty if there is none.
[[nodiscard]] std::string variantText(std::string_view workload, std::string_view variant, EngineKind kind);

}  // namespace sscope
