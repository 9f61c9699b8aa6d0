#pragma once
// The tags of XML files, as far as VTK's go.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sscope::io {

struct Tag {
  std::string name;  // "/PointData" where it ends
  std::map<std::string, std::string> attributes;
  bool closed = false;  // <name/>

  [[nodiscard]] std::string attribute(const std::string& key, const std::string& otherwise = {}) const;
};

[[nodiscard]] inline bool isXmlSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The tags one after the other, without the text between them.
class Tags {
 public:
  explicit Tags(std::string_view text) : text_(text) {}

  // Empty at the end, or where the text is no XML.
  std::optional<Tag> next();
  // Behind the last tag.
  [[nodiscard]] std::size_t position() const { return at_; }

 private:
  // Up to one of `ends`, looked for behind the first `least` characters.
  std::string word(std::string_view ends, std::size_t least);

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace sscope::io
