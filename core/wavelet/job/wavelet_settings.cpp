#include "core/wavelet/job/wavelet_settings.h"

namespace sscope {

const SettingsTable& WaveletSettings::table() {
  using S = WaveletSettings;
  static const SettingsTable made =
      SettingsOf<S>("wavelet", "wavelet", "wavelet", "Wavelet")
          .group("transform")
          .choice("transform", "transform", &S::transform, {"dwt", "magic"})
          .titles({{"dwt", "Wavelet transform"}, {"magic", "Magic filter"}})
          .text("wavelet", "wavelet", &S::wavelet)
          .choice("convention", "convention", &S::convention, {"pywavelets", "bigdft"})
          .titles({{"pywavelets", "PyWavelets"}, {"bigdft", "BigDFT, the mirror image"}})
          .shown("Convention", "Whose taps")
          .help("Which of two mirror images the wavelet is; the magic filter goes with BigDFT's symlet of its order")
          .whole("levels", "levels", &S::levels, 1, 62)
          .shown("Levels", "Levels of the transform")
          .help("How many times the approximation is halved")
          .choice("direction", "direction", &S::direction, {"forward", "inverse"})
          .titles({{"forward", "forward: coefficients to values"}, {"inverse", "inverse: values to coefficients"}})
          .shown("Direction", "Direction of the magic filter")
          .whole("order", "order", &S::order, 1, 10)
          .shown("Order", "Order of the magic filter")
          .help("Vanishing moments m of the symlet the filter belongs to; it has 2m taps")
          .text("taps", "taps", &S::taps)
          .group("threshold")
          .truth("automatic", "threshold", &S::automatic)
          .shown("auto")
          .help("Thresholds from the noise, which is estimated from the finest details, by the rule below")
          .real("threshold", "threshold", &S::threshold, 0, 1e300)
          .choice("shrinkage", "rule for thresholds", &S::shrinkage, {"sure", "bayes", "visu"})
          .titles({{"sure", "SURE: one for each band"},
                   {"bayes", "BayesShrink: one for each band"},
                   {"visu", "VisuShrink: one for all bands"}})
          .shown("", "Rule that finds thresholds")
          .help("BayesShrink and SURE keep more of the picture; VisuShrink leaves the least noise")
          // Older sessions without a rule mean the universal threshold.
          .whenMissing("visu")
          .choice("rule", "rule", &S::rule, {"soft", "hard"})
          .titles({{"soft", "soft: larger details shrink by it"}, {"hard", "hard: larger details stay as they are"}})
          .shown("", "How larger details change")
          .group("place")
          .text("variant", "variant", &S::variant)
          .shown("Variant", "Variant of the transform")
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
