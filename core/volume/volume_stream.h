#pragma once
// Volumes that are read and written by slabs, because they do not fit into memory or belong to several ranks.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/base/control.h"
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

}  // namespace sscope
