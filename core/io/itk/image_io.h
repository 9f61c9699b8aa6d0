#pragma once
// ITK's image readers and writers by format; the few words that ITK's world and ours do not share.

#include <itkImageIOBase.h>

#include <optional>
#include <string>

#include "core/io/formats.h"

namespace sscope::io {

// Never null. Not for vti and raw+json.
[[nodiscard]] itk::ImageIOBase::Pointer makeImageIo(FormatId id);

// Empty for 64-bit integers, long double and unknown types.
[[nodiscard]] std::optional<ElementType> elementTypeOf(itk::CommonEnums::IOComponent component);
[[nodiscard]] itk::CommonEnums::IOComponent componentOf(ElementType type);

// The readable part of an exception's text: one line, without class names and addresses.
[[nodiscard]] std::string reasonOf(const std::exception& error);

// Keeps ITK's warnings off the terminal for as long as it lives in the process.
void silenceItk();

}  // namespace sscope::io
