// The tables of settings that the subjects add to sessions.

#include "core/compare/compare_settings.h"
#include "core/filter/job/filter_view.h"
#include "core/filter/job/volume_settings.h"
#include "core/filter/laboratory/laboratory_view.h"
#include "core/ladder/ladder_settings.h"
#include "core/session/session.h"
#ifndef SSCOPE_WITHOUT_WAVELET
#include "core/wavelet/job/wavelet_settings.h"
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
#include "core/lattice/job/lattice_settings.h"
#endif

namespace sscope {

const std::vector<const SettingsTable*>& sessionParts() {
  static const std::vector<const SettingsTable*> parts{
#ifndef SSCOPE_WITHOUT_WAVELET
      &WaveletSettings::table(), &WaveletView::table(),
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
      &LatticeSettings::table(),
#endif
      &FilterView::table(),      &LaboratoryView::table(), &VolumeSettings::table(),
      &LadderSettings::table(),  &CompareSettings::table()};
  return parts;
}

}  // namespace sscope
