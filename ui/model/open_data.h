#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/parts/large_volume.h"
#include "core/session/session.h"
#include "core/volume/volume_io.h"

namespace sscope {

// The open data: voxels, origin and metadata. Immutable.
struct OpenData {
  DataSource source;
  std::shared_ptr<const Volume> volume;
  // Not null: the data are larger than memory. `volume` has their extents and no voxels then: these are asked of it.
  std::shared_ptr<reach::LargeVolume> large;
  VolumeInfo info;
  std::string name;            // of data from neither a file nor a sample, such as a field of the Lattice room
  std::uint64_t identity = 0;  // unique for every load; engines use it to keep device copies
  // The same nonzero number for all time points of a file, which share the view.
  std::uint64_t series = 0;
  std::shared_ptr<const LoadedVolume> allFrames;  // of the file, if in memory
  std::optional<std::int64_t> frame;              // the open one, from 0; empty: all of them, as components
  [[nodiscard]] int frames() const { return series == 0 ? 1 : info.fileFrames; }
};

// "brain.nii.gz", "foam", or the name above.
[[nodiscard]] QString dataTitle(const OpenData& data);

// Where they come from, with the frame that is open.
[[nodiscard]] DataSource sourceOf(const OpenData& data);

// What the overview of large data consists of: "means of 4 × 4 × 2 voxels", "level 3 of the file's pyramid".
[[nodiscard]] QString overviewText(const reach::Overview& overview);
// Why something cannot be done with large data, as one sentence without a full stop: "the data are larger than memory,
// and `what`"; empty for others.
[[nodiscard]] QString largeRefusal(const OpenData& data, const QString& what);

}  // namespace sscope
