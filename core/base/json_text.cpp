#include "core/base/json_text.h"

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/base/error.h"

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

}  // namespace sscope
