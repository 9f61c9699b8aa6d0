#include "core/session/session.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/paths.h"
#include "core/session/data_paths.h"
#include "core/session/json_members.h"

namespace sscope {

using namespace json_members;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kSessionSchema = "stencilscope.session/1";

json window(const std::optional<std::array<double, 2>>& window) {
  if (!window) return nullptr;
  return *window;
}

std::optional<std::array<double, 2>> windowFrom(const json& object, const char* key) {
  const json* value = member(object, key, &json::is_array, "an array of two numbers");
  if (!value) return std::nullopt;
  if (value->size() != 2 || !(*value)[0].is_number() || !(*value)[1].is_number())
    bad("\"" + std::string(key) + "\" must hold two numbers");
  return std::array<double, 2>{(*value)[0].get<double>(), (*value)[1].get<double>()};
}

ViewState viewFrom(const json& object) {
  ViewState view;
  if (const json* at = member(object, "crosshair", &json::is_array, "an array of three whole numbers")) {
    if (at->size() != 3) bad("\"crosshair\" must hold three whole numbers");
    for (std::size_t a = 0; a < 3; ++a) {
      if (!(*at)[a].is_number_integer()) bad("\"crosshair\" must hold three whole numbers");
      view.crosshair[a] = (*at)[a].get<std::int64_t>();
    }
  }
  view.sourceWindow = windowFrom(object, "sourceWindow");
  view.resultWindow = windowFrom(object, "resultWindow");
  view.show = oneOf(object, "show", view.show, {"source", "result", "both"});
  view.layout = oneOf(object, "layout", view.layout, {"all", "axial", "coronal", "sagittal", "volume"});
  view.shownFilter = text(object, "shownFilter");
  view.component = static_cast<int>(whole(object, "component", 0, -1, 1 << 20));
  view.room = oneOf(object, "room", view.room, {"filter", "wavelet", "lattice", "ladders"});
  view.waveletShow = oneOf(object, "waveletShow", view.waveletShow, {"source", "result", "both", "difference"});
  view.waveletLayout =
      oneOf(object, "waveletLayout", view.waveletLayout, {"all", "axial", "coronal", "sagittal", "volume"});
  view.waveletPyramid = truth(object, "waveletPyramid", view.waveletPyramid);
  return view;
}

json waveletJson(const WaveletSettings& wavelet) {
  return {{"transform", wavelet.transform}, {"wavelet", wavelet.wavelet},       {"levels", wavelet.levels},
          {"rule", wavelet.rule},           {"automatic", wavelet.automatic},   {"threshold", wavelet.threshold},
          {"direction", wavelet.direction}, {"order", wavelet.order},           {"taps", wavelet.taps},
          {"variant", wavelet.variant},     {"convention", wavelet.convention}, {"shrinkage", wavelet.shrinkage}};
}

WaveletSettings waveletFrom(const json& object) {
  WaveletSettings wavelet;
  wavelet.transform = oneOf(object, "transform", wavelet.transform, {"dwt", "magic"});
  wavelet.wavelet = text(object, "wavelet", wavelet.wavelet);
  wavelet.convention = oneOf(object, "convention", wavelet.convention, {"pywavelets", "bigdft"});
  wavelet.levels = static_cast<int>(whole(object, "levels", wavelet.levels, 1, 62));
  wavelet.rule = oneOf(object, "rule", wavelet.rule, {"soft", "hard"});
  wavelet.automatic = truth(object, "automatic", wavelet.automatic);
  // Sessions of before the rule could be chosen meant the universal threshold.
  wavelet.shrinkage = oneOf(object, "shrinkage", "visu", {"sure", "bayes", "visu"});
  wavelet.threshold = number(object, "threshold", wavelet.threshold, 0, 1e300);
  wavelet.direction = oneOf(object, "direction", wavelet.direction, {"forward", "inverse"});
  wavelet.order = static_cast<int>(whole(object, "order", wavelet.order, 1, 10));
  wavelet.taps = text(object, "taps");
  wavelet.variant = text(object, "variant");
  return wavelet;
}

// Beside an absolute path stands the one from the session's folder: together they find data that moved with the session
// as well as data that stayed when the session moved.
constexpr const char* kRelativePath = "relativePath";
constexpr const char* kRelativeTaps = "relativeTaps";

void addRelative(json& object, const char* key, const std::string& file, const fs::path& folder) {
  if (file.empty() || !fs::path(file).is_absolute()) return;
  const fs::path relative = fs::path(file).lexically_normal().lexically_relative(folder);
  if (!relative.empty()) object[key] = relative.string();
}

std::string relativeAt(const json& document, std::initializer_list<const char*> keys) {
  const json* at = &document;
  for (const char* key : keys) {
    if (!at->is_object() || !at->contains(key)) return {};
    at = &at->at(key);
  }
  return at->is_string() ? at->get<std::string>() : std::string();
}

void resolve(std::string& file, const std::string& relative, const fs::path& folder) {
  if (file.empty()) return;
  if (fs::path(file).is_relative()) {
    file = (folder / file).lexically_normal().string();
  } else if (!relative.empty() && !isThere(file)) {
    const std::string beside = (folder / relative).lexically_normal().string();
    if (isThere(beside)) file = beside;
  }
}

}  // namespace

