#pragma once
// The rows of each library.

#include <vector>

#include "app/peers/peer_engine.h"

namespace sscope::peers {

[[nodiscard]] std::vector<PeerRow> itkRows();
// Those of order statistics, which itkRows() holds, too.
[[nodiscard]] std::vector<PeerRow> itkRankRows();
// Name and version, for EngineInfo.
[[nodiscard]] std::string itkName();

[[nodiscard]] std::vector<PeerRow> openCvRows();
[[nodiscard]] std::string openCvName();  // empty where the build has no OpenCV

// Of the workload magic, on the engine peer:fftw.
[[nodiscard]] std::vector<Variant> fftwVariants();
[[nodiscard]] std::string fftwName();  // empty where the build has no FFTW

}  // namespace sscope::peers
