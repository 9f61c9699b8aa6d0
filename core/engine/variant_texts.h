#pragma once
// The paragraphs about variants that people read: resources/variants/SUBJECT/*.md, which travel inside the program.

#include <span>
#include <string>
#include <string_view>

#include "core/engine/engine.h"

namespace sscope {

// One of them: "bank.md" holds a section for each variant of the workload bank, headed "## tuned", or "## tuned
// (processor)" and "## tuned (device)" where they differ.
struct VariantFile {
  std::string_view name;
  std::string_view text;
};
[[nodiscard]] std::span<const VariantFile> variantFiles();

// The paragraph as one line; empty where there is none.
[[nodiscard]] std::string variantText(std::string_view workload, std::string_view variant, EngineKind kind);

}  // namespace sscope