json toJson(const Session& session) {
  json data = json::object();
  if (!session.data.path.empty()) {
    data["path"] = session.data.path;
  } else if (!session.data.sample.empty()) {
    data = {{"sample", session.data.sample}, {"size", session.data.size}, {"seed", session.data.seed}};
  }
  const ViewState& view = session.view;
  return {{"schema", kSessionSchema},
          {"data", data},
          {"bank", toJson(session.bank)},
          {"engine", session.engine},
          {"variant", session.variant},
          {"threads", session.threads},
          {"wavelet", waveletJson(session.wavelet)},
          {"lattice", session.lattice ? toJson(*session.lattice) : json()},
          {"ladder", session.ladder ? toJson(*session.ladder) : json()},
          {"view",
           {{"crosshair", view.crosshair},
            {"sourceWindow", window(view.sourceWindow)},
            {"resultWindow", window(view.resultWindow)},
            {"show", view.show},
            {"layout", view.layout},
            {"shownFilter", view.shownFilter},
            {"component", view.component},
            {"room", view.room},
            {"waveletShow", view.waveletShow},
            {"waveletLayout", view.waveletLayout},
            {"waveletPyramid", view.waveletPyramid}}}};
}

Session sessionFromJson(const json& object) {
  if (!object.is_object()) bad("it must be an object");
  if (text(object, "schema") != kSessionSchema) bad("\"schema\" must be \"" + std::string(kSessionSchema) + "\"");
  Session session;
  if (const json* data = member(object, "data", &json::is_object, "an object")) {
    session.data.path = text(*data, "path");
    session.data.sample = text(*data, "sample");
    session.data.size = whole(*data, "size", 0, 0, 1 << 20);
    session.data.seed = static_cast<std::uint64_t>(whole(*data, "seed", 1, 0, INT64_MAX));
    if (!session.data.path.empty() && !session.data.sample.empty()) bad("\"data\" names both a path and a sample");
  }
  if (!object.contains("bank")) bad("it has no \"bank\"");
  session.bank = bankFromJson(object.at("bank"));
  session.engine = text(object, "engine");
  session.variant = text(object, "variant");
  session.threads = static_cast<int>(whole(object, "threads", 0, 0, 4096));
  if (const json* wavelet = member(object, "wavelet", &json::is_object, "an object"))
    session.wavelet = waveletFrom(*wavelet);
  if (const json* lattice = member(object, "lattice", &json::is_object, "an object"))
    session.lattice = latticeSettingsFrom(*lattice);
  if (const json* ladder = member(object, "ladder", &json::is_object, "an object"))
    session.ladder = ladderSettingsFrom(*ladder);
  if (const json* view = member(object, "view", &json::is_object, "an object")) session.view = viewFrom(*view);
  return session;
}

Session readSession(const std::string& path) {
  const std::string content = readTextFile(path);
  json document;
  try {
    document = parseJson(content);
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot read " + path + ": " + error.what());
  } catch (const json::parse_error& error) {
    throw Error(ErrorKind::BadData,
                "cannot read " + path + ": it is not JSON (byte " + std::to_string(error.byte) + ")",
                "save the session again from the window");
  } catch (const json::out_of_range&) {
    throw Error(ErrorKind::BadData, "cannot read " + path + ": it holds a number that is too large for any use",
                "save the session again from the window");
  }
  Session session;
  try {
    session = sessionFromJson(document);
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot read " + path + ": " + error.what());
  }
  const fs::path folder = fs::path(path).parent_path();
  resolve(session.data.path, relativeAt(document, {"data", kRelativePath}), folder);
  resolve(session.wavelet.taps, relativeAt(document, {"wavelet", kRelativeTaps}), folder);
  if (session.lattice)
    resolve(session.lattice->configuration.path, relativeAt(document, {"lattice", "configuration", kRelativePath}),
            folder);
  return session;
}

void writeSession(const std::string& path, const Session& session) {
  json document = toJson(session);
  const fs::path folder = fs::absolute(path).parent_path().lexically_normal();
  addRelative(document["data"], kRelativePath, session.data.path, folder);
  addRelative(document["wavelet"], kRelativeTaps, session.wavelet.taps, folder);
  if (session.lattice)
    addRelative(document["lattice"]["configuration"], kRelativePath, session.lattice->configuration.path, folder);
  writeTextFile(path, document.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace sscope
