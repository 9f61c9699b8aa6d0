#pragma once
// The files that are being read or are open, which no output may replace. The window and the command line share this
// rule.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope {

// Identifies a file by device and inode, so that links, relative paths and other spellings make no difference; a
// missing file by its name.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0;  // both 0: missing
  std::filesystem::path name;           // absolute, links followed
  [[nodiscard]] static FileIdentity of(const std::filesystem::path& file);
  [[nodiscard]] bool same(const FileIdentity& other) const;
};

// Numbered files, looked up by identity without comparing all of them.
class FileIndex {
 public:
  // False when the same file is already in the index; it keeps its number.
  bool add(const FileIdentity& file, std::size_t number);
  [[nodiscard]] std::optional<std::size_t> find(const FileIdentity& file) const;
  // The number of a file in this folder or below it.
  [[nodiscard]] std::optional<std::size_t> inside(const FileIdentity& folder) const;
  [[nodiscard]] bool empty() const { return byName_.empty(); }

 private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> byInode_;
  std::map<std::filesystem::path, std::size_t> byName_;
};

class InputFiles {
 public:
  // Adds `input` and everything that belongs to it by VolumeIo::filesRead. Ignores empty names and "-".
  void add(const VolumeIo& io, const std::string& input);
  // Adds a single file.
  void add(const std::string& input);

  // The input that `target` is or belongs to; empty when it can be written safely.
  [[nodiscard]] std::optional<std::string> inputOf(const std::filesystem::path& target) const;
  // An input in `target`, a folder that would be replaced.
  [[nodiscard]] std::optional<std::string> inside(const std::filesystem::path& target) const;

 private:
  FileIndex files_;
  std::vector<std::string> inputs_;  // by index number
};

// "cannot write x.raw, which belongs to x.mhd" or "cannot write x.mhd over x.mhd", and the remedy; `is` says how the
// input is used: "read", "open". Empty if none of the files belongs to an input.
[[nodiscard]] std::string refusalToReplace(const InputFiles& inputs, const std::vector<std::filesystem::path>& targets,
                                           const std::string& is);

// Throws Error(Usage) if writing `volume` would replace a file that was not named, or voxels that do not belong to it:
// a data file belongs only to the header that names it. `asked`: the user has agreed to replace it if the named header
// does not exist yet.
void requireOwnData(const VolumeIo& io, const std::filesystem::path& volume, bool asked = false);

}  // namespace sscope
