#pragma once
// The open data, the bank, the engine choice and the view: everything the window edits, `sscope run` executes
// and a session file holds. Qt-free.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/filter/recipe.h"
#include "core/lattice/job/lattice_settings.h"
#include "core/session/ladder_settings.h"

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

// What the Wavelet room does with the open data.
struct WaveletSettings {
  std::string transform = "dwt";          // "dwt": wavelet transform, "magic": magic filter
  std::string wavelet = "sym4";           // "haar", "db1" ... "db10", "sym2" ... "sym10"
  std::string convention = "pywavelets";  // whose taps that names: "pywavelets", "bigdft"
  int levels = 3;                         // at least 1; data that cannot be halved as often take fewer
  std::string rule = "soft";              // what becomes of coefficients above the threshold: "soft", "hard"
  bool automatic = true;                  // thresholds are found from the noise that the data show
  std::string shrinkage = "sure";         // by this rule then: "sure", "bayes", "visu"
  double threshold = 0;                   // else: this one, in the unit of the data, >= 0
  std::string direction = "forward";      // magic filter: "forward", "inverse"
  int order = 8;                          // magic filter: vanishing moments of its symlet, 1..10
  std::string taps;                       // magic filter: a file of other taps; empty: those of the order
  std::string variant;                    // of the transform; empty: the default
  bool operator==(const WaveletSettings&) const = default;
};

struct ViewState {
  std::array<std::int64_t, 3> crosshair{-1, -1, -1};  // voxel; -1: the middle
  std::optional<std::array<double, 2>> sourceWindow;  // lower and upper value; empty: automatic
  std::optional<std::array<double, 2>> resultWindow;
  std::string show = "result";          // "source", "result" or "both"
  std::string layout = "all";           // "all", "axial", "coronal", "sagittal", "volume"
  std::string shownFilter;              // name of the filter whose result is shown; empty: the first
  int component = 0;                    // -1: color, for three 8-bit components
  std::string room = "filter";          // "filter", "wavelet", "lattice", "ladders"
  std::string waveletShow = "both";     // "source", "result", "both", "difference"
  std::string waveletLayout = "axial";  // as layout, of the Wavelet room
  bool waveletPyramid = true;           // the coefficients beside the picture
  bool operator==(const ViewState&) const = default;
};

struct Session {
  DataSource data;
  FilterBank bank;
  std::string engine;   // empty: the preferred engine
  std::string variant;  // empty: the default
  int threads = 0;      // 0: all
  WaveletSettings wavelet;
  std::optional<LatticeSettings> lattice;  // empty: as it is
  std::optional<LadderSettings> ladder;    // likewise
  ViewState view;
  bool operator==(const Session&) const = default;
};

// schema "stencilscope.session/1", see docs/file-formats.md. fromJson throws Error(BadData).
[[nodiscard]] nlohmann::json toJson(const Session& session);
[[nodiscard]] Session sessionFromJson(const nlohmann::json& json);
// Relative paths of data and configuration are taken relative to the session file's folder.
[[nodiscard]] Session readSession(const std::string& path);
void writeSession(const std::string& path, const Session& session);

}  // namespace sscope
