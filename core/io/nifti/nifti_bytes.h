#pragma once
// Fields of a NIfTI header at the offsets of the published layouts.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

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

}  // namespace sscope::io
