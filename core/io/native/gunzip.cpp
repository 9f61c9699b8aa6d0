#include "core/io/native/gunzip.h"

#include "core/io/file_error.h"

#ifdef SSCOPE_IO_ZLIB
#include <fcntl.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "core/io/process/descriptor.h"
#endif

namespace sscope::io {

#ifdef SSCOPE_IO_ZLIB

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

using GzFile = std::unique_ptr<gzFile_s, decltype(&gzclose)>;

Error broken(const std::string& shown) { return damaged(shown, "its compressed voxels are damaged or cut off"); }

}  // namespace

void gunzipInto(const std::filesystem::path& path, const std::string& shown, std::int64_t offset, std::int64_t skip,
                std::span<std::byte> out, const Control& control) {
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.valid()) throw cannotReadErrno(shown, errno);
  if (::lseek(descriptor.get(), static_cast<off_t>(offset), SEEK_SET) < 0) throw cannotReadErrno(shown, errno);
  const GzFile file(gzdopen(descriptor.get(), "rb"), &gzclose);
  if (!file) throw broken(shown);
  static_cast<void>(descriptor.release());  // gzclose closes it
  if (gzdirect(file.get()) != 0) throw damaged(shown, "its voxels should be compressed with gzip and are not");
  std::vector<std::byte> scratch(skip > 0 ? kChunk : 0);
  while (skip > 0) {
    const int n = gzread(file.get(), scratch.data(), static_cast<unsigned>(std::min<std::int64_t>(skip, kChunk)));
    if (n <= 0) throw broken(shown);
    skip -= n;
  }
  std::size_t done = 0;
  while (done < out.size()) {
    control.check();
    const int n = gzread(file.get(), out.data() + done, static_cast<unsigned>(std::min(kChunk, out.size() - done)));
    if (n <= 0) throw broken(shown);
    done += static_cast<std::size_t>(n);
    control.report(static_cast<double>(done) / static_cast<double>(out.size()), "reading");
  }
}

#else

void gunzipInto(const std::filesystem::path&, const std::string& shown, std::int64_t, std::int64_t,
                std::span<std::byte>, const Control&) {
  throw cannotRead(ErrorKind::Unsupported, shown, "its voxels are compressed and this build has no zlib",
                   "save it with encoding raw, or build with zlib");
}

#endif

}  // namespace sscope::io
