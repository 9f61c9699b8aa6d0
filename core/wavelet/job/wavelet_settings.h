#pragma once
// Settings of the Wavelet room: computation and view.

#include <string>

#include "core/options/settings.h"

namespace sscope {

struct WaveletSettings {
  std::string transform = "dwt";          // "dwt": wavelet transform, "magic": magic filter
  std::string wavelet = "sym4";           // "haar", "db1" ... "db10", "sym2" ... "sym10"
  std::string convention = "pywavelets";  // of its taps: "pywavelets", "bigdft"
  int levels = 3;                         // at least 1; fewer if the data cannot be halved so often
  std::string rule = "soft";              // for coefficients above the threshold: "soft", "hard"
  bool automatic = true;                  // thresholds are estimated from the noise in the data
  std::string shrinkage = "sure";         // with this rule: "sure", "bayes", "visu"
  double threshold = 0;                   // else: this one, in the unit of the data, >= 0
  std::string direction = "forward";      // magic filter: "forward", "inverse"
  int order = 8;                          // magic filter: vanishing moments of its symlet, 1..10
  std::string taps;                       // magic filter: a file of other taps; empty: those of the order
  std::string variant;                    // of the transform; empty: the default
  bool operator==(const WaveletSettings&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

struct WaveletView {
  std::string show = "both";     // "source", "result", "both", "difference"
  std::string layout = "axial";  // "all", "axial", "coronal", "sagittal", "volume"
  bool pyramid = true;           // show the coefficients next to the picture
  bool operator==(const WaveletView&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

}  // namespace sscope
