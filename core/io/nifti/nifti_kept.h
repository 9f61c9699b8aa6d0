#pragma once
// Parts of a NIfTI file that are only kept, as Metadata::fields "nifti.NAME", and written back to NIfTI files: codes,
// descriptions, intent, extensions.

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

// Numbers that are their field's default are left out, except for the codes: the absence of a position is kept, too.
[[nodiscard]] NiftiKept keptOfNifti(const NiftiFields& fields, bool second);

// Adds the extensions in `bytes`, which lie between the header and the voxels, except for our comments about provenance
// and meaning; returns how many are left out because they are too large.
std::size_t takeNiftiExtensions(std::span<const std::byte> bytes, bool swapped, NiftiKept& kept,
                                std::string& provenance, std::string& meaning);

// A number that was kept.
[[nodiscard]] std::int64_t keptNumber(const Metadata& metadata, std::string_view name, std::int64_t otherwise);

// Writes the fields into a header of version 1 or 2, for a volume of so many slices.
void putKept(const Metadata& metadata, bool second, std::int64_t slices, NiftiWriter& header);

// The extensions with the four bytes of the flag before them.
[[nodiscard]] std::vector<std::byte> formatNiftiExtensions(const Metadata& metadata);

}  // namespace sscope::io
