#include "core/job/input_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <system_error>

#include "core/base/error.h"

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
  // Also compared by name if both exist: a file that was replaced meanwhile has another inode.
  return name == other.name;
}

bool FileIndex::add(const FileIdentity& file, std::size_t number) {
  const bool isNew = !find(file);
  if (file.inode != 0) byInode_.emplace(std::pair(file.device, file.inode), number);
  byName_.emplace(file.name, number);
  return isNew;
}

std::optional<std::size_t> FileIndex::find(const FileIdentity& file) const {
  if (file.inode != 0)
    if (const auto found = byInode_.find({file.device, file.inode}); found != byInode_.end()) return found->second;
  const auto found = byName_.find(file.name);
  return found == byName_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> FileIndex::inside(const FileIdentity& folder) const {
  // Paths in a folder follow its own in order.
  const auto found = byName_.upper_bound(folder.name);
  if (found == byName_.end()) return {};
  const auto end = std::mismatch(folder.name.begin(), folder.name.end(), found->first.begin(), found->first.end());
  return end.first == folder.name.end() ? std::optional(found->second) : std::nullopt;
}

void InputFiles::add(const VolumeIo& io, const std::string& input) {
  if (input.empty() || input == "-") return;
  inputs_.push_back(input);
  for (const fs::path& file : io.filesRead(input)) files_.add(FileIdentity::of(file), inputs_.size() - 1);
}

void InputFiles::add(const std::string& input) {
  if (input.empty() || input == "-") return;
  inputs_.push_back(input);
  files_.add(FileIdentity::of(input), inputs_.size() - 1);
}

std::optional<std::string> InputFiles::inputOf(const fs::path& target) const {
  if (files_.empty() || target.empty()) return {};
  const auto number = files_.find(FileIdentity::of(target));
  return number ? std::optional(inputs_[*number]) : std::nullopt;
}

std::optional<std::string> InputFiles::inside(const fs::path& target) const {
  std::error_code code;
  if (!fs::is_directory(target, code)) return {};
  const auto number = files_.inside(FileIdentity::of(target));
  return number ? std::optional(inputs_[*number]) : std::nullopt;
}

void requireOwnData(const VolumeIo& io, const fs::path& volume, bool asked) {
  const std::vector<fs::path> files = io.filesWritten(volume);
  if (files.size() < 2) return;
  const FileIdentity header = FileIdentity::of(files.front()), named = FileIdentity::of(volume);
  InputFiles own;
  std::error_code code;
  if (fs::exists(files.front(), code))
    own.add(io, files.front().string());
  else if (asked && header.same(named))
    return;
  if (own.inputOf(files.back())) return;
  for (const fs::path& file : files) {
    const FileIdentity one = FileIdentity::of(file);
    if (!fs::exists(file, code) || (one.same(header) && one.same(named))) continue;
    throw Error(ErrorKind::Usage,
                "cannot write " + volume.string() +
                    (one.same(named) ? ": it exists already, without its header " + files.front().string()
                                     : ": that would replace " + file.string() + ", which does not belong to it"),
                "choose another name, or remove " + file.string() + " first");
  }
}

std::string refusalToReplace(const InputFiles& inputs, const std::vector<fs::path>& targets, const std::string& is) {
  for (const fs::path& target : targets) {
    const auto input = inputs.inputOf(target);
    if (!input) {
      if (const auto inside = inputs.inside(target))
        return "cannot write " + target.string() + ", a folder that holds " + *inside + ", which is " + is +
               "; choose another name";
      continue;
    }
    const bool itself = FileIdentity::of(target).same(FileIdentity::of(*input));
    return "cannot write " + target.string() + (itself ? " over " : ", a part of ") + *input + ", which is " + is +
           "; choose another name";
  }
  return {};
}

}  // namespace sscope
