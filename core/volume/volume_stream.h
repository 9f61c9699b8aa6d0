#pragma once
// Volumes that are read and written by slabs, because they do not fit into memory or belong to several ranks.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/base/error.h"
#include "core/volume/volume_io.h"

namespace sscope {

// Planes lie across the slowest axis of the file: z of volumes, y of images.
class VolumeSource {
 public:
  virtual ~VolumeSource() = default;
  [[nodiscard]] virtual const VolumeInfo& info() const = 0;
  // Whether planes can be read in any order at the cost of their own bytes. Other sources read from front to back:
  // going back starts again at the first plane.
  [[nodiscard]] virtual bool anyOrder() const = 0;
  // Whether the file stores planes as they are used, so that nothing is decoded or unpacked.
  [[nodiscard]] virtual bool plain() const { return false; }
  // Planes begin..end-1 as a Volume holds them, components innermost. Throws Error(NotFound, BadData, Io) naming the
  // file, also if it was truncated, replaced or extended since it was opened, or Canceled. Not for concurrent calls.
  virtual void read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control) = 0;
};

// Writes under a temporary name; destroyed without finish(), it leaves nothing behind.
class VolumeSink {
 public:
  virtual ~VolumeSink() = default;
  // Whether planes may come in any order. Others take them from the first to the last.
  [[nodiscard]] virtual bool anyOrder() const = 0;
  virtual void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) = 0;
  // Reads some written planes again, if the format allows it, to find planes at a wrong place. Throws Error(Io) that
  // names the wrong plane, and Canceled.
  virtual void check(const Control& /*control*/) {}
  // Called after the last plane: renames the file. Throws Error(Io).
  virtual void finish(const Control& control) = 0;
};

// Data that may have to be read by slabs, because they need more memory than is allowed. The window and the command
// line share these rules.

// Bytes that data and results may take: `bound`, or two thirds of the free memory (availableMemory) if it is 0. 0:
// unknown.
[[nodiscard]] std::int64_t allowedMemory(std::int64_t bound);

// Whether data and results may exceed `memory` bytes, judged by the sizes of the files of `path`; `grown`: the maximum
// bytes of memory for data and results per byte of unpacked data.
[[nodiscard]] bool mayExceed(const VolumeIo& io, const std::string& path, double grown, std::int64_t memory);

struct StreamableInput {
  std::unique_ptr<VolumeSource> source;  // null: it cannot be read by slabs
  VolumeInfo info;
  std::string whyNot;
};
// Throws as VolumeIo::openSource and probe, except for files that cannot be read by slabs.
[[nodiscard]] StreamableInput openStreamable(VolumeIo& io, const std::string& path, const Control& control);

// The error for data that need too much memory with their results and cannot be streamed; `whyNot`: the reason.
[[nodiscard]] Error tooLarge(const std::string& path, double bytes, std::int64_t memory, const std::string& whyNot);

}  // namespace sscope
