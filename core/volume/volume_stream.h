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
  // Whether planes can be read in any order for the cost of their own bytes. Others are read from front to back: going
  // back begins anew.
  [[nodiscard]] virtual bool anyOrder() const = 0;
  // Whether planes lie in one file as they are used: nothing is decoded or unpacked.
  [[nodiscard]] virtual bool plain() const { return false; }
  // Planes begin..end-1 as a Volume holds them, components innermost. Throws Error(NotFound, BadData, Io) naming the
  // file, also where it was cut off, replaced or grew since it was opened, or Canceled. Not for concurrent calls.
  virtual void read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control) = 0;
};

// Writes under a temporary name; destroyed without finish(), it leaves nothing behind.
class VolumeSink {
 public:
  virtual ~VolumeSink() = default;
  // Whether planes may come in any order. Others take them from the first to the last.
  [[nodiscard]] virtual bool anyOrder() const = 0;
  virtual void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) = 0;
  // Reads some of the planes again that were written, where the format allows that: those of an other place are found.
  // Throws Error(Io), saying which plane is another than was written, and Canceled.
  virtual void check(const Control& /*control*/) {}
  // All planes are written: gives the file its name. Throws Error(Io).
  virtual void finish(const Control& control) = 0;
};

// Data that may have to be read by slabs, because they take more memory than is allowed. The window and the command
// line share these rules.

// Bytes that data and results may take: `bound`, or where it is 0 two thirds of what is free (availableMemory). 0:
// nobody knows.
[[nodiscard]] std::int64_t allowedMemory(std::int64_t bound);

// Whether a look at the sizes of the files of `path` leaves it open that data and results exceed `memory` bytes;
// `grown`: the most bytes that one byte of the data, unpacked, takes with its results.
[[nodiscard]] bool mayExceed(const VolumeIo& io, const std::string& path, double grown, std::int64_t memory);

struct StreamableInput {
  std::unique_ptr<VolumeSource> source;  // null: it cannot be read by slabs
  VolumeInfo info;
  std::string whyNot;
};
// Throws as VolumeIo::openSource and probe, but for files that are not read by slabs.
[[nodiscard]] StreamableInput openStreamable(VolumeIo& io, const std::string& path, const Control& control);

// Data that take too much with their results, and why they cannot be streamed.
[[nodiscard]] Error tooLarge(const std::string& path, double bytes, std::int64_t memory, const std::string& whyNot);

}  // namespace sscope
