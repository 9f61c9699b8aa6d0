#pragma once
// What the decoders of gauge fields share: a file read in pieces, and their result before the links are decoded and
// checked.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/io/lattice/link_data.h"
#include "core/lattice/configuration.h"

namespace sscope::io {

class ConfigurationFile {
 public:
  // Throws Error(NotFound, Io, BadData) unless the file can be read.
  explicit ConfigurationFile(const std::filesystem::path& path);
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  // Fills `out` from this offset on. Throws Error(BadData) when the file is too short.
  void read(std::int64_t offset, std::span<std::byte> out, const Control& control) const;
  // The same for headers and other short text.
  [[nodiscard]] std::string text(std::int64_t offset, std::int64_t count) const;

 private:
  std::filesystem::path path_;
  std::string name_;
  std::int64_t size_;
};

// Allocates memory for `bytes` bytes of links as stored in the file; `held` bytes are needed in total until they are
// decoded. Throws Error(Memory).
using AllocateLinks = std::function<std::span<std::byte>(std::int64_t bytes, std::int64_t held)>;

// A file whose links are in the memory from AllocateLinks: checksums verified, not yet decoded.
struct RawLinks {
  lattice::Extents extents{};
  LinkLayout layout;
  lattice::ConfigurationInfo info;  // without the values computed from the links
  // The header's values for these links, and half a unit of their last digit.
  struct Claim {
    double value = 0, rounding = 0;
  };
  std::optional<Claim> plaquette, linkTrace;
  // What is wrong with the checksum; empty when it is right or missing.
  std::string checksumProblem;
};

// Recognized by the first bytes.
[[nodiscard]] bool looksLikeLinks(const ConfigurationFile& file);
[[nodiscard]] RawLinks readLinks(const std::filesystem::path& path, const std::optional<lattice::Extents>& extents,
                                 const AllocateLinks& allocate, const Control& control);

// The lattice with the extents that a file claims; throws Error(BadData) for impossible ones.
[[nodiscard]] lattice::Lattice claimedLattice(const ConfigurationFile& file, const lattice::Extents& extents);
// Throws Error(Usage) when the user's extents differ from the file's.
void requireSame(const ConfigurationFile& file, const lattice::Lattice& lattice,
                 const std::optional<lattice::Extents>& asked);
// Reads the `there` bytes of links at `offset` into the memory from `allocate`. Throws Error(BadData) unless the
// lattice needs exactly as many.
[[nodiscard]] std::span<const std::byte> readPayload(const ConfigurationFile& file, const lattice::Lattice& lattice,
                                                     const LinkLayout& layout, std::int64_t offset, std::int64_t there,
                                                     const AllocateLinks& allocate, const Control& control);
// Throws Error(Unsupported) where links take as many bytes as those of SU(2) would on this lattice.
void refuseSu2(const ConfigurationFile& file, const lattice::Lattice& lattice, std::int64_t bytes);
// Parses a decimal number with optional blanks around it; empty for anything else and for overflow.
[[nodiscard]] std::optional<int> wholeNumber(std::string_view text);
[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace sscope::io
