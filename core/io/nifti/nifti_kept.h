#pragma once
// Parts of a NIfTI file that are only kept, as Metadata::fields "nifti.NAME", and written back to NIfTI files: codes,
// descriptions, intent, extensions.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/volume/metadata.h"

namespace sscope::io {

class NiftiFields {
 public:
  NiftiFields(std::span<const std::byte> bytes, bool swapped) : bytes_(bytes), swapped_(swapped) {}

  template <class T>
  [[nodiscard]] T at(std::size_t offset) const {
    std::array<std::byte, sizeof(T)> raw{};
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), sizeof(T), raw.begin());
    if (swapped_) std::reverse(raw.begin(), raw.end());
    T value;
    std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  template <class T, class Out, std::size_t N>
  void list(std::size_t offset, std::array<Out, N>& out) const {
    for (std::size_t i = 0; i < N; ++i) out[i] = static_cast<Out>(at<T>(offset + i * sizeof(T)));
  }
  [[nodiscard]] std::string_view text(std::size_t offset, std::size_t size) const {
    return {reinterpret_cast<const char*>(bytes_.data()) + offset, size};
  }

 private:
  std::span<const std::byte> bytes_;
  bool swapped_;
};

// Of a header that is written.
class NiftiWriter {
 public:
  explicit NiftiWriter(std::size_t size) : bytes_(size) {}
  template <class T, class V>
  void put(std::size_t offset, V value) {
    const T stored = static_cast<T>(value);
    std::memcpy(bytes_.data() + offset, &stored, sizeof stored);
  }
  template <class T, class List>
  void list(std::size_t offset, const List& values) {
    for (std::size_t i = 0; i < values.size(); ++i) put<T>(offset + i * sizeof(T), values[i]);
  }
  void text(std::size_t offset, std::string_view value) {
    std::memcpy(bytes_.data() + offset, value.data(), value.size());
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

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
