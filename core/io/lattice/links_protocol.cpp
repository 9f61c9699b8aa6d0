#include "core/io/lattice/links_protocol.h"

#include <algorithm>
#include <limits>

#include "core/io/process/reply_json.h"

namespace sscope::io {

using lattice::Extents;
using nlohmann::json;

namespace {

// JSON has no infinities: what is there and not finite becomes null and comes back as NaN.
json claimOf(const std::optional<RawLinks::Claim>& claim) {
  return claim ? json::array({claim->value, claim->rounding}) : json::array();
}

std::optional<RawLinks::Claim> claimFrom(const json& value) {
  if (value.empty()) return std::nullopt;
  const double number = value.at(0).is_null() ? std::numeric_limits<double>::quiet_NaN() : value.at(0).get<double>();
  return RawLinks::Claim{number, value.at(1).get<double>()};
}

RawLinks linksFrom(const json& object) {
  RawLinks links;
  links.extents = fourOf<int>(object.at("extents"));
  links.layout = {wholeOf<int>(object.at("precision")), object.at("bigEndian").get<bool>(),
                  wholeOf<int>(object.at("rows"))};
  if ((links.layout.precision != 32 && links.layout.precision != 64) ||
      (links.layout.rows != 2 && links.layout.rows != 3))
    throw std::domain_error("a layout that does not exist");
  static_cast<void>(lattice::Lattice(links.extents));  // throws for what cannot be
  links.info.format = shownText(object.at("format"));
  links.info.precision = links.layout.precision;
  links.info.checksummed = object.at("checksummed").get<bool>();
  for (const json& pair : object.at("header"))
    links.info.header.emplace_back(shownText(pair.at(0)), shownText(pair.at(1)));
  for (const json& pair : object.at("provenance"))
    links.info.provenance.emplace_back(shownText(pair.at(0)), shownText(pair.at(1)));
  links.checksumProblem = shownText(object.at("checksumProblem"));
  links.info.notices = noticesOf(object.at("notices"));
  links.plaquette = claimFrom(object.at("plaquette"));
  links.linkTrace = claimFrom(object.at("linkTrace"));
  return links;
}

std::string extentsText(const Extents& extents) {
  std::string text;
  for (const int extent : extents) text += (text.empty() ? "" : ",") + std::to_string(extent);
  return text;
}

std::optional<Extents> extentsFrom(std::string_view text) {
  Extents extents{};
  for (int& extent : extents) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::optional<int> number = wholeNumber(text.substr(0, comma));
    if (!number) return std::nullopt;
    extent = *number;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return text.empty() ? std::optional(extents) : std::nullopt;
}

}  // namespace

Request linksRequest(const std::string& path, const std::optional<Extents>& extents) {
  return {std::string(kLinksRequest), path, extents ? extentsText(*extents) : std::string()};
}

std::optional<Extents> extentsOf(const Request& request) {
  if (request.detail.empty()) return std::nullopt;
  const std::optional<Extents> extents = extentsFrom(request.detail);
  if (!extents) throw Error(ErrorKind::Usage, "\"" + request.detail + "\" are no extents", "give four whole numbers");
  return extents;
}

std::string encodeReply(const RawLinks& links) {
  const auto pairsOf = [](const auto& entries) {
    json pairs = json::array();
    for (const auto& [key, value] : entries) pairs.push_back({shortText(key), shortText(value)});
    return pairs;
  };
  return dumped({{"extents", links.extents},
                 {"precision", links.layout.precision},
                 {"bigEndian", links.layout.bigEndian},
                 {"rows", links.layout.rows},
                 {"format", links.info.format},
                 {"checksummed", links.info.checksummed},
                 {"checksumProblem", shortText(links.checksumProblem)},
                 {"header", pairsOf(links.info.header)},
                 {"provenance", pairsOf(links.info.provenance)},
                 {"notices", shortTexts(links.info.notices)},
                 {"plaquette", claimOf(links.plaquette)},
                 {"linkTrace", claimOf(links.linkTrace)}});
}

std::string encodeReply(const lattice::MissingExtents& error) {
  json object = errorJson(error);
  object["extentsMissing"] = true;
  return dumped(object);
}

std::variant<std::monostate, RawLinks, lattice::MissingExtents, Error> decodeLinksReply(const std::string& text) {
  using Reply = std::variant<std::monostate, RawLinks, lattice::MissingExtents, Error>;
  return decoded<Reply>(text, [](const json& object) -> Reply {
    if (!object.contains("error")) return linksFrom(object);
    if (!object.contains("extentsMissing")) return errorFrom(object);
    return lattice::MissingExtents(errorFrom(object));
  });
}

std::string replyOfLinks(const Request& request, const AllocateLinks& allocate, const Control& control) {
  try {
    return encodeReply(readLinks(request.path, extentsOf(request), allocate, control));
  } catch (const lattice::MissingExtents& error) {
    return encodeReply(error);
  }
}

}  // namespace sscope::io
