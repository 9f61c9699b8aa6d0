#pragma once
// Files of microscopes' makers, which a free program reads: Bio-Formats' bfconvert makes an OME-TIFF of them. It runs
// only where the user says so.

#include <filesystem>
#include <string>

#include "core/base/control.h"

namespace sscope {

// An optional interface of a VolumeIo; core/io implements it.
class ForeignFiles {
 public:
  virtual ~ForeignFiles() = default;
  // "a Zeiss file (CZI)"; empty: the file is none of these, or cannot be read.
  [[nodiscard]] virtual std::string makersFormat(const std::string& path) const = 0;
  // Where bfconvert is, by PATH; empty: it is not installed.
  [[nodiscard]] virtual std::filesystem::path converter() const = 0;
  // Has it make the OME-TIFF `target`, which is complete or, where this throws, as it was. Nothing runs on after it.
  // Throws Error(NotFound) where it is not installed, Error(BadData) with its last words where it fails, Error(Io),
  // Canceled.
  virtual void convert(const std::string& path, const std::filesystem::path& target, const Control& control) const = 0;
};

}  // namespace sscope
