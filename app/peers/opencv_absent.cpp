// Stands in for opencv_rows.cpp in builds without OpenCV.

#include "app/peers/rows.h"

namespace sscope::peers {

std::vector<PeerRow> openCvRows() { return {}; }
std::string openCvName() { return {}; }

}  // namespace sscope::peers
