#include "core/volume/metadata.h"

namespace sscope {

namespace {

// The convention for diffusion in NRRD, and the intent of NIfTI: gradients and b-value of each component, and the
// modality that announces them.
bool ofComponents(const std::string& key) {
  return key.starts_with("DWMRI_") || key == "modality" || key.starts_with("nifti.intent");
}

}  // namespace

Metadata withoutComponents(Metadata metadata) {
  std::erase_if(metadata.fields, [](const auto& field) { return ofComponents(field.first); });
  metadata.componentKind.clear();
  metadata.measurementFrame.reset();
  metadata.channels.clear();
  metadata.frames = 1;
  metadata.frameSeconds = 0;
  return metadata;
}

Metadata selected(Metadata metadata, bool allFrames) {
  const int frames = metadata.frames;
  const double seconds = metadata.frameSeconds;
  metadata = withoutComponents(std::move(metadata));
  if (allFrames) {
    metadata.frames = frames;
    metadata.frameSeconds = seconds;
  }
  return metadata;
}

}  // namespace sscope
