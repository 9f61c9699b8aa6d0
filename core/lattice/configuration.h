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

struct ConfigurationInfo {
  std::string format;                                       // "NERSC", "ILDG", "MILC v5"
  int precision = 64;                                       // bits of each number in the file
  double plaquette = 0;                                     // computed from the links, mean of Re tr P / 3
  double linkTrace = 0;                                     // likewise, mean of Re tr U / 3
  double maxUnitarityError = 0;                             // the worst link's, see unitarityError()
  bool checksummed = false;                                 // the file has a checksum, and it is right
  std::vector<std::pair<std::string, std::string>> header;  // what else the file says, in its order
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
  explicit MissingExtents(const Error& error, std::optional<Extents> likely)
      : Error(error), likely_(std::move(likely)) {}
  // What another record of the file gives away.
  [[nodiscard]] const std::optional<Extents>& likely() const { return likely_; }

 private:
  std::optional<Extents> likely_;
};

enum class ConfigurationFormat { Nersc, Ildg };

struct ConfigurationWriteOptions {
  ConfigurationFormat format = ConfigurationFormat::Nersc;
  int precision = 64;    // 32 or 64
  bool twoRows = false;  // NERSC only: the third row left out
};

class ConfigurationIo {
 public:
  virtual ~ConfigurationIo() = default;
  // NERSC, ILDG and MILC v5, told apart by their first bytes. `extents` for files that do not say theirs (checked where
  // they do). Checks the size, checksum, plaquette and link trace that the file has, and that every link is unitary.
  // Throws MissingExtents, Error(NotFound, Io, BadData, Usage, Memory), Canceled; nothing is loaded then.
  [[nodiscard]] virtual Configuration read(const std::filesystem::path& path, const std::optional<Extents>& extents,
                                           const Control& control) = 0;
  // Whether its first bytes are those of a configuration; false for what cannot be read.
  [[nodiscard]] virtual bool recognizes(const std::filesystem::path& path) const = 0;
  // Atomically. Throws Error(Io, Usage), Canceled.
  virtual void write(const std::filesystem::path& path, const GaugeField& field,
                     const ConfigurationWriteOptions& options, const Control& control) = 0;
};

}  // namespace sscope::lattice
