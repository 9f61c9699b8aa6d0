#pragma once
// Files that are written under a temporary name: plane by plane in any order, or packed from front to back.

#include <filesystem>
#include <memory>
#include <optional>

#include "core/base/atomic_file.h"
#include "core/io/planes/plane_writer.h"
#include "core/volume/fingerprint.h"
#include "core/volume/volume_stream.h"

namespace sscope::io {

class FileSink final : public VolumeSink {
 public:
  // Makes the files with all but the voxels and reserves the room of these on the disk; finish() completes the record
  // of how they were made. Throws as layoutOf, Error(Io), with the bytes that are needed and free where these are too
  // few, and Canceled.
  FileSink(const std::filesystem::path& path, const VolumeOutline& volume, const WriteOptions& options,
           const Control& control = {});

  [[nodiscard]] const FileLayout& layout() const { return writer_->layout(); }
  // The file of layout().data until it has its name: other processes write their planes to it with a PlaneWriter.
  [[nodiscard]] const std::filesystem::path& temporary() const { return data_.temporary(); }

  [[nodiscard]] bool anyOrder() const override { return true; }
  void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) override;
  void check(const Control& control) override { writer_->check(control); }
  void finish(const Control& control) override;

 private:
  FileSink(FileLayout layout, WriteOptions options, const Control& control);
  void complete();

  WriteOptions options_;
  std::optional<AtomicFile> header_;
  AtomicFile data_;
  std::optional<PlaneWriter> writer_;
  FingerprintSum sum_;
};

// A file whose voxels are packed as one stream: planes come from the first to the last; components that lie apart in
// the file come with all planes at once. Throws as layoutOf, Error(Io).
[[nodiscard]] std::unique_ptr<VolumeSink> openPackedSink(const std::filesystem::path& path, const VolumeOutline& volume,
                                                         const WriteOptions& options);

}  // namespace sscope::io
