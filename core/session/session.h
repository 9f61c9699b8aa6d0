#pragma once
// The open data, the bank, the engine choice, the settings of every room and the view: everything that the window edits
// and a session file holds; `sscope run` executes it. Qt-free.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/filter/recipe.h"
#include "core/options/settings.h"

namespace sscope {

// Where the data comes from: a path (file, folder or pattern) or a built-in sample.
struct DataSource {
  std::string path;       // empty when a sample is used
  std::string sample;     // empty when a path is used
  std::int64_t size = 0;  // of the sample; 0 for its default
  std::uint64_t seed = 1;
  [[nodiscard]] bool empty() const { return path.empty() && sample.empty(); }
  bool operator==(const DataSource&) const = default;
};

struct ViewState {
  std::array<std::int64_t, 3> crosshair{-1, -1, -1};  // voxel; -1: the middle
  std::optional<std::array<double, 2>> sourceWindow;  // lower and upper value; empty: chosen automatically
  std::optional<std::array<double, 2>> resultWindow;
  std::string show = "result";  // "source", "result" or "both"
  std::string layout = "all";   // "all", "axial", "coronal", "sagittal", "volume"
  std::string shownFilter;      // name of the filter whose result is shown; empty: the first
  int component = 0;            // -1: color, for three 8-bit components
  std::string room = "filter";  // the key of a room; an unknown key is ignored
  bool operator==(const ViewState&) const = default;
};

struct Session {
  DataSource data;
  FilterBank bank;
  std::string engine;   // empty: the preferred engine
  std::string variant;  // empty: the default
  int threads = 0;      // 0: all
  ViewState view;
  // Members of its JSON that this build does not know, as JSON text by name: "lattice", "view.mine". They are written
  // back unchanged.
  std::map<std::string, std::string> foreign;
  bool operator==(const Session&) const = default;

  // The settings of type S, or the defaults.
  template <HasSettingsTable S>
  [[nodiscard]] const S& get() const {
    static const S initial;
    const S* found = find<S>();
    return found != nullptr ? *found : initial;
  }
  // Null if it holds none; if they are optional, the room then stays as it is.
  template <HasSettingsTable S>
  [[nodiscard]] const S* find() const {
    const auto found = settings_.find(S::table().key);
    return found == settings_.end() ? nullptr : &found->second.template as<S>();
  }
  [[nodiscard]] Settings settings(const SettingsTable& table) const;
  [[nodiscard]] bool holds(const SettingsTable& table) const { return settings_.contains(table.key); }
  void put(Settings settings);

 private:
  std::map<std::string, Settings> settings_;  // by the key of their table; settings equal to the defaults are left out
};

// The tables of all rooms and subjects: everything that a session can hold (core/session_parts.cpp).
[[nodiscard]] const std::vector<const SettingsTable*>& sessionParts();

// The data, without a point in time, and the documents that the rooms have open, as paths if they are files. They
// identify the work: sessions with other data are other work.
[[nodiscard]] std::vector<std::string> openedIn(const Session& session);

// The names of the documents that the rooms have open in addition to the data.
[[nodiscard]] std::vector<std::string> documentsOf(const Session& session);

// schema "stencilscope.session/1", see docs/manual/file-formats.md. fromJson throws Error(BadData).
[[nodiscard]] nlohmann::json toJson(const Session& session);
[[nodiscard]] Session sessionFromJson(const nlohmann::json& json);
// Relative paths are resolved against the session file's folder.
[[nodiscard]] Session readSession(const std::string& path);
void writeSession(const std::string& path, const Session& session);

}  // namespace sscope
