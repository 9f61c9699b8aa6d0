#include "core/engine/variant_texts.h"

#include <map>

namespace sscope {

namespace {

// By "bank/tuned (device)".
using Texts = std::map<std::string, std::string, std::less<>>;

void readInto(Texts& texts, const VariantFile& file) {
  const std::string workload(file.name.substr(0, file.name.rfind('.')));
  std::string* section = nullptr;
  for (std::size_t at = 0; at < file.text.size();) {
    const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
    const std::string_view line = file.text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("## ")) {
      section = &texts[workload + "/" + std::string(line.substr(3))];
    } else if (section && !line.empty()) {
      if (!section->empty()) *section += ' ';
      *section += line;
    }
  }
}

const Texts& texts() {
  static const Texts all = [] {
    Texts read;
    for (const VariantFile& file : variantFiles()) readInto(read, file);
    return read;
  }();
  return all;
}

}  // namespace

std::string variantText(std::string_view workload, std::string_view variant, EngineKind kind) {
  const std::string key = std::string(workload) + "/" + std::string(variant);
  auto found = texts().find(key + (hasThreads(kind) ? " (processor)" : " (device)"));
  if (found == texts().end()) found = texts().find(key);
  return found == texts().end() ? std::string() : found->second;
}

}  // namespace sscope
