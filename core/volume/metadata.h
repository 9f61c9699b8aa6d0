#pragma once
// What a file says beyond its voxels and where they lie, to be written again where the format has room for it.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sscope {

struct Metadata {
  // How many points in time the components hold: component t * (components / frames) + c is channel c at time t.
  int frames = 1;
  double frameSeconds = 0;  // from one to the next; 0 where the file does not say
  // Free annotations (NRRD's "key:=value") in the file's order.
  std::vector<std::pair<std::string, std::string>> fields;
  std::string componentKind;  // NRRD's word for the axis of components ("list", "vector"); empty: none
  // Turns the coordinates in which `fields` tell gradients into LPS; row-major.
  std::optional<std::array<double, 9>> measurementFrame;
  bool operator==(const Metadata&) const = default;
};

// What remains true of a part of the components: `allFrames` when one channel of every frame was taken, else one frame.
// What is told of single components (diffusion gradients) does not.
[[nodiscard]] Metadata selected(Metadata metadata, bool allFrames);
// What remains true when the components became others in number or meaning, as of several filters in one file.
[[nodiscard]] Metadata withoutComponents(Metadata metadata);

}  // namespace sscope
