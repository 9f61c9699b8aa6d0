// Stands in for fftw_rows.cpp in builds without FFTW.

#include "app/peers/rows.h"

namespace sscope::peers {

std::vector<Variant> fftwVariants() { return {}; }
std::string fftwName() { return {}; }

}  // namespace sscope::peers
