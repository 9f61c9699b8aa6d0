#pragma once
// The files that are read or open, which nothing that is written may replace: the one rule of the window and the
// command line.

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

// A file as the disk knows it, by device and inode, so that links, relative paths and other spellings make no
// difference; what is not there is known by its name.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0;  // both 0: it is not there
  std::filesystem::path name;           // absolute, links followed
  [[nodiscard]] static FileIdentity of(const std::filesystem::path& file);
  [[nodiscard]] bool same(const FileIdentity& other) const;
};

// Files, each with a number, found without comparing it with all others.
class FileIndex {
 public:
  // False when a file that is the same is in it already, whose number then counts.
  bool add(const FileIdentity& file, std::size_t number);
  [[nodiscard]] std::optional<std::size_t> find(const FileIdentity& file) const;
  [[nodiscard]] bool empty() const { return byName_.empty(); }

 private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> byInode_;
  std::map<std::filesystem::path, std::size_t> byName_;
};

class InputFiles {
 public:
  // `input` and everything that FileSets says belongs to it. Empty names and "-" are nothing.
  void add(const VolumeIo& io, const std::string& input);
  // A single file.
  void add(const std::string& input);

  // The input that `target` is, or is a part of; empty: writing there harms none.
  [[nodiscard]] std::optional<std::string> inputOf(const std::filesystem::path& target) const;

 private:
  FileIndex files_;
  std::vector<std::string> inputs_;  // by the numbers of the index
};

// "cannot write x.raw, which belongs to x.mhd" or "cannot write x.mhd over x.mhd", and the remedy; `is` says what the
// input is: "read", "open". Empty when none of the files is a part of an input.
[[nodiscard]] std::string refusalToReplace(const InputFiles& inputs, const std::vector<std::filesystem::path>& targets,
                                           const std::string& is);

}  // namespace sscope
