#pragma once
// A file that is written plane by plane, in any order, under a temporary name.

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
  // Makes the files, with all but the voxels, and reserves the room of these on the disk; finish() completes what they
  // say of how they were made. Throws as layoutOf, Error(Io), with the bytes that are needed and free where these are
  // too few, and Canceled.
  FileSink(const std::filesystem::path& path, const VolumeOutline& volume, const WriteOptions& options,
           const Control& control = {});

  [[nodiscard]] const FileLayout& layout() const { return writer_->layout(); }
  // The file of layout().data until it has its name: other processes write their planes to it with a PlaneWriter.
  [[nodiscard]] const std::filesystem::path& temporary() const { return data_.temporary(); }

  [[nodiscard]] bool anyOrder() const override { return true; }
  void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) override;
  void check(const Control& control) override;
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

}  // namespace sscope::io
