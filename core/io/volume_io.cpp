#include "core/io/volume_io.h"

#include "core/io/any/chunk_sink.h"
#include "core/io/any/file_sets.h"
#include "core/io/any/file_sink.h"
#include "core/io/any/layouts.h"
#include "core/io/any/write_any.h"
#include "core/io/base/formats.h"
#include "core/io/base/selection.h"
#include "core/io/base/sniff.h"
#include "core/io/process/foreign_converter.h"
#include "core/io/stream/reader_process.h"
#include "core/io/stream/slice_source.h"
#include "core/io/stream/stored_source.h"
#include "core/io/zarr/zarr_write.h"
#include "core/volume/foreign_files.h"
#include "core/volume/volume_stream.h"

namespace sscope {

namespace {

class ProcessVolumeIo : public VolumeIo, public ForeignFiles {
 public:
  explicit ProcessVolumeIo(std::filesystem::path reader)
      : reader_(reader.empty() ? io::defaultReaderProgram() : std::move(reader)) {}

  LoadedVolume read(const std::string& path, const Control& control) override {
    return io::readInProcess(reader_, path, false, {}, control);
  }
  std::unique_ptr<ArrivingVolume> open(const std::string& path, const Control& control) override {
    return io::openInProcess(reader_, path, {}, control);
  }
  VolumeInfo probe(const std::string& path, const Control& control) override {
    return io::readInProcess(reader_, path, true, {}, control).info;
  }
  std::vector<FilePart> parts(const std::string& path, const Control& control) override {
    return io::mayHaveParts(path) ? io::partsInProcess(reader_, path, {}, control) : std::vector<FilePart>();
  }
  using VolumeIo::write;
  void write(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
             const Control& control) override {
    io::writeAny(path, volume, options, control);
  }
  bool writesPieces(const std::filesystem::path& path) const override { return io::writesPieces(path); }
  void writePieces(const std::filesystem::path& path, const VolumeOutline& outline, const VoxelPieces& pieces,
                   const WriteOptions& options, const Control& control) override {
    io::writeInPieces(path, outline, pieces, options, control);
  }
  const ForeignFiles* foreignFiles() const override { return this; }
  std::vector<FileFormat> formats() const override { return io::describeFormats(); }
  void checkWritable(const std::filesystem::path& path, const VolumeShape& shape, ElementType type) const override {
    static_cast<void>(io::requireWritable(path, shape, type));
  }
  std::vector<std::filesystem::path> filesRead(const std::string& path) const override { return io::filesRead(path); }
  std::vector<std::filesystem::path> filesWritten(const std::filesystem::path& path) const override {
    return io::filesWritten(path);
  }
  std::unique_ptr<VolumeSource> openSource(const std::string& path, const Control& control) override {
    if (io::namesPictures(path)) return io::openSlices(reader_, path, control);
    return io::openLocated(reader_, path, io::locateInProcess(reader_, path, {}, control));
  }
  bool writesSlabs(const std::filesystem::path& path) const override {
    return io::hasLayout(path) || io::writesChunks(path);
  }
  bool packsSlabs(const std::filesystem::path& path) const override {
    const io::FormatRow* row = io::formatOf(path);
    return row != nullptr && row->id == io::FormatId::zarr;
  }
  std::int64_t heldBySink(const std::filesystem::path& path, const VolumeOutline& outline) const override {
    return packsSlabs(path) ? io::heldByZarrSink(path, outline) : 0;
  }
  std::unique_ptr<VolumeSink> openSink(const std::filesystem::path& path, const VolumeOutline& outline,
                                       const WriteOptions& options, const Control& control) override {
    if (io::writesChunks(path)) return io::openChunkSink(path, outline, options, control);
    return std::make_unique<io::FileSink>(path, outline, options, control);
  }
  void checkCompressible(const std::filesystem::path& path) const override { io::requireCompressible(path); }
  void checkGeometry(const std::filesystem::path& path, const Geometry& geometry) const override {
    io::requireGeometry(path, geometry);
  }
  void checkMeaning(const std::filesystem::path& path, const VolumeShape& shape,
                    const Metadata& metadata) const override {
    io::requireMeaning(path, shape, metadata);
  }
  std::string dropped(const std::filesystem::path& path, const Geometry& geometry,
                      const Metadata& metadata) const override {
    return io::dropped(path, geometry, metadata);
  }
  std::string makersFormat(const std::string& path) const override { return io::makersFormat(path); }
  std::filesystem::path converter() const override { return io::foreignConverter(); }
  ForeignCopy convert(const std::string& path, const std::filesystem::path& folder,
                      const Control& control) const override {
    return io::convertForeign(path, folder, control);
  }

 private:
  std::filesystem::path reader_;
};

}  // namespace

std::unique_ptr<VolumeIo> makeVolumeIo(std::filesystem::path readerProgram) {
  return std::make_unique<ProcessVolumeIo>(std::move(readerProgram));
}

}  // namespace sscope
