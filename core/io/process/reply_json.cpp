#include "core/io/process/reply_json.h"

#include "core/base/words.h"
#include "core/io/base/file_error.h"

namespace sscope::io {

using nlohmann::json;

std::string dumped(json object) {
  object[kVersionMember] = kProtocolVersion;
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string shortText(const std::string& text) { return shortened(text, kLongestText); }

std::vector<std::string> shortTexts(std::vector<std::string> texts) {
  constexpr std::size_t kMostNotices = 64;
  if (texts.size() > kMostNotices) texts.resize(kMostNotices);
  for (std::string& text : texts) text = shortText(text);
  return texts;
}

std::string shownText(const json& value) { return printable(shortText(value.get<std::string>())); }

std::vector<std::string> noticesOf(const json& value) {
  std::vector<std::string> notices;
  for (const json& one : value) notices.push_back(shownText(one));
  return shortTexts(std::move(notices));
}

json errorJson(const Error& error) {
  return {{"error", shortText(error.what())}, {"kind", static_cast<int>(error.kind())}};
}

Error errorFrom(const json& object) {
  const int kind = wholeOf<int>(object.at("kind"));
  if (kind < 0 || kind > static_cast<int>(ErrorKind::Canceled)) throw std::domain_error("an unknown kind of error");
  return {static_cast<ErrorKind>(kind), shownText(object.at("error"))};
}

}  // namespace sscope::io
