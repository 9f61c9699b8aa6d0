#ifdef SSCOPE_IO_ZLIB
#include "core/io/native/gzip_writer.h"

#include <algorithm>
#include <cerrno>

#include "core/io/file_error.h"

namespace sscope::io {

namespace {
// Small enough that a stop request is heard within a few milliseconds of compressing.
constexpr std::size_t kChunk = std::size_t{256} << 10;
// Level 4 packs medical volumes within a few percent of level 6 in less than half the time.
constexpr const char* kMode = "wb4";
}  // namespace

GzipWriter::GzipWriter(const std::filesystem::path& path, std::filesystem::path shown)
    : shown_(std::move(shown)), file_((errno = 0, gzopen(path.c_str(), kMode)), &gzclose) {
  if (!file_) throw cannotWriteErrno(shown_, errno);
}

void GzipWriter::write(std::span<const std::byte> bytes, const Control& control) {
  for (std::size_t done = 0; done < bytes.size();) {
    control.check();
    const auto size = static_cast<unsigned>(std::min(kChunk, bytes.size() - done));
    errno = 0;
    if (gzwrite(file_.get(), bytes.data() + done, size) != static_cast<int>(size))
      throw cannotWriteErrno(shown_, errno);
    done += size;
    control.report(static_cast<double>(done) / static_cast<double>(bytes.size()), "writing");
  }
}

void GzipWriter::finish() {
  errno = 0;
  if (gzclose(file_.release()) != Z_OK) throw cannotWriteErrno(shown_, errno);
}

}  // namespace sscope::io
#endif
