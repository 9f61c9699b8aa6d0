#include "core/volume/metadata.h"

#include <cstddef>
#include <string_view>

namespace sscope {

namespace {

// The convention for diffusion in NRRD, and the intent of NIfTI: gradients and b-value of each component, and the
// modality that announces them.
bool ofComponents(const std::string& key) {
  return key.starts_with("DWMRI_") || key == "modality" || key.starts_with("nifti.intent");
}

// Names of channels and how they were lit (core/io/tiff/ome.h); the writer omits them if the number of channels
// differs, so they are kept for a part of the channels.
bool ofChannels(const std::string& key) { return key.starts_with("ome.") || key == "imagej.tag.luts"; }

Metadata withoutFieldsOfComponents(Metadata metadata) {
  std::erase_if(metadata.fields, [](const auto& field) { return ofComponents(field.first); });
  metadata.componentKind.clear();
  metadata.measurementFrame.reset();
  metadata.channels.clear();
  metadata.frames = 1;
  metadata.frameSeconds = 0;
  return metadata;
}

}  // namespace

std::string spaceText(const Metadata& metadata) {
  constexpr std::string_view kNifti[] = {"unknown", "scanner", "aligned to another file", "Talairach", "MNI 152"};
  for (const char* key : {"nifti.sform_code", "nifti.qform_code"})
    for (const auto& [name, value] : metadata.fields)
      if (name == key && value.size() == 1 && value[0] > '0' && value[0] < '5')
        return std::string(kNifti[static_cast<std::size_t>(value[0] - '0')]);
  return metadata.inSpace ? "patient (LPS)" : "unknown";
}

Metadata withoutComponents(Metadata metadata) {
  std::erase_if(metadata.fields, [](const auto& field) { return ofChannels(field.first); });
  return withoutFieldsOfComponents(std::move(metadata));
}

Metadata withoutValues(Metadata metadata) {
  // Intents of NIfTI, and the range in which values are shown.
  std::erase_if(metadata.fields, [](const auto& field) {
    return field.first.starts_with("nifti.intent") || field.first.starts_with("nifti.cal_");
  });
  metadata.valueUnit.clear();
  metadata.labels = false;
  return metadata;
}

Metadata withoutRegions(Metadata metadata) {
  std::erase_if(metadata.fields,
                [](const auto& field) { return field.first == "imagej.tag.roi " || field.first == "imagej.tag.over"; });
  return metadata;
}

Metadata selected(Metadata metadata, bool allFrames) {
  const int frames = metadata.frames;
  const double seconds = metadata.frameSeconds;
  metadata = withoutFieldsOfComponents(std::move(metadata));
  if (allFrames) {
    metadata.frames = frames;
    metadata.frameSeconds = seconds;
  }
  return metadata;
}

}  // namespace sscope
