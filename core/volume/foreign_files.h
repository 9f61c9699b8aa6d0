#pragma once
// Proprietary microscope files, which Bio-Formats' bfconvert converts to OME-TIFF. It runs only with the user's
// consent.

#include <filesystem>
#include <string>
#include <utility>

#include "core/base/control.h"

namespace sscope {

// The converted file, in a folder that is removed with this object.
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
  // "a Zeiss file (CZI)"; empty: the file is not proprietary, or cannot be read.
  [[nodiscard]] virtual std::string makersFormat(const std::string& path) const = 0;
  // The path of bfconvert, found in PATH; empty: it is not installed.
  [[nodiscard]] virtual std::filesystem::path converter() const = 0;
  // Converts the file to an OME-TIFF in a new folder within `folder`. All its processes have ended afterwards. Throws
  // Error(NotFound) if it is not installed, Error(BadData) with its last output if it fails, Error(Io), Canceled.
  [[nodiscard]] virtual ForeignCopy convert(const std::string& path, const std::filesystem::path& folder,
                                            const Control& control) const = 0;
  // The same, to `target`, which is unchanged if this throws. Also throws as AtomicFile.
  void convertTo(const std::string& path, const std::filesystem::path& target, const Control& control) const;
};

}  // namespace sscope
