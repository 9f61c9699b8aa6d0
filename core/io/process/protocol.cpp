#include "core/io/process/protocol.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error_words.h"
#include "core/io/file_error.h"

namespace sscope::io {

using lattice::Extents;
using nlohmann::json;

namespace {

// Characters and entries of what a file says, for people to read.
constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kLongestUnit = 64;
constexpr std::size_t kMostNotices = 64;
constexpr std::size_t kLongestField = 1 << 16, kMostFields = 4096;

// File names and library messages need not be UTF-8.
std::string dump(const json& object) { return object.dump(-1, ' ', false, json::error_handler_t::replace); }

std::string shortText(const std::string& text) { return shortened(text, kLongestText); }

std::vector<std::string> shortTexts(std::vector<std::string> texts) {
  if (texts.size() > kMostNotices) texts.resize(kMostNotices);
  for (std::string& text : texts) text = shortText(text);
  return texts;
}

// Nothing that breaks lines or steers a terminal.
std::string shownText(const json& value) { return printable(shortText(value.get<std::string>())); }

std::vector<std::string> noticesOf(const json& value) {
  std::vector<std::string> notices;
  for (const json& one : value) notices.push_back(shownText(one));
  return shortTexts(std::move(notices));
}

// Annotations of a file are handed on as they are, and to the end: they are written again.
json toJson(const Metadata& metadata) {
  json fields = json::array();
  for (const auto& [key, value] : metadata.fields)
    if (key.size() + value.size() <= kLongestField && fields.size() < kMostFields) fields.push_back({key, value});
  json object = {{"frames", metadata.frames},
                 {"frameSeconds", metadata.frameSeconds},
                 {"fields", fields},
                 {"componentKind", metadata.componentKind}};
  if (metadata.measurementFrame) object["measurementFrame"] = *metadata.measurementFrame;
  return object;
}

// Of JSON's numbers only these become integers: what a fraction or 1e30 would be converted to is nobody's meaning.
template <class Integer>
Integer wholeOf(const json& value) {
  if (!value.is_number_integer()) throw std::domain_error("a number that is not whole");
  if (value.is_number_unsigned() && !std::in_range<Integer>(value.get<std::uint64_t>()))
    throw std::domain_error("a number that is too large");
  const auto number = value.get<std::int64_t>();
  if (!std::in_range<Integer>(number)) throw std::domain_error("a number that does not fit");
  return static_cast<Integer>(number);
}

template <class Integer>
std::array<Integer, 4> fourOf(const json& list) {
  if (!list.is_array() || list.size() != 4) throw std::domain_error("not four numbers");
  return {wholeOf<Integer>(list[0]), wholeOf<Integer>(list[1]), wholeOf<Integer>(list[2]), wholeOf<Integer>(list[3])};
}

Metadata metadataFrom(const json& object, int components) {
  Metadata metadata;
  metadata.frames = wholeOf<int>(object.at("frames"));
  if (metadata.frames < 1 || components % metadata.frames != 0) metadata.frames = 1;
  metadata.frameSeconds = object.at("frameSeconds").get<double>();
  metadata.fields = object.at("fields").get<std::vector<std::pair<std::string, std::string>>>();
  metadata.componentKind = object.at("componentKind").get<std::string>();
  if (object.contains("measurementFrame"))
    metadata.measurementFrame = object.at("measurementFrame").get<std::array<double, 9>>();
  return metadata;
}

VolumeInfo infoFrom(const json& object) {
  VolumeInfo info;
  const auto extent = fourOf<std::int64_t>(object.at("shape"));
  double elements = 1;
  for (const std::int64_t n : extent) {
    if (n < 1) throw std::domain_error("an extent that is not positive");
    elements *= static_cast<double>(n);
  }
  if (elements > 0x1p58 || extent[3] > std::numeric_limits<int>::max()) throw std::domain_error("too many elements");
  info.shape = {extent[0], extent[1], extent[2], static_cast<int>(extent[3])};
  info.type = parseElementType(object.at("type").get<std::string>()).value();
  info.geometry.spacing = object.at("spacing").get<std::array<double, 3>>();
  info.geometry.origin = object.at("origin").get<std::array<double, 3>>();
  info.geometry.direction = object.at("direction").get<std::array<double, 9>>();
  for (const double spacing : info.geometry.spacing)
    if (!(spacing > 0)) throw std::domain_error("a spacing that is not positive");
  info.geometry.unit = shownText(object.at("unit"));
  info.metadata = metadataFrom(object.at("metadata"), info.shape.components);
  info.fileFrames = std::max(wholeOf<int>(object.at("fileFrames")), info.metadata.frames);
  info.format = shownText(object.at("format"));
  info.notices = noticesOf(object.at("notices"));
  return info;
}

// JSON has no infinities: what is there and not finite becomes null and comes back as NaN.
json claimOf(const std::optional<double>& value) { return value ? json::array({*value}) : json::array(); }

std::optional<double> claimFrom(const json& value) {
  if (value.empty()) return std::nullopt;
  return value.at(0).is_null() ? std::numeric_limits<double>::quiet_NaN() : value.at(0).get<double>();
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

Error errorFrom(const json& object) {
  const int kind = wholeOf<int>(object.at("kind"));
  if (kind < 0 || kind > static_cast<int>(ErrorKind::Canceled)) throw std::domain_error("an unknown kind of error");
  return {static_cast<ErrorKind>(kind), shownText(object.at("error"))};
}

// Empty for what is no object; `take` may throw.
template <class Reply, class Take>
Reply decoded(const std::string& text, Take take) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return {};
  try {
    return take(object);
  } catch (const std::exception&) {
    return {};
  }
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

constexpr std::array<const char*, 3> kKinds = {"header", "voxels", "links"};

}  // namespace

std::vector<std::string> argumentsOf(const Request& request) {
  std::vector<std::string> arguments = {kKinds[static_cast<std::size_t>(request.kind)], request.path};
  if (request.extents) arguments.push_back(extentsText(*request.extents));
  return arguments;
}

std::optional<Request> requestOf(const std::vector<std::string>& arguments) {
  if (arguments.size() != 2 && arguments.size() != 3) return std::nullopt;
  const auto kind = std::find(kKinds.begin(), kKinds.end(), arguments[0]);
  if (kind == kKinds.end()) return std::nullopt;
  Request request{static_cast<Request::Kind>(kind - kKinds.begin()), arguments[1], {}};
  if (arguments.size() == 3) {
    request.extents = extentsFrom(arguments[2]);
    if (!request.extents || request.kind != Request::Kind::Links) return std::nullopt;
  }
  return request;
}

std::string encodeReply(const VolumeInfo& info) {
  const VolumeShape& s = info.shape;
  return dump({{"shape", {s.nx, s.ny, s.nz, s.components}},
               {"type", std::string(toString(info.type))},
               {"spacing", info.geometry.spacing},
               {"origin", info.geometry.origin},
               {"direction", info.geometry.direction},
               {"unit", shortened(info.geometry.unit, kLongestUnit)},
               {"metadata", toJson(info.metadata)},
               {"fileFrames", info.fileFrames},
               {"format", shortText(info.format)},
               {"notices", shortTexts(info.notices)}});
}

std::string encodeReply(const RawLinks& links) {
  const auto pairsOf = [](const auto& entries) {
    json pairs = json::array();
    for (const auto& [key, value] : entries) pairs.push_back({shortText(key), shortText(value)});
    return pairs;
  };
  return dump({{"extents", links.extents},
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

std::string encodeReply(const Error& error) {
  json object = {{"error", shortText(error.what())}, {"kind", static_cast<int>(error.kind())}};
  if (dynamic_cast<const lattice::MissingExtents*>(&error) != nullptr) object["extentsMissing"] = true;
  return dump(object);
}

std::variant<std::monostate, VolumeInfo, Error> decodeReply(const std::string& text) {
  using Reply = std::variant<std::monostate, VolumeInfo, Error>;
  return decoded<Reply>(text, [](const json& object) -> Reply {
    if (object.contains("error")) return errorFrom(object);
    return infoFrom(object);
  });
}

std::variant<std::monostate, RawLinks, lattice::MissingExtents, Error> decodeLinksReply(const std::string& text) {
  using Reply = std::variant<std::monostate, RawLinks, lattice::MissingExtents, Error>;
  return decoded<Reply>(text, [](const json& object) -> Reply {
    if (!object.contains("error")) return linksFrom(object);
    if (!object.contains("extentsMissing")) return errorFrom(object);
    return lattice::MissingExtents(errorFrom(object));
  });
}

}  // namespace sscope::io
