#include "core/base/json.h"

#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/paths.h"

namespace sscope {

nlohmann::json parseJson(const std::string& text) {
  using Event = nlohmann::json::parse_event_t;
  constexpr int kDeepest = 200;             // functions that walk through a document recurse at each level
  std::vector<std::set<std::string>> open;  // the keys of each enclosing object
  return nlohmann::json::parse(text, [&](int depth, Event event, const nlohmann::json& value) {
    if (depth > kDeepest)
      throw Error(ErrorKind::BadData, "it has more than " + std::to_string(kDeepest) + " nested levels");
    if (event == Event::object_start) open.emplace_back();
    if (event == Event::object_end) open.pop_back();
    if (event == Event::key && !open.back().insert(value.get<std::string>()).second)
      throw Error(ErrorKind::BadData, "\"" + value.get<std::string>() + "\" occurs twice", "remove one of them");
    return true;
  });
}

std::string plainJson(const nlohmann::json& object) {
  std::string text;
  for (const char c : object.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)) {
    if (c == '<' || c == '>' || c == '&') {
      text += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    } else if (c == '\x7f') {
      text += "\\u007f";
    } else {
      text += c;
    }
  }
  return text;
}

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
