#include "core/wavelet/job/wavelet_settings.h"

namespace sscope {

const SettingsTable& WaveletSettings::table() {
  using S = WaveletSettings;
  static const SettingsTable made =
      SettingsOf<S>("wavelet", "wavelet", "wavelet", "Wavelet")
          .choice("transform", "transform", &S::transform, {"dwt", "magic"})
          .text("wavelet", "wavelet", &S::wavelet)
          .choice("convention", "convention", &S::convention, {"pywavelets", "bigdft"})
          .whole("levels", "levels", &S::levels, 1, 62)
          .choice("rule", "rule", &S::rule, {"soft", "hard"})
          .truth("automatic", "threshold", &S::automatic)
          .choice("shrinkage", "rule for thresholds", &S::shrinkage, {"sure", "bayes", "visu"})
          // Sessions of before the rule could be chosen meant the universal threshold.
          .whenMissing("visu")
          .real("threshold", "threshold", &S::threshold, 0, 1e300)
          .choice("direction", "direction", &S::direction, {"forward", "inverse"})
          .whole("order", "order", &S::order, 1, 10)
          .text("taps", "taps", &S::taps)
          .text("variant", "variant", &S::variant)
          .file("relativeTaps", &S::taps)
          .command([](const S& s, bool shown) -> std::string {
            if (s == S() && !shown) return {};
            return s.transform == "magic" ? "sscope magic" : "sscope dwt";
          })
          .table();
  return made;
}

const SettingsTable& WaveletView::table() {
  using S = WaveletView;
  static const SettingsTable made =
      SettingsOf<S>("wavelet view", "view", "wavelet", "Wavelet")
          .choice("waveletShow", "pictures", &S::show, {"source", "result", "both", "difference"})
          .choice("waveletLayout", "layout", &S::layout, {"all", "axial", "coronal", "sagittal", "volume"})
          .truth("waveletPyramid", "coefficients", &S::pyramid)
          .table();
  return made;
}

}  // namespace sscope
