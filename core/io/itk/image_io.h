#pragma once
// ITK's image readers and writers by format; conversions between ITK's types and ours.

#include <itkImageIOBase.h>

#include <cstdint>
#include <optional>
#include <string>

#include "core/io/base/formats.h"

namespace sscope::io {

// Never null. Of .vtk, HDF5 and pictures only.
[[nodiscard]] itk::ImageIOBase::Pointer makeImageIo(FormatId id);

// Empty for 64-bit integers, long double and unknown types.
[[nodiscard]] std::optional<ElementType> elementTypeOf(itk::CommonEnums::IOComponent component);
[[nodiscard]] itk::CommonEnums::IOComponent componentOf(ElementType type);

// All of the image but for its planes: `count` of them from `first` on, across the slowest axis that has more than one.
[[nodiscard]] itk::ImageIORegion planesRegion(const itk::ImageIOBase& io, std::int64_t first, std::int64_t count);

// The readable part of an exception's text: one line, without class names and addresses.
[[nodiscard]] std::string reasonOf(const std::exception& error);

// Silences ITK's warnings for the rest of the process.
void silenceItk();

}  // namespace sscope::io
