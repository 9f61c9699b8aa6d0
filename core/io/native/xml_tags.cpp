#include "core/io/native/xml_tags.h"

#include <algorithm>

namespace sscope::io {

std::string Tag::attribute(const std::string& key, const std::string& otherwise) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? otherwise : found->second;
}

std::optional<Tag> Tags::next() {
  for (;;) {
    at_ = text_.find('<', at_);
    if (at_ == std::string_view::npos) return std::nullopt;
    ++at_;
    if (!text_.substr(at_).starts_with("?") && !text_.substr(at_).starts_with("!")) break;
    const bool comment = text_.substr(at_).starts_with("!--");
    at_ = text_.find(comment ? "-->" : ">", at_);
  }
  Tag tag;
  tag.name = word("/> \t\r\n", 1);
  for (;;) {
    while (at_ < text_.size() && (isXmlSpace(text_[at_]) || text_[at_] == '/')) ++at_;
    if (at_ >= text_.size()) return std::nullopt;
    if (text_[at_] == '>') {
      tag.closed = text_[at_ - 1] == '/';
      break;
    }
    const std::string key = word("=> \t\r\n", 0);
    while (at_ < text_.size() && (isXmlSpace(text_[at_]) || text_[at_] == '=')) ++at_;
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return std::nullopt;
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) return std::nullopt;
    tag.attributes[key] = std::string(text_.substr(at_, end - at_));
    at_ = end + 1;
  }
  ++at_;
  return tag;
}

std::string Tags::word(std::string_view ends, std::size_t least) {
  const std::size_t end = std::min(text_.find_first_of(ends, std::min(at_ + least, text_.size())), text_.size());
  std::string found(text_.substr(at_, end - at_));
  at_ = end;
  return found;
}

}  // namespace sscope::io
