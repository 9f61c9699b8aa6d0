#include "core/io/process/protocol.h"

#include <nlohmann/json.hpp>

namespace sscope::io {

using nlohmann::json;

namespace {

// File names and library messages need not be UTF-8.
std::string dump(const json& object) { return object.dump(-1, ' ', false, json::error_handler_t::replace); }

VolumeInfo infoFrom(const json& object) {
  VolumeInfo info;
  const auto extent = object.at("shape").get<std::array<std::int64_t, 4>>();
  info.shape = {extent[0], extent[1], extent[2], static_cast<int>(extent[3])};
  info.type = parseElementType(object.at("type").get<std::string>()).value();
  info.geometry.spacing = object.at("spacing").get<std::array<double, 3>>();
  info.geometry.origin = object.at("origin").get<std::array<double, 3>>();
  info.geometry.direction = object.at("direction").get<std::array<double, 9>>();
  info.geometry.unit = object.at("unit").get<std::string>();
  info.format = object.at("format").get<std::string>();
  info.notices = object.at("notices").get<std::vector<std::string>>();
  return info;
}

}  // namespace

std::string encodeReply(const VolumeInfo& info) {
  const VolumeShape& s = info.shape;
  return dump({{"shape", {s.nx, s.ny, s.nz, s.components}},
               {"type", std::string(toString(info.type))},
               {"spacing", info.geometry.spacing},
               {"origin", info.geometry.origin},
               {"direction", info.geometry.direction},
               {"unit", info.geometry.unit},
               {"format", info.format},
               {"notices", info.notices}});
}

std::string encodeReply(const Error& error) {
  return dump({{"error", error.what()}, {"kind", static_cast<int>(error.kind())}});
}

std::variant<std::monostate, VolumeInfo, Error> decodeReply(const std::string& text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return {};
  try {
    if (object.contains("error")) {
      const int kind = object.at("kind").get<int>();
      if (kind < 0 || kind > static_cast<int>(ErrorKind::Canceled)) return {};
      return Error(static_cast<ErrorKind>(kind), object.at("error").get<std::string>());
    }
    return infoFrom(object);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace sscope::io
