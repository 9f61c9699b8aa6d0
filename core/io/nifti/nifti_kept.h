#pragma once
// What a NIfTI file says that is only kept, as Metadata::fields "nifti.NAME", and given back when one is written:
// codes, descriptions, intent, extensions.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/io/nifti/nifti_bytes.h"
#include "core/volume/metadata.h"

namespace sscope::io {

inline constexpr std::int64_t kNiftiLabels = 1002;  // the intent of values that name regions

using NiftiKept = std::vector<std::pair<std::string, std::string>>;

// Numbers that are their field's default are left out, the codes apart: that there is no placement is kept, too.
[[nodiscard]] NiftiKept keptOfNifti(const NiftiFields& fields, bool second);

// Adds the extensions that `bytes`, what lies between the header and the voxels, hold, but for the comments that say
// how the file was made and what its values mean; returns how many are left out because they are too large to be kept.
std::size_t takeNiftiExtensions(std::span<const std::byte> bytes, bool swapped, NiftiKept& kept,
                                std::string& provenance, std::string& meaning);

// A number that was kept.
[[nodiscard]] std::int64_t keptNumber(const Metadata& metadata, std::string_view name, std::int64_t otherwise);

// Writes the fields into a header of version 1 or 2, for a volume of so many slices.
void putKept(const Metadata& metadata, bool second, std::int64_t slices, NiftiWriter& header);

// The extensions with the four bytes that say whether there are some.
[[nodiscard]] std::vector<std::byte> formatNiftiExtensions(const Metadata& metadata);

}  // namespace sscope::io
