#include "core/base/cache_entries.h"

#include <mutex>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"

namespace sscope {

using nlohmann::json;

namespace {

std::mutex writing;  // held from reading the old entries to writing the new ones

json readEntries(const CacheFile& file) {
  std::string text;
  try {
    text = readTextFile(cacheDirectory() / file.name);
  } catch (const Error&) {
    return json::array();
  }
  const json store = json::parse(text, nullptr, false);
  if (!store.is_object() || store.value("schema", json()) != file.schema || !store.contains("entries") ||
      !store["entries"].is_array())
    return json::array();
  return store["entries"];
}

bool hasKey(const json& entry, const json& key) { return entry.is_object() && entry.value("key", json()) == key; }

}  // namespace

json cacheEntry(const CacheFile& file, const json& key) {
  for (json& entry : readEntries(file))
    if (hasKey(entry, key)) return std::move(entry);
  return nullptr;
}

void storeCacheEntry(const CacheFile& file, const json& key, json entry) {
  const std::lock_guard lock(writing);
  std::vector<json> kept;
  for (json& old : readEntries(file))
    if (old.is_object() && !hasKey(old, key)) kept.push_back(std::move(old));
  entry["key"] = key;
  kept.push_back(std::move(entry));
  if (kept.size() > file.most) kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(file.most));
  writeTextFile(
      cacheDirectory() / file.name,
      json{{"schema", file.schema}, {"entries", kept}}.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace sscope
