#pragma once
// What is measured once and kept between runs: entries {"key": ..., ...} of one JSON file in the cache directory.

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace sscope {

struct CacheFile {
  std::string name;    // "ceilings.json"
  std::string schema;  // "stencilscope.ceilings/1"; files of another one count as empty
  std::size_t most;    // entries; the oldest make room
};

// The entry with this key; null when there is none. A missing, unreadable or damaged file has no entries: all of it can
// be measured again.
[[nodiscard]] nlohmann::json cacheEntry(const CacheFile& file, const nlohmann::json& key);
// Adds the object `entry` under the key, in place of an older one. Threads of this process take turns; of two processes
// that write at the same moment one may lose its entry. Throws Error(Io) when the file cannot be written.
void storeCacheEntry(const CacheFile& file, const nlohmann::json& key, nlohmann::json entry);

}  // namespace sscope
