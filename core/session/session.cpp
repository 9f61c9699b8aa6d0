#include "core/session/session.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"
#include "core/options/json_members.h"
#include "core/session/data_paths.h"
#include "core/volume/selection.h"

namespace sscope {

using namespace json_members;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kSessionSchema = "stencilscope.session/1";
constexpr std::string_view kViewPrefix = "view.";

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
  view.room = text(object, "room", view.room);
  return view;
}

// An absolute path is stored with the path relative to the session's folder: together they find data that moved with
// the session, and data that stayed when the session moved.
constexpr const char* kRelativePath = "relativePath";

std::string relativeTo(const fs::path& folder, const std::string& file) {
  if (file.empty() || !fs::path(file).is_absolute()) return {};
  return fs::path(file).lexically_normal().lexically_relative(folder).string();
}

std::string resolved(const std::string& file, const std::string& relative, const fs::path& folder) {
  if (file.empty()) return file;
  if (fs::path(file).is_relative()) return (folder / file).lexically_normal().string();
  if (relative.empty() || isThere(file)) return file;
  const std::string beside = (folder / relative).lexically_normal().string();
  return isThere(beside) ? beside : file;
}

// The JSON of the members that Session itself holds.
json ownJson(const Session& session) {
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
          {"view",
           {{"crosshair", view.crosshair},
            {"sourceWindow", window(view.sourceWindow)},
            {"resultWindow", window(view.resultWindow)},
            {"show", view.show},
            {"layout", view.layout},
            {"shownFilter", view.shownFilter},
            {"component", view.component},
            {"room", view.room}}}};
}

// The members of `object` that are not in `known`, without nulls.
std::map<std::string, std::string> foreignIn(const json& object, const json& known, const std::string& within) {
  std::map<std::string, std::string> found;
  for (const auto& [name, value] : object.items())
    if (!value.is_null() && !known.contains(name))
      found[within + name] = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return found;
}

}  // namespace

Settings Session::settings(const SettingsTable& table) const {
  const auto found = settings_.find(table.key);
  return found == settings_.end() ? Settings(table) : found->second;
}

void Session::put(Settings settings) {
  const SettingsTable& table = settings.table();
  if (!table.optional && settings == Settings(table)) {
    settings_.erase(table.key);
  } else {
    settings_.insert_or_assign(table.key, std::move(settings));
  }
}

std::vector<std::string> documentsOf(const Session& session) {
  std::vector<std::string> names;
  for (const SettingsTable* table : sessionParts())
    if (table->document)
      if (std::string name = table->document(session.settings(*table).value()); !name.empty()) names.push_back(name);
  return names;
}

std::vector<std::string> openedIn(const Session& session) {
  std::vector<std::string> opened = documentsOf(session);
  const DataSource& data = session.data;
  if (!data.path.empty()) opened.push_back(withFrame(data.path, std::nullopt));
  if (!data.sample.empty())
    opened.push_back(data.sample + " " + std::to_string(data.size) + " " + std::to_string(data.seed));
  for (const SettingsTable* table : sessionParts())
    if (table->document)
      for (const SettingsFile& file : table->files)
        if (std::string path = file.get(session.settings(*table).value()); !path.empty()) opened.push_back(path);
  return opened;
}

json toJson(const Session& session) {
  json document = ownJson(session);
  for (const SettingsTable* table : sessionParts()) {
    json& member = document[table->member];
    if (!table->optional || session.holds(*table)) session.settings(*table).write(member);
  }
  for (const auto& [name, value] : session.foreign) {
    const bool view = name.starts_with(kViewPrefix);
    json& holder = view ? document["view"] : document;
    holder[view ? name.substr(kViewPrefix.size()) : name] = json::parse(value);
  }
  return document;
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
  const json* view = member(object, "view", &json::is_object, "an object");
  if (view) session.view = viewFrom(*view);
  for (const SettingsTable* table : sessionParts())
    if (const json* part = member(object, table->member.c_str(), &json::is_object, "an object")) try {
        session.put(Settings::read(*table, *part));
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::BadData) throw;
        bad(error.what());
      }
  const json known = toJson(session);
  session.foreign = foreignIn(object, known, {});
  if (view) session.foreign.merge(foreignIn(*view, known.at("view"), std::string(kViewPrefix)));
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
    throw Error(ErrorKind::BadData, "cannot read " + path + ": it holds a number that is too large",
                "save the session again from the window");
  }
  Session session;
  try {
    session = sessionFromJson(document);
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot read " + path + ": " + error.what());
  }
  const fs::path folder = fs::path(path).parent_path();
  const json* data = member(document, "data", &json::is_object, "an object");
  const json* beside = data && data->contains(kRelativePath) ? &data->at(kRelativePath) : nullptr;
  session.data.path =
      resolved(session.data.path, beside && beside->is_string() ? beside->get<std::string>() : "", folder);
  for (const SettingsTable* table : sessionParts()) {
    if (!session.holds(*table)) continue;
    Settings settings = session.settings(*table);
    settings.resolve(document.at(table->member), [&](const std::string& file, const std::string& relative) {
      return resolved(file, relative, folder);
    });
    session.put(std::move(settings));
  }
  return session;
}

void writeSession(const std::string& path, const Session& session) {
  json document = toJson(session);
  const fs::path folder = fs::absolute(path).parent_path().lexically_normal();
  const auto relative = [&](const std::string& file) { return relativeTo(folder, file); };
  if (std::string beside = relative(session.data.path); !beside.empty()) document["data"][kRelativePath] = beside;
  for (const SettingsTable* table : sessionParts())
    if (session.holds(*table)) session.settings(*table).writeRelative(document[table->member], relative);
  writeTextFile(path, document.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace sscope
