#pragma once
// ITK's image readers and writers, as far as they are used: PNG and JPEG pictures, and images in ITK's HDF5 layout.

#include <itkImageIOBase.h>

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/control.h"
#include "core/io/base/formats.h"
#include "core/io/base/input_file.h"
#include "core/io/planes/located.h"

namespace sscope::io {

// A PNG or JPEG picture, which is decoded whole. Throws Error(BadData, Unsupported).
[[nodiscard]] LocatedVolume locatePicture(FormatId id, const InputPointer& file, const Control& control);
// An image in ITK's HDF5 layout. Axes beyond the third become components (with a notice), complex numbers two
// components (with a notice). Throws as above.
[[nodiscard]] LocatedVolume locateItkHdf5(const std::string& path, const Control& control);

// HDF5, PNG and JPEG only; never null.
[[nodiscard]] itk::ImageIOBase::Pointer makeImageIo(FormatId id);
[[nodiscard]] itk::CommonEnums::IOComponent componentOf(ElementType type);

// A region of planes: `count` of them from `first` on, across axis `axis` of the image, all of the faster axes, and the
// frame `frame` of the axes beyond the third.
[[nodiscard]] itk::ImageIORegion planesRegion(const itk::ImageIOBase& io, unsigned axis, std::int64_t first,
                                              std::int64_t count, std::int64_t frame = 0);

// The readable part of an exception's text: one line, without class names and addresses.
[[nodiscard]] std::string reasonOf(const std::exception& error);

// Silences ITK's warnings for the rest of the process.
void silenceItk();

}  // namespace sscope::io
