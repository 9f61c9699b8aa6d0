#pragma once
// What the Wavelet room does with the open data, and how it shows that.

#include <string>

#include "core/options/settings.h"

namespace sscope {

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
  [[nodiscard]] static const SettingsTable& table();
};

struct WaveletView {
  std::string show = "both";     // "source", "result", "both", "difference"
  std::string layout = "axial";  // "all", "axial", "coronal", "sagittal", "volume"
  bool pyramid = true;           // the coefficients beside the picture
  bool operator==(const WaveletView&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

}  // namespace sscope
