#include "core/io/base/file_error.h"

#include <cerrno>
#include <cstring>

#include "core/base/words.h"

namespace sscope::io {

namespace {

constexpr std::size_t kLongestReason = 500;

}  // namespace

Error cannotRead(ErrorKind kind, const std::string& path, const std::string& why, const std::string& remedy) {
  // Names in them may come from the file.
  return {kind, printable("cannot read " + path + ": " + shortened(why, kLongestReason)), remedy};
}

Error cannotWrite(ErrorKind kind, const std::filesystem::path& path, const std::string& why,
                  const std::string& remedy) {
  return {kind, "cannot write " + path.string() + ": " + why, remedy};
}

Error cannotReadErrno(const std::string& path, int errnoValue) {
  switch (errnoValue) {
    case ENOENT:
    case ENOTDIR: return cannotRead(ErrorKind::NotFound, path, "no such file", "check the name");
    case EACCES: return cannotRead(ErrorKind::Io, path, "you may not read it", "check its permissions");
    case ENAMETOOLONG:
      return cannotRead(ErrorKind::NotFound, path, "its name is longer than any file's", "check the name");
    default: return cannotRead(ErrorKind::Io, path, std::strerror(errnoValue), "check the disk it is on");
  }
}

std::int64_t sizeOfFile(const std::filesystem::path& file, const std::string& shown) {
  std::error_code code;
  const std::uintmax_t size = std::filesystem::file_size(file, code);
  if (code) throw cannotReadErrno(shown, code.value());
  return static_cast<std::int64_t>(size);
}

Error cannotWriteErrno(const std::filesystem::path& path, int errnoValue) {
  switch (errnoValue) {
    case ENOSPC:
    case EDQUOT: return cannotWrite(ErrorKind::Io, path, "the disk is full", "free some space or choose another place");
    case EFBIG:
      return cannotWrite(ErrorKind::Io, path, "the file would be larger than this disk or account allows",
                         "choose another place");
    case EACCES:
    case EROFS: return cannotWrite(ErrorKind::Io, path, "the folder is not writable", "choose another place");
    default:
      return cannotWrite(ErrorKind::Io, path, std::strerror(errnoValue),
                         "check the free space and the rights of the folder");
  }
}

Error damaged(const std::string& path, const std::string& why) {
  return cannotRead(ErrorKind::BadData, path, why, "get another copy of it");
}

Error notBySlabs(const std::string& path, const std::string& why) {
#ifdef SSCOPE_IO_ITK
  const std::string use = "convert it to .nrrd, .mha, .nii or .vti without compression";
#else
  const std::string use = "convert it to .nrrd without compression";
#endif
  return {ErrorKind::Unsupported, printable("cannot read " + path + " by slabs: " + why), use};
}

std::string printable(std::string_view text) { return inOneLine(text); }

}  // namespace sscope::io
