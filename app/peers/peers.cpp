#include "app/peers/peers.h"

#include "app/peers/rows.h"

namespace sscope {

void addPeerEngines(EngineSet& engines) {
  engines.add(peers::makePeerEngine("peer:itk", peers::itkName()));
  if (const std::string name = peers::openCvName(); !name.empty()) {
    engines.add(peers::makePeerEngine("peer:opencv", name));
  } else {
    EngineInfo info;
    info.id = "peer:opencv";
    info.kind = EngineKind::Peer;
    info.name = "OpenCV";
    info.absentReason = "this build did not find OpenCV's core and imgproc (Debian: libopencv-imgproc-dev)";
    engines.addAbsent(std::move(info));
  }
}

void addPeerVariants(VariantTable& variants) {
  for (auto& row : peers::itkRows()) variants.add(peers::peerVariant(std::move(row)));
  for (auto& row : peers::openCvRows()) variants.add(peers::peerVariant(std::move(row)));
}

}  // namespace sscope
