#pragma once
// What the decoders of gauge fields share: a file that is looked at in pieces, and what they give back before the links
// themselves are decoded and judged.

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
  // Throws Error(NotFound, Io, BadData) unless it is a file that can be read.
  explicit ConfigurationFile(const std::filesystem::path& path);
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  // Fills `out` from this offset on. Throws Error(BadData) when the file ends before.
  void read(std::int64_t offset, std::span<std::byte> out, const Control& control) const;
  // Likewise; for headers and what else is short.
  [[nodiscard]] std::string text(std::int64_t offset, std::int64_t count) const;

 private:
  std::filesystem::path path_;
  std::string name_;
  std::int64_t size_;
};

// Room for this many bytes of links as they are in the file; `held` bytes are needed in all until they are decoded.
// Throws Error(Memory).
using AllocateLinks = std::function<std::span<std::byte>(std::int64_t bytes, std::int64_t held)>;

// A file whose links were put into the memory from AllocateLinks: checksummed there, not yet decoded.
struct RawLinks {
  lattice::Extents extents{};
  LinkLayout layout;
  lattice::ConfigurationInfo info;  // without what is computed from the links
  // What the header claims of the links.
  std::optional<double> plaquette, linkTrace;
  // What is wrong with their checksum; empty where it is right, or there is none.
  std::string checksumProblem;
};

// Told apart by their first bytes.
[[nodiscard]] bool looksLikeLinks(const ConfigurationFile& file);
[[nodiscard]] RawLinks readLinks(const std::filesystem::path& path, const std::optional<lattice::Extents>& extents,
                                 const AllocateLinks& allocate, const Control& control);

// The lattice of these extents as a file claims them; throws Error(BadData) for absurd ones.
[[nodiscard]] lattice::Lattice claimedLattice(const ConfigurationFile& file, const lattice::Extents& extents);
// Throws Error(Usage) when the user says other extents than the file.
void requireSame(const ConfigurationFile& file, const lattice::Lattice& lattice,
                 const std::optional<lattice::Extents>& asked);
// The links at `offset`, `there` bytes of them, in the memory from `allocate`. Throws Error(BadData) unless that is
// what the lattice needs.
[[nodiscard]] std::span<const std::byte> readPayload(const ConfigurationFile& file, const lattice::Lattice& lattice,
                                                     const LinkLayout& layout, std::int64_t offset, std::int64_t there,
                                                     const AllocateLinks& allocate, const Control& control);
// Decimal, blanks around it allowed; empty when it is anything else or does not fit.
[[nodiscard]] std::optional<int> wholeNumber(std::string_view text);
[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace sscope::io
