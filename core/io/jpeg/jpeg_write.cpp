#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <memory>
#include <new>
#include <span>
#include <vector>
// After cstdio, which it needs.
#include <jpeglib.h>

#include "core/base/paths.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/file_error.h"
#include "core/io/jpeg/jpeg.h"

namespace sscope::io {

namespace {

constexpr int kQuality = 95, kLargest = 65500;

struct Failure {
  jpeg_error_mgr base{};  // first: libjpeg knows this part only
  std::jmp_buf back{};
};

void goBack(j_common_ptr compressor) { std::longjmp(reinterpret_cast<Failure*>(compressor->err)->back, 1); }
void sayNothing(j_common_ptr) {}

// Where libjpeg's bytes go. (Its own destination in memory cannot be given up in the middle: it frees what it grows out
// of and does not say so.)
struct Destination {
  jpeg_destination_mgr base{};  // first, as above
  std::vector<unsigned char> encoded, piece = std::vector<unsigned char>(1 << 16);

  void restart() {
    base.next_output_byte = piece.data();
    base.free_in_buffer = piece.size();
  }
};

Destination& destinationOf(j_compress_ptr compressor) { return *reinterpret_cast<Destination*>(compressor->dest); }

void take(j_compress_ptr compressor, std::size_t count) {
  Destination& to = destinationOf(compressor);
  bool good = true;
  try {
    to.encoded.insert(to.encoded.end(), to.piece.begin(), to.piece.begin() + static_cast<std::ptrdiff_t>(count));
  } catch (const std::bad_alloc&) {
    good = false;
  }
  if (!good) compressor->err->error_exit(reinterpret_cast<j_common_ptr>(compressor));
  to.restart();
}

void start(j_compress_ptr compressor) { destinationOf(compressor).restart(); }
boolean pieceFull(j_compress_ptr compressor) {
  take(compressor, destinationOf(compressor).piece.size());
  return TRUE;
}
void terminate(j_compress_ptr compressor) {
  take(compressor, destinationOf(compressor).piece.size() - compressor->dest->free_in_buffer);
}

// A stretch of rows; false when libjpeg gives up. Nothing with a destructor lives in here: errors jump out of it.
bool encodeRows(jpeg_compress_struct& compressor, Failure& failure, const unsigned char* rows, std::size_t rowBytes,
                JDIMENSION count) {
  if (setjmp(failure.back) != 0) return false;
  for (JDIMENSION y = 0; y < count; ++y) {
    JSAMPROW row = const_cast<JSAMPROW>(rows + y * rowBytes);
    jpeg_write_scanlines(&compressor, &row, 1);
  }
  return true;
}

bool begin(jpeg_compress_struct& compressor, Failure& failure, Destination& to, const VolumeShape& shape,
           const std::string& comment) {
  if (setjmp(failure.back) != 0) return false;
  jpeg_create_compress(&compressor);
  to.base.init_destination = start;
  to.base.empty_output_buffer = pieceFull;
  to.base.term_destination = terminate;
  compressor.dest = &to.base;
  compressor.image_width = static_cast<JDIMENSION>(shape.nx);
  compressor.image_height = static_cast<JDIMENSION>(shape.ny);
  compressor.input_components = shape.components;
  compressor.in_color_space = shape.components == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(&compressor);
  jpeg_set_quality(&compressor, kQuality, TRUE);
  jpeg_start_compress(&compressor, TRUE);
  if (!comment.empty())
    jpeg_write_marker(&compressor, JPEG_COM, reinterpret_cast<const JOCTET*>(comment.data()),
                      static_cast<unsigned>(comment.size()));
  return true;
}

bool end(jpeg_compress_struct& compressor, Failure& failure) {
  if (setjmp(failure.back) != 0) return false;
  jpeg_finish_compress(&compressor);
  return true;
}

// The file is made in memory, where no disk is full.
void encode(const std::filesystem::path& path, const Volume& volume, const std::string& comment, Destination& to,
            const Control& control) {
  const VolumeShape& s = volume.shape();
  const auto rowBytes = static_cast<std::size_t>(s.nx) * static_cast<std::size_t>(s.components);
  Failure failure;
  jpeg_compress_struct compressor{};
  compressor.err = jpeg_std_error(&failure.base);
  failure.base.error_exit = goBack;
  failure.base.output_message = sayNothing;
  const std::unique_ptr<jpeg_compress_struct, decltype(&jpeg_destroy_compress)> guard(&compressor,
                                                                                      &jpeg_destroy_compress);
  const auto require = [&](bool good) {
    if (!good) throw cannotWrite(ErrorKind::Io, path, "the picture cannot be encoded", "use .png");
  };
  require(begin(compressor, failure, to, s, comment));
  constexpr std::int64_t kRowsAtOnce = 64;
  for (std::int64_t y = 0; y < s.ny; y += kRowsAtOnce) {
    control.check();
    const auto count = static_cast<JDIMENSION>(std::min(kRowsAtOnce, s.ny - y));
    require(encodeRows(compressor, failure,
                       reinterpret_cast<const unsigned char*>(volume.data()) + static_cast<std::size_t>(y) * rowBytes,
                       rowBytes, count));
    control.report(static_cast<double>(y + count) / static_cast<double>(s.ny), "writing");
  }
  require(end(compressor, failure));
}

}  // namespace

void writeJpeg(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
               const Control& control) {
  const VolumeShape& s = volume.shape();
  if (s.nx > kLargest || s.ny > kLargest)
    throw cannotWrite(ErrorKind::Unsupported, path, "JPEG cannot hold more than 65500 pixels along an axis",
                      "use .png or .tif");
  const std::string& made = options.metadata.provenance;
  const std::string comment = made.empty() ? std::string() : std::string(kJpegProvenance) + made;
  writeAtomically(
      path,
      [&](const std::filesystem::path& part) {
        Destination to;
        encode(path, volume, comment, to, control);
        ChunkedWriter file(part, path);
        file.write(std::as_bytes(std::span(to.encoded)), {});
        file.finish();
      },
      options.names);
}

}  // namespace sscope::io
