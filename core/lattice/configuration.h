#pragma once
// Gauge fields in files: what is known of one, and who reads and writes them.

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/control.h"
#include "core/base/error.h"
#include "core/lattice/fields.h"

namespace sscope::lattice {

// Names and values as NERSC's header has them: ENSEMBLE_ID, SEQUENCE_NUMBER, CREATION_DATE, ... No computation depends
// on them.
using Provenance = std::vector<std::pair<std::string, std::string>>;

struct ConfigurationInfo {
  std::string format;                                       // "NERSC", "ILDG", "SciDAC", "MILC v5"
  int precision = 64;                                       // bits of each number in the file
  double plaquette = 0;                                     // of the links as they are in the file: mean of Re tr P / 3
  double linkTrace = 0;                                     // likewise, mean of Re tr U / 3
  double maxUnitarityError = 0;                             // the worst link's in the file, see unitarityError()
  bool projected = false;                                   // the field is what projectToSu3() made of these links
  bool checksummed = false;                                 // the file has a checksum, and it is right
  bool checksumWrong = false;                               // it has one that is wrong, which the reader was to ignore
  std::vector<std::pair<std::string, std::string>> header;  // what else the file says, in its order
  Provenance provenance;                                    // what of that a copy should say as well
  std::vector<std::string> notices;                         // what the user should know although it was read
};

struct Configuration {
  GaugeField field;
  ConfigurationInfo info;
};

using Extents = std::array<int, kDirections>;

// A file that leaves its extents to the reader.
class MissingExtents : public Error {
 public:
  explicit MissingExtents(const Error& error) : Error(error) {}
};

// The worst link's error below which links are taken for those of SU(3) as they are: those in double precision are at
// some 1e-15, those rounded to 32 bits at some 1e-7.
inline constexpr double kUnitaryAsItIs = 1e-12;

struct ConfigurationReadOptions {
  std::optional<Extents> extents = std::nullopt;  // for files that do not say theirs; checked where they do
  bool keepLinks = false;       // do not project links that were rounded onto SU(3): what copies a file, or compares D
  bool ignoreChecksum = false;  // read on where the checksum is wrong, with a notice
};

enum class ConfigurationFormat { Nersc, Ildg };

struct ConfigurationWriteOptions {
  ConfigurationFormat format = ConfigurationFormat::Nersc;
  int precision = 64;    // 32 or 64
  bool twoRows = false;  // NERSC only: the third row left out
  Provenance provenance = {};
};

class ConfigurationIo {
 public:
  virtual ~ConfigurationIo() = default;
  // NERSC, ILDG, SciDAC and MILC v5, told apart by their first bytes. Checks the size, checksum, plaquette and link
  // trace that the file has, and that every link is unitary to 1e-5; links that are so to kUnitaryAsItIs only, as
  // rounding to 32 bits leaves them, are projected onto SU(3) then, with a notice.
  // Throws MissingExtents, Error(NotFound, Io, BadData, Usage, Memory), Canceled; nothing is loaded then.
  [[nodiscard]] virtual Configuration read(const std::filesystem::path& path, const ConfigurationReadOptions& options,
                                           const Control& control) = 0;
  // Whether its first bytes are those of a configuration; false for what cannot be read.
  [[nodiscard]] virtual bool recognizes(const std::filesystem::path& path) const = 0;
  // Atomically. Throws Error(Io, Usage), Canceled.
  virtual void write(const std::filesystem::path& path, const GaugeField& field,
                     const ConfigurationWriteOptions& options, const Control& control) = 0;
};

}  // namespace sscope::lattice
