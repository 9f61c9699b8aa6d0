#pragma once
// JSON: parsing what people write, embedding it safely in other texts, and storing measurements between runs.

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace sscope {

// Throws nlohmann::json's exceptions for text that is not JSON, and Error(BadData) for more than 200 levels and for a
// key that occurs twice in an object, because one of the two would be ignored silently.
[[nodiscard]] nlohmann::json parseJson(const std::string& text);

// One line of ASCII without < > and &: safe within XML and on a terminal.
[[nodiscard]] std::string plainJson(const nlohmann::json& object);

// Measurements kept between runs: entries {"key": ..., ...} in one JSON file in the cache directory.

struct CacheFile {
  std::string name;    // "ceilings.json"
  std::string schema;  // "stencilscope.ceilings/1"; files with another schema are treated as empty
  std::size_t most;    // maximum number of entries; the oldest are dropped
};

// The entry with this key; null if there is none. A missing, unreadable or damaged file counts as empty: its
// measurements can be repeated.
[[nodiscard]] nlohmann::json cacheEntry(const CacheFile& file, const nlohmann::json& key);
// Stores the object `entry` under the key and replaces an older one. Safe to call from several threads; when two
// processes write at the same moment, one may lose its entry. Throws Error(Io) when the file cannot be written.
void storeCacheEntry(const CacheFile& file, const nlohmann::json& key, nlohmann::json entry);

}  // namespace sscope
