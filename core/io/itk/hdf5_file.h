#pragma once
// HDF5 files: their size as they state it, handles of the library, and our texts in attributes of the root, which ITK
// leaves alone.

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "core/volume/volume_io.h"

namespace sscope::io {

// An object of the library, closed at the end.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// The file, opened for reading. Throws Error(BadData).
[[nodiscard]] Handle openHdf5(const std::string& path);

// The end of the file in its superblock (HDF5 File Format Specification, section II.A), in bytes; empty where the file
// does not begin with a superblock of a known version, or cannot be read.
[[nodiscard]] std::optional<std::int64_t> hdf5Bytes(const std::string& path);

// The texts about meaning and provenance.
void takeTextsOfHdf5(const std::string& path, VolumeInfo& info);
// Adds them to a file that is complete and closed; errors name `shown`. Throws Error(Io).
void putTextsOfHdf5(const std::filesystem::path& file, const std::filesystem::path& shown, const Metadata& metadata);

}  // namespace sscope::io
