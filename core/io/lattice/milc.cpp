#include "core/io/lattice/link_formats.h"

#include "core/io/base/file_error.h"
#include "core/io/lattice/link_data.h"

namespace sscope::io {

using namespace lattice;

namespace {

constexpr std::int64_t kMilcHeaderBytes = 96;
constexpr std::uint32_t kMilcMagic = 20103;
constexpr std::uint32_t kNaturalOrder = 0;

std::uint32_t word(std::string_view bytes, std::size_t at, bool bigEndian) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * (bigEndian ? 3 - k : k));
  return value;
}

}  // namespace

bool isMilc(std::string_view firstBytes) {
  return firstBytes.size() >= 4 &&
         (word(firstBytes, 0, true) == kMilcMagic || word(firstBytes, 0, false) == kMilcMagic);
}

RawLinks readMilc(const ConfigurationFile& file, const std::optional<Extents>& extents, const AllocateLinks& allocate,
                  const Control& control) {
  if (file.size() < kMilcHeaderBytes) throw damaged(file.name(), "it ends in its header of 96 bytes");
  const std::string header = file.text(0, kMilcHeaderBytes);
  const bool big = word(header, 0, true) == kMilcMagic;
  Extents claimed{};
  for (std::size_t mu = 0; mu < claimed.size(); ++mu)
    claimed[mu] = static_cast<int>(word(header, 4 + 4 * mu, big) & 0x7fffffffu);
  const Lattice lattice = claimedLattice(file, claimed);
  requireSame(file, lattice, extents);
  if (word(header, 84, big) != kNaturalOrder)
    throw cannotRead(ErrorKind::Unsupported, file.name(), "its sites are not in natural order",
                     "write it again with MILC in serial order");
  const LinkLayout layout{32, big, 3};
  const std::span<const std::byte> data =
      readPayload(file, lattice, layout, kMilcHeaderBytes, file.size() - kMilcHeaderBytes, allocate, control);
  RawLinks decoded{claimed, layout, {}, {}, {}, {}};
  decoded.info.checksummed = milcChecksum(data, big) == RotatedSums{word(header, 88, big), word(header, 92, big)};
  if (!decoded.info.checksummed) decoded.checksumProblem = "the checksum of its links is wrong";
  decoded.info.format = "MILC v5";
  decoded.info.precision = 32;
  const std::string stamp = printable(trimmed(header.substr(20, 64).c_str()));
  decoded.info.header.emplace_back("time_stamp", stamp);
  if (!stamp.empty()) decoded.info.provenance.emplace_back("CREATION_DATE", stamp);
  return decoded;
}

}  // namespace sscope::io
