#pragma once
// What the decoders of gauge fields share: a file that is looked at in pieces, and what they give back before the links
// themselves are judged.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/lattice/configuration.h"

namespace sscope::io {

class ConfigurationFile {
 public:
  // Throws Error(NotFound, Io, BadData) unless it is a file that can be read.
  explicit ConfigurationFile(const std::filesystem::path& path);
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  // Throws Error(BadData) when the file ends before.
  [[nodiscard]] std::vector<std::byte> bytes(std::int64_t offset, std::int64_t count, const Control& control) const;
  [[nodiscard]] std::string text(std::int64_t offset, std::int64_t count) const;

 private:
  std::filesystem::path path_;
  std::string name_;
  std::int64_t size_;
};

struct DecodedConfiguration {
  lattice::GaugeField field;
  lattice::ConfigurationInfo info;
  // What the header claims of the links.
  std::optional<double> plaquette, linkTrace;
};

// The lattice of these extents as a file claims them; throws Error(BadData) for absurd ones.
[[nodiscard]] lattice::Lattice claimedLattice(const ConfigurationFile& file, const lattice::Extents& extents);
// Throws Error(Usage) when the user says other extents than the file.
void requireSame(const ConfigurationFile& file, const lattice::Lattice& lattice,
                 const std::optional<lattice::Extents>& asked);
// Throws Error(BadData) unless `there` bytes are what the lattice needs, Error(Memory) where its links are known not to
// fit in memory.
void requirePayload(const ConfigurationFile& file, const lattice::Lattice& lattice, std::int64_t there,
                    std::size_t siteBytes);
// Decimal, blanks around it allowed; empty when it is anything else or does not fit.
[[nodiscard]] std::optional<int> wholeNumber(std::string_view text);
[[nodiscard]] std::string_view trimmed(std::string_view text);
// What a file says, for people: control characters, which would break lines and move a terminal's cursor, become '?'.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace sscope::io
