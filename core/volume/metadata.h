#pragma once
// Metadata of a file other than voxels and geometry; written again if the format supports it.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sscope {

struct Metadata {
  // Number of time points in the components: component t * (components / frames) + c is channel c at time t.
  int frames = 1;
  double frameSeconds = 0;  // between time points; 0 if unknown
  // Free annotations (NRRD's "key:=value") in the file's order.
  std::vector<std::pair<std::string, std::string>> fields;
  std::string componentKind;  // NRRD's word for the axis of components ("list", "vector"); empty: none
  // Rotates the gradients in `fields` into LPS; row-major.
  std::optional<std::array<double, 9>> measurementFrame;
  // Whether the axes are those of a patient or an instrument (NRRD's "space").
  bool inSpace = true;
  // Names, perhaps empty, of channels that are separate pictures (of a microscope); none: components have another
  // meaning, such as colors.
  std::vector<std::string> channels;
  std::string valueUnit;  // "HU", "Gy"; empty: unknown
  bool labels = false;    // the values name regions
  // The file's record of how it was made (core/volume/provenance.h); empty: none.
  std::string provenance;
  // Whether the components must not be shown as colors.
  [[nodiscard]] bool separate() const { return frames > 1 || !channels.empty(); }
  bool operator==(const Metadata&) const = default;
};

// The space of the positions: "patient (LPS)", "MNI 152", the file's word for it, or "unknown".
[[nodiscard]] std::string spaceText(const Metadata& metadata);

// The metadata that is still valid for a part of the components: one channel of every frame for `allFrames`, else one
// frame. Entries about single components (diffusion gradients) are dropped.
[[nodiscard]] Metadata selected(Metadata metadata, bool allFrames);
// The metadata that is still valid when number or meaning of the components change, as with several filters in one
// file.
[[nodiscard]] Metadata withoutComponents(Metadata metadata);
// The metadata that is still valid when the values are others, as those of a filter.
[[nodiscard]] Metadata withoutValues(Metadata metadata);
// The metadata that is still valid for a box of the voxels: without regions of interest, whose positions are pixels.
[[nodiscard]] Metadata withoutRegions(Metadata metadata);

}  // namespace sscope
