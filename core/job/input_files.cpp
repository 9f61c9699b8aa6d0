#include "core/job/input_files.h"

#include <sys/stat.h>

#include <system_error>

#include "core/volume/file_sets.h"

namespace sscope {

namespace fs = std::filesystem;

FileIdentity FileIdentity::of(const fs::path& file) {
  FileIdentity identity;
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0) {
    identity.device = status.st_dev;
    identity.inode = status.st_ino;
  }
  std::error_code code;
  identity.name = fs::weakly_canonical(fs::absolute(file, code), code);
  if (code) identity.name = file.lexically_normal();
  return identity;
}

bool FileIdentity::same(const FileIdentity& other) const {
  if (inode != 0 && device == other.device && inode == other.inode) return true;
  // By name even if both are there: a file that was replaced meanwhile is another one on the disk.
  return name == other.name;
}

void InputFiles::add(const VolumeIo& io, const std::string& input) {
  if (input.empty() || input == "-") return;
  for (const fs::path& file : filesRead(io, input)) files_.push_back({FileIdentity::of(file), input});
}

void InputFiles::add(const std::string& input) {
  if (!input.empty() && input != "-") files_.push_back({FileIdentity::of(input), input});
}

void InputFiles::add(const InputFiles& others) {
  files_.insert(files_.end(), others.files_.begin(), others.files_.end());
}

std::optional<std::string> InputFiles::inputOf(const fs::path& target) const {
  if (files_.empty() || target.empty()) return {};
  const FileIdentity identity = FileIdentity::of(target);
  for (const File& file : files_)
    if (file.identity.same(identity)) return file.input;
  return {};
}

std::string refusalToReplace(const InputFiles& inputs, const std::vector<fs::path>& targets, const std::string& is) {
  for (const fs::path& target : targets) {
    const auto input = inputs.inputOf(target);
    if (!input) continue;
    const bool itself = FileIdentity::of(target).same(FileIdentity::of(*input));
    return "cannot write " + target.string() + (itself ? " over " : ", a part of ") + *input + ", which is " + is +
           "; choose another name";
  }
  return {};
}

}  // namespace sscope
