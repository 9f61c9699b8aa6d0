#include "app/peers/peers.h"

#include "app/peers/rows.h"

namespace sscope {

namespace {

void addFound(EngineSet& engines, const std::string& id, const std::string& name, const std::string& library,
              const std::string& missing) {
  if (!name.empty()) {
    engines.add(peers::makePeerEngine(id, name));
    return;
  }
  EngineInfo info;
  info.id = id;
  info.kind = EngineKind::Peer;
  info.name = library;
  info.absentReason = "this build did not find " + missing;
  engines.addAbsent(std::move(info));
}

}  // namespace

void addPeerEngines(EngineSet& engines) {
  engines.add(peers::makePeerEngine("peer:itk", peers::itkName()));
  addFound(engines, "peer:opencv", peers::openCvName(), "OpenCV",
           "OpenCV's core and imgproc (Debian: libopencv-imgproc-dev)");
  addFound(engines, "peer:fftw", peers::fftwName(), "FFTW", "FFTW 3 (Debian: libfftw3-dev)");
}

void addPeerVariants(VariantTable& variants) {
  for (auto& row : peers::itkRows()) variants.add(peers::peerVariant(std::move(row)));
  for (auto& row : peers::openCvRows()) variants.add(peers::peerVariant(std::move(row)));
  for (Variant& row : peers::fftwVariants()) variants.add(std::move(row));
}

}  // namespace sscope
