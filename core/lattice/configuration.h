#pragma once
// Gauge configurations in files: their description, and the interface that reads and writes them.

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

// Names and values of NERSC's header: ENSEMBLE_ID, SEQUENCE_NUMBER, CREATION_DATE, ... No computation depends on them.
using Provenance = std::vector<std::pair<std::string, std::string>>;

struct ConfigurationInfo {
  std::string format;                                       // "NERSC", "ILDG", "SciDAC", "MILC v5"
  int precision = 64;                                       // bits of each number in the file
  double plaquette = 0;                                     // of the links in the file: mean of Re tr P / 3
  double spatialPlaquette = 0;                              // of the planes without time
  double linkTrace = 0;                                     // likewise, mean of Re tr U / 3
  double maxUnitarityError = 0;                             // the largest of the file's links, see unitarityError()
  bool projected = false;                                   // the field was made from these links by projectToSu3()
  bool checksummed = false;                                 // the file has a correct checksum
  bool checksumWrong = false;                               // its checksum is wrong, which the caller chose to ignore
  std::vector<std::pair<std::string, std::string>> header;  // further entries of the file, in order
  Provenance provenance;                                    // the entries that a copy should keep
  std::vector<std::string> notices;                         // warnings for the user
};

struct Configuration {
  GaugeField field;
  ConfigurationInfo info;
};

using Extents = std::array<int, kDirections>;

// The file does not state its extents; the caller must give them.
class MissingExtents : public Error {
 public:
  explicit MissingExtents(const Error& error) : Error(error) {}
};

// The largest unitarity error at which links count as exact SU(3): about 1e-15 in double precision, 1e-7 when rounded
// to 32 bits.
inline constexpr double kUnitaryAsItIs = 1e-12;

struct ConfigurationReadOptions {
  std::optional<Extents> extents = std::nullopt;  // for files that do not state theirs; else compared with the file's
  bool keepLinks = false;       // do not project rounded links onto SU(3); for copying files and comparing D
  bool ignoreChecksum = false;  // accept a wrong checksum, with a notice
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
  // NERSC, ILDG, SciDAC and MILC v5, recognized by their first bytes. Checks size, checksum, plaquette and link trace,
  // as far as the file states them, and that every link is unitary to 1e-5. Links that exceed kUnitaryAsItIs, as after
  // rounding to 32 bits, are projected onto SU(3) with a notice; the sign of antiperiodic fermions in the links of the
  // last time slice is taken out, with a notice, so that D has it once. Throws MissingExtents, Error(NotFound, Io,
  // BadData, Usage, Memory), Canceled.
  [[nodiscard]] virtual Configuration read(const std::filesystem::path& path, const ConfigurationReadOptions& options,
                                           const Control& control) = 0;
  // Whether the file starts like a configuration; false when it cannot be read.
  [[nodiscard]] virtual bool recognizes(const std::filesystem::path& path) const = 0;
  // Atomically. Throws Error(Io, Usage), Canceled.
  virtual void write(const std::filesystem::path& path, const GaugeField& field,
                     const ConfigurationWriteOptions& options, const Control& control) = 0;
};

}  // namespace sscope::lattice
