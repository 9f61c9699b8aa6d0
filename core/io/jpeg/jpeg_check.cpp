#include "core/io/jpeg/jpeg.h"

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <memory>
#include <vector>
// After cstdio, which they need.
#include <jpeglib.h>

#include <jerror.h>

#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {

constexpr int kFewBytes = 32;

struct Watch {
  jpeg_error_mgr base{};  // first: libjpeg knows this part only
  std::jmp_buf back{};
  bool cut = false, wrong = false;
  // The header was read. The decoder reports earlier errors: it may not know this kind of picture. Later errors, such as
  // missing tables, end the program in the decoder.
  bool begun = false;
};

Watch& watchOf(j_common_ptr decoder) { return *reinterpret_cast<Watch*>(decoder->err); }
[[noreturn]] void giveUp(j_common_ptr decoder) { std::longjmp(watchOf(decoder).back, 1); }

// Other warnings leave the pixels right, and so do a few bytes before a marker, which some cameras write. Many are
// codes that were read behind a gap and came to their end before the file's.
void hear(j_common_ptr decoder, int level) {
  if (level >= 0) return;
  Watch& watch = watchOf(decoder);
  switch (watch.base.msg_code) {
    case JWRN_JPEG_EOF: watch.cut = true; break;
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC: watch.wrong = true; break;
    case JWRN_EXTRANEOUS_DATA: watch.wrong = watch.wrong || watch.base.msg_parm.i[0] > kFewBytes; break;
    default: break;
  }
}

// Nothing with a destructor lives in here: errors jump out of it. An eighth of the pixels along each axis need little
// more than what is looked at, the codes.
void decodeAll(jpeg_decompress_struct& decoder, Watch& watch, std::FILE* file, std::vector<JSAMPLE>& row) {
  if (setjmp(watch.back) != 0) {
    watch.wrong = watch.begun;
    return;
  }
  jpeg_create_decompress(&decoder);
  jpeg_stdio_src(&decoder, file);
  jpeg_read_header(&decoder, TRUE);
  watch.begun = true;
  decoder.scale_denom = 8;
  decoder.out_color_space = decoder.jpeg_color_space;
  decoder.do_fancy_upsampling = FALSE;
  jpeg_start_decompress(&decoder);
  row.resize(std::size_t{decoder.output_width} * static_cast<std::size_t>(decoder.output_components));
  JSAMPROW begin = row.data();
  while (decoder.output_scanline < decoder.output_height) jpeg_read_scanlines(&decoder, &begin, 1);
  jpeg_finish_decompress(&decoder);
}

}  // namespace

void requireWholeJpeg(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (!file) throw cannotReadErrno(path, errno);
  Watch watch;
  std::vector<JSAMPLE> row;
  jpeg_decompress_struct decoder{};
  decoder.err = jpeg_std_error(&watch.base);
  watch.base.error_exit = giveUp;
  watch.base.emit_message = hear;
  const std::unique_ptr<jpeg_decompress_struct, decltype(&jpeg_destroy_decompress)> guard(&decoder,
                                                                                          &jpeg_destroy_decompress);
  decodeAll(decoder, watch, file.get(), row);
  if (watch.cut) throw damaged(path, "it is cut off: the picture ends without its end marker");
  if (watch.wrong) throw damaged(path, "the picture is damaged or cut off");
}

namespace {

// The next bytes; fewer at the end.
std::string jpegBytes(std::istream& file, std::size_t count) {
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

// The length behind a marker of two bytes.
std::size_t lengthOf(std::string_view head) {
  return static_cast<std::size_t>(static_cast<unsigned char>(head[2])) << 8 | static_cast<unsigned char>(head[3]);
}

}  // namespace

std::string provenanceOfJpeg(const InputFile& input) {
  constexpr std::size_t kMarker = 4;  // with the length behind it
  InputStream file(input);
  file.seekg(2);
  for (std::string head = jpegBytes(file, kMarker); head.size() == kMarker && head[0] == '\xff' && head[1] != '\xda';
       head = jpegBytes(file, kMarker)) {
    const std::size_t size = lengthOf(head);
    if (size < 2) break;
    if (head[1] != '\xfe') {
      file.seekg(static_cast<std::streamoff>(size - 2), std::ios::cur);
      continue;
    }
    const std::string text = jpegBytes(file, size - 2);
    if (text.starts_with(kJpegProvenance)) return text.substr(kJpegProvenance.size());
  }
  return {};
}

}  // namespace sscope::io
