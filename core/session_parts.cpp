// Where the subjects are entered in sessions: the settings that each brings.

#include "core/ladder/ladder_settings.h"
#include "core/lattice/job/lattice_settings.h"
#include "core/session/session.h"
#include "core/wavelet/job/wavelet_settings.h"

namespace sscope {

const std::vector<const SettingsTable*>& sessionParts() {
  static const std::vector<const SettingsTable*> parts{&WaveletSettings::table(), &WaveletView::table(),
                                                       &LatticeSettings::table(), &LadderSettings::table()};
  return parts;
}

}  // namespace sscope
