#pragma once
// The files that are read or open, which nothing that is written may replace: the one rule of the window and the
// command line.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope {

// A file as the disk knows it, by device and inode, so that links, relative paths and other spellings make no
// difference; what is not there is known by its name.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0;  // both 0: it is not there
  std::filesystem::path name;           // absolute, links followed
  [[nodiscard]] static FileIdentity of(const std::filesystem::path& file);
  [[nodiscard]] bool same(const FileIdentity& other) const;
};

class InputFiles {
 public:
  // `input` and everything that FileSets says belongs to it. Empty names and "-" are nothing.
  void add(const VolumeIo& io, const std::string& input);
  // A single file.
  void add(const std::string& input);
  void add(const InputFiles& others);

  // The input that `target` is, or is a part of; empty: writing there harms none.
  [[nodiscard]] std::optional<std::string> inputOf(const std::filesystem::path& target) const;

 private:
  struct File {
    FileIdentity identity;
    std::string input;
  };
  std::vector<File> files_;
};

// "cannot write x.raw, which belongs to x.mhd" or "cannot write x.mhd over x.mhd", and the remedy; `is` says what the
// input is: "read", "open". Empty when none of the files is a part of an input.
[[nodiscard]] std::string refusalToReplace(const InputFiles& inputs, const std::vector<std::filesystem::path>& targets,
                                           const std::string& is);

}  // namespace sscope
