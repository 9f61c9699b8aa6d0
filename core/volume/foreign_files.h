#pragma once
// Files of microscopes' makers, which a free program reads: Bio-Formats' bfconvert makes an OME-TIFF of them. It runs
// only where the user says so.

#include <filesystem>
#include <string>
#include <utility>

#include "core/base/control.h"

namespace sscope {

// What it made, in a folder that goes with this object.
class ForeignCopy {
 public:
  explicit ForeignCopy(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ForeignCopy(ForeignCopy&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  ForeignCopy& operator=(ForeignCopy&&) = delete;
  ForeignCopy(const ForeignCopy&) = delete;
  ForeignCopy& operator=(const ForeignCopy&) = delete;
  ~ForeignCopy();
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "made.ome.tif"; }

 private:
  std::filesystem::path folder_;  // empty: moved away
};

// An optional interface of a VolumeIo; core/io implements it.
class ForeignFiles {
 public:
  virtual ~ForeignFiles() = default;
  // "a Zeiss file (CZI)"; empty: the file is none of these, or cannot be read.
  [[nodiscard]] virtual std::string makersFormat(const std::string& path) const = 0;
  // Where bfconvert is, by PATH; empty: it is not installed.
  [[nodiscard]] virtual std::filesystem::path converter() const = 0;
  // Has it make an OME-TIFF in a folder of its own within `folder`. Nothing of it runs on after this. Throws
  // Error(NotFound) where it is not installed, Error(BadData) with its last words where it fails, Error(Io), Canceled.
  [[nodiscard]] virtual ForeignCopy convert(const std::string& path, const std::filesystem::path& folder,
                                            const Control& control) const = 0;
  // The same; `target` is complete then or, where this throws, as it was. Throws as AtomicFile, too.
  void convertTo(const std::string& path, const std::filesystem::path& target, const Control& control) const;
};

}  // namespace sscope
