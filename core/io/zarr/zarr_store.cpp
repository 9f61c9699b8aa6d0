#include "core/io/zarr/zarr_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "core/base/paths.h"
#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostZarrNames = 4096, kLongestKey = 4096;

bool isMissing(int code) { return code == ENOENT || code == ENOTDIR; }

// Neither nothing, nor this folder or the one above, nor what names cannot hold.
bool isName(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && part.find('\0') == std::string_view::npos;
}

Error notInside(const std::string& path, const std::string& key) {
  return cannotRead(ErrorKind::BadData, path, "it names the part " + printable(key) + ", which cannot be inside it",
                    "get another copy of it");
}

Error cannotOpen(const std::string& shown, int code) {
  if (code == ELOOP)
    return cannotRead(ErrorKind::Unsupported, shown, "it is a symbolic link, which may lead out of the store",
                      "copy what it leads to into its place");
  return cannotReadErrno(shown, code);
}

Descriptor openPart(const Descriptor& folder, const std::string& part, int flags) {
  return Descriptor(::openat(folder.get(), part.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | flags));
}

bool isLink(const Descriptor& folder, const std::string& part) {
  struct stat status {};
  return ::fstatat(folder.get(), part.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

}  // namespace

bool isZarrStore(const fs::path& folder) { return isStoreFolder(folder); }

std::string joinedKey(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

ZarrStore::ZarrStore(std::string path)
    : path_(std::move(path)), root_(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!root_.valid()) throw cannotReadErrno(path_, errno);
}

std::string ZarrStore::shown(const std::string& key) const { return key.empty() ? path_ : path_ + ":/" + key; }

const Descriptor* ZarrStore::folderOf(const std::string& folder, const std::string& key) const {
  if (folder.empty()) return &root_;
  if (folder == lastName_) return lastMissing_ ? nullptr : &last_;
  Descriptor at;
  bool missing = false;
  for (std::size_t begin = 0; begin <= folder.size() && !missing;) {
    const std::size_t end = std::min(folder.find('/', begin), folder.size());
    const std::string part = folder.substr(begin, end - begin);
    if (!isName(part)) throw notInside(path_, key);
    Descriptor next = openPart(at.valid() ? at : root_, part, O_DIRECTORY);
    if (!next.valid()) {
      const int code = errno == ENOTDIR && isLink(at.valid() ? at : root_, part) ? ELOOP : errno;
      missing = isMissing(code);
      if (!missing) throw cannotOpen(shown(folder), code);
    }
    at = std::move(next);
    begin = end + 1;
  }
  lastName_ = folder;
  lastMissing_ = missing;
  last_ = std::move(at);
  return missing ? nullptr : &last_;
}

std::optional<ZarrStore::File> ZarrStore::open(const std::string& key) const {
  if (key.size() > kLongestKey) throw notInside(path_, key.substr(0, 64) + "...");
  const std::size_t slash = key.rfind('/');
  const std::string name = slash == std::string::npos ? key : key.substr(slash + 1);
  if (!isName(name)) throw notInside(path_, key);
  const Descriptor* folder = folderOf(slash == std::string::npos ? std::string() : key.substr(0, slash), key);
  if (folder == nullptr) return std::nullopt;
  File file{openPart(*folder, name, 0), 0};
  if (!file.descriptor.valid()) {
    if (isMissing(errno)) return std::nullopt;
    throw cannotOpen(shown(key), errno);
  }
  struct stat status {};
  if (::fstat(file.descriptor.get(), &status) != 0) throw cannotReadErrno(shown(key), errno);
  if (!S_ISREG(status.st_mode)) throw damaged(shown(key), "it is not a regular file");
  file.bytes = status.st_size;
  return file;
}

void ZarrStore::read(const File& file, const std::string& key, std::int64_t offset, std::span<std::byte> out) const {
  for (std::size_t done = 0; done < out.size();) {
    const ssize_t got = ::pread(file.descriptor.get(), out.data() + done, out.size() - done,
                                static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw cannotReadErrno(shown(key), errno);
    if (got == 0) throw damaged(shown(key), "it is cut off");
    done += static_cast<std::size_t>(got);
  }
}

std::optional<std::string> ZarrStore::readText(const std::string& key, std::int64_t most) const {
  const auto file = open(key);
  if (!file) return std::nullopt;
  if (file->bytes > most)
    throw damaged(shown(key), "its " + bytesText(static_cast<double>(file->bytes)) + " are more than such files have");
  std::string text(static_cast<std::size_t>(file->bytes), '\0');
  read(*file, key, 0, std::as_writable_bytes(std::span(text)));
  return text;
}

std::vector<std::string> ZarrStore::names(const std::string& key) const {
  // A name in it stands for the folder.
  const Descriptor* folder = folderOf(key, key);
  if (folder == nullptr) return {};
  Descriptor copy(::openat(folder->get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!copy.valid()) throw cannotReadErrno(shown(key), errno);
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::fdopendir(copy.get()), ::closedir);
  if (!open) throw cannotReadErrno(shown(key), errno);
  static_cast<void>(copy.release());  // closed with it
  std::vector<std::string> all;
  while (const dirent* entry = ::readdir(open.get())) {
    if (isName(entry->d_name) && all.size() < kMostZarrNames) all.emplace_back(entry->d_name);
  }
  std::sort(all.begin(), all.end(), naturallyBefore);
  return all;
}

}  // namespace sscope::io
