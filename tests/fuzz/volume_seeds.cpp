#include <functional>
#include <span>

#include "core/io/base/deflate.h"
#include "core/io/base/sniff.h"
#include "core/io/native/meta.h"
#include "core/io/native/mrc.h"
#include "core/io/native/npy.h"
#include "core/io/native/nrrd_header.h"
#include "core/io/native/raw_json.h"
#include "core/io/native/vti.h"
#include "core/io/planes/file_layout.h"
#include "tests/fuzz/seeds.h"
#include "tests/support/support.h"
#ifdef SSCOPE_FUZZ_TIFF
#include "core/io/jpeg/jpeg.h"
#include "core/io/nifti/nifti.h"
#include "core/io/tiff/tiff.h"
#include "core/io/tiff/tiff_directory.h"
#include "tests/io/dicom_file.h"
#endif

namespace sscope::test {

namespace {

using namespace io;

template <class Bytes>
std::string textOf(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(std::data(bytes)), std::size(bytes)};
}

// The voxels in the order of a file, between what is before and after them.
std::string laidOut(const Volume& volume, const VoxelOrder& order = {}) {
  FileLayout layout;
  layout.volume = outlineOf(volume);
  layout.order = order;
  std::string file(static_cast<std::size_t>(volume.bytes()), '\0');
  const std::span voxels(volume.data(), file.size());
  placePlanes(layout, 0, voxels,
              [&](std::int64_t offset, std::span<const std::byte> bytes) {
                file.replace(static_cast<std::size_t>(offset), bytes.size(), textOf(bytes));
              },
              {});
  return file;
}

#ifdef SSCOPE_IO_ZLIB
std::string packed(Deflater::Wrap wrap, const std::string& text) {
  std::string result;
  Deflater deflater(wrap, [&](std::span<const std::byte> bytes) { result += textOf(bytes); });
  deflater.write(std::as_bytes(std::span(text)), {});
  deflater.finish();
  return result;
}
#endif

// What `make` makes of volumes of several types, some with components.
Seeds madeOfVolumes(const std::function<std::string(const Volume&)>& make) {
  using enum ElementType;
  Seeds seeds;
  for (const ElementType type : {u8, i16, f32, f64})
    for (const int components : {1, 2}) seeds.push_back(make(randomVolume({5, 4, 3, components}, type, 4)));
  return seeds;
}

void addTo(Seeds& seeds, const Seeds& more) { seeds.insert(seeds.end(), more.begin(), more.end()); }

constexpr const char* kDetachedNrrd =
    "NRRD0005\n# of several files\ntype: short\ndimension: 3\nspace: left-posterior-superior\nsizes: 4 4 4\n"
    "space directions: (1,0,0) (0,1,0) (0,0,2)\nspace origin: (1,2,3)\nkinds: domain domain domain\nendian: big\n"
    "encoding: raw\nbyte skip: 8\n";

}  // namespace

Seeds nrrdSeeds() {
  Metadata metadata;
  metadata.fields = {{"key", "value\nof two lines"}, {"DWMRI_gradient_0000", "0 0 1"}};
  Seeds seeds = madeOfVolumes([&](const Volume& v) {
    return formatNrrdHeader(outlineOf(v), metadata, {{}, false}) + laidOut(v);
  });
#ifdef SSCOPE_IO_ZLIB
  addTo(seeds, madeOfVolumes([&](const Volume& v) {
          return formatNrrdHeader(outlineOf(v), metadata, {{}, true}) + packed(Deflater::Wrap::Gzip, laidOut(v));
        }));
#endif
  for (const char* data : {"data file: input.raw\n", "data file: input.raw 1 4 1\n", "datafile: inp%01d.raw 1 2 1 2\n",
                           "data file: LIST\ninput.raw\ninput.raw\n"})
    seeds.push_back(std::string(kDetachedNrrd) + data);
  seeds.emplace_back(
      "NRRD0004\ntype: float\ndimension: 4\nsizes: 3 2 2 2\nkinds: 3-vector space space space\nmeasurement frame: "
      "(1,0,0) (0,1,0) (0,0,1)\nspace: right-anterior-superior\nspace units: \"mm\" \"mm\" \"mm\"\nspacings: nan 1 2 "
      "3\n"
      "encoding: raw\nendian: little\nbyteskip: -1\ndata file: input.raw\n");
  return seeds;
}

Seeds metaSeeds() {
  Seeds seeds = madeOfVolumes(
      [](const Volume& v) { return formatMetaHeader(outlineOf(v), {}, kMetaAttached, false) + laidOut(v); });
#ifdef SSCOPE_IO_ZLIB
  addTo(seeds, madeOfVolumes([](const Volume& v) {
          return formatMetaHeader(outlineOf(v), {}, kMetaAttached, true) + packed(Deflater::Wrap::Zlib, laidOut(v));
        }));
#endif
  const std::string head =
      "ObjectType = Image\nNDims = 4\nBinaryData = True\nBinaryDataByteOrderMSB = True\nDimSize = 2 3 2 2\nOffset = 1 "
      "2 "
      "3 0\nTransformMatrix = 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\nElementSpacing = 1 2 3 4\nDistanceUnits = um\n"
      "ElementNumberOfChannels = 2\nElementToIntensityFunctionSlope = 2\n";
  for (const char* rest :
       {"ElementType = MET_LONG_LONG\nHeaderSize = -1\nElementDataFile = input.raw\n",
        "ElementType = MET_SHORT\nHeaderSize = 16\nElementDataFile = LIST\ninput.raw\ninput.raw\n",
        "ElementType = MET_USHORT_ARRAY\nElementDataFile = inp%02d.raw 1 2 1\n",
        "ElementType = MET_ULONG_LONG\nBinaryData = False\nElementDataFile = LOCAL\n1 2 3 4 5 6 7 8 9 10 11 12\n"})
    seeds.push_back(head + rest);
  seeds.emplace_back(
      "NDims = 2\nDimSize = 3 2\nElementType = MET_FLOAT\nBinaryData = False\nElementDataFile = LOCAL\n"
      "1 2.5 -3e4 nan inf 1e39\n");
  return seeds;
}

// Beside the description lie 4096 bytes.
Seeds rawSeeds() {
  Seeds seeds = madeOfVolumes([](const Volume& v) { return formatRawHeader(outlineOf(v), {}, "input.raw"); });
  seeds.emplace_back(
      R"({"schema": "stencilscope.volume/1", "size": [4, 4, 4], "type": "u16", "byteOrder": "big", "data": "input.raw"})");
  return seeds;
}

Seeds npySeeds() {
  Seeds seeds = madeOfVolumes([](const Volume& v) { return textOf(formatNpyHeader(outlineOf(v), {})) + laidOut(v); });
  const auto array = [](const std::string& description, std::size_t bytes) {
    return std::string(kNpyMagic) + std::string("\2\0", 2) + static_cast<char>(description.size()) +
           std::string(3, '\0') + description + std::string(bytes, 'v');
  };
  seeds.push_back(array("{'descr': '>i8', 'fortran_order': True, 'shape': (2, 3, 2), }\n", 96));
  seeds.push_back(array("{'descr': '<c8', 'fortran_order': True, 'shape': (2, 1, 3, 2, 2), }\n", 192));
  seeds.push_back(array("{'descr': '<f2', 'fortran_order': False, 'shape': (5,), }\n", 10));
  return seeds;
}

Seeds npzSeeds() {
  Seeds seeds;
#ifdef SSCOPE_IO_ZLIB
  const TemporaryFolder folder;
  for (const bool compress : {false, true})
    addTo(seeds, madeOfVolumes([&](const Volume& v) {
            writeNpz(folder / "a.npz", v, {.metadata = {}, .compress = compress}, {});
            return contentOf(folder / "a.npz");
          }));
#endif
  return seeds;
}

Seeds mrcSeeds() {
  Seeds seeds;
  for (const ElementType type : {ElementType::i8, ElementType::i16, ElementType::u16, ElementType::f32}) {
    const Volume volume = randomVolume({5, 4, 3, 1}, type, 4);
    seeds.push_back(textOf(formatMrcHeader(outlineOf(volume))) + laidOut(volume));
  }
  // Older: no word, no stamp, axes in another order, a second header; and several volumes of half floats.
  seeds.push_back(seeds.back());
  seeds.back().replace(208, 8, 8, '\0');
  seeds.back().replace(64, 12, std::string("\3\0\0\0\2\0\0\0\1\0\0\0", 12));
  seeds.back()[92] = 16;
  seeds.back() += std::string(16, 'x');
  seeds.push_back(seeds[3]);
  seeds.back()[12] = 12;
  seeds.back()[36] = 1;
  seeds.back().replace(88, 2, "\x91\1");
  return seeds;
}

#ifdef SSCOPE_FUZZ_TIFF
Seeds niftiSeeds() {
  Metadata metadata;
  Seeds seeds;
  for (const int frames : {1, 2}) {
    metadata.frames = frames;
    metadata.frameSeconds = 1.5;
    const Seeds plain = madeOfVolumes([&](const Volume& v) {
      return textOf(formatNiftiHeader(outlineOf(v), metadata)) + laidOut(v, {.each = 1, .times = frames});
    });
    addTo(seeds, plain);
    for (const std::string& one : plain) seeds.push_back(packed(Deflater::Wrap::Gzip, one));
  }
  const Volume row = randomVolume({33000, 1, 1, 1}, ElementType::u8, 1);
  std::string large = textOf(formatNiftiHeader(outlineOf(row), {})) + laidOut(row);  // version 2
  large.resize(1000);
  large[24] = 4;  // of 33000
  large[25] = 0;
  seeds.push_back(large);
  seeds.push_back(seeds[0]);
  seeds.back().replace(344, 3, "ni1");
  seeds.push_back(seeds[0]);
  seeds.back()[70] = 0;  // 64-bit integers
  seeds.back()[71] = 4;
  return seeds;
}

// Four pages of 5 x 4 bytes, or one and three planes behind it, as other programs describe them.
std::string describedTiff(const std::string& description, bool behind, std::uint16_t tag = 0,
                          const std::string& value = {}) {
  constexpr std::uint64_t kPlane = 20, kStart = 8, kPlanes = 4;
  std::string directories;
  for (std::uint64_t p = 0; p < (behind ? 1 : kPlanes); ++p) {
    TiffDirectory d;
    d.number(256, 5), d.number(257, 4), d.shorts(258, {8}), d.shorts(262, {1});
    if (p == 0) d.text(270, description);
    d.number(273, kStart + kPlane * p), d.number(278, 4), d.number(279, kPlane);
    if (tag != 0 && p == 0) d.text(tag, value);
    const auto bytes = d.bytes(kStart + kPlane * kPlanes + directories.size(), false, !behind && p + 1 < kPlanes);
    directories.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return tiffStart(kStart + kPlane * kPlanes, false) + std::string(kPlane * kPlanes, 'v') + directories;
}

// Pages as they are used.
std::string plainTiff(const char* name, const Volume& volume) {
  const TiffFrame frame = formatTiff(name, outlineOf(volume), {});
  const VoxelOrder order{.each = frame.colors ? 0 : 1, .bySlices = !frame.colors};
  return frame.start + laidOut(volume, order) + textOf(frame.end);
}

Seeds tiffSeeds() {
  const TemporaryFolder folder;
  Seeds seeds;
  for (const char* name : {"a.tif", "a.ome.tif"}) {
    addTo(seeds, madeOfVolumes([&](const Volume& v) { return plainTiff(name, v); }));
    addTo(seeds, madeOfVolumes([&](const Volume& v) {
            writePackedTiff(folder / name, v, {.metadata = {}, .compress = true}, {});
            return contentOf(folder / name);
          }));
  }
  seeds.push_back(plainTiff("rgb.tif", randomVolume({5, 4, 2, 3}, ElementType::u8, 1)));
  const std::string imageJ =
      "ImageJ=1.53t\nimages=4\nslices=2\nchannels=2\nunit=cm\nspacing=2\ncf=0\nc0=-3\nc1=2\nvunit=HU\n";
  const std::string shaped = R"({"shape": [2, 2, 4, 5], "axes": "TZYX", "spacing": 0.5, "unit": "um"})";
  const auto image = [](const char* order, const char* data) {
    return std::string("<Image><Pixels DimensionOrder=\"XY") + order +
           "\" SizeC='2' SizeZ='2' SizeT='1' PhysicalSizeZ='2' PhysicalSizeZUnit='&#181;m'><Channel Name='a'/>" + data +
           "</Pixels></Image>";
  };
  const std::string ome = "<o:OME xmlns:o='x'>" + image("ZCT", "<TiffData IFD='1' FirstZ='1' PlaneCount='2'/>") +
                          image("CZT", "<TiffData IFD='3'><UUID FileName='b.tif'>u</UUID></TiffData>") + "</o:OME>";
  for (const std::string& text : {imageJ, shaped, ome})
    for (const bool behind : {false, true}) seeds.push_back(describedTiff(text, behind));
  std::string lsm(160, '\0');
  lsm.replace(0, 4, std::string("\x4c\x49\0\4", 4));
  lsm[16] = lsm[24] = 2;
  seeds.push_back(describedTiff({}, false, 34412, lsm));
  seeds.push_back(describedTiff({}, true, 33629, std::string("\1\0\0", 3)));  // of four planes
  return seeds;
}

Seeds jpegSeeds() {
  const TemporaryFolder folder;
  Seeds seeds;
  for (const int components : {1, 3}) {
    writeJpeg(folder / "a.jpg", randomVolume({9, 7, 1, components}, ElementType::u8, 4), {}, {});
    seeds.push_back(contentOf(folder / "a.jpg"));
  }
  return seeds;
}

// 6 x 5 pixels of three bytes, and of one in runs.
Seeds bmpSeeds() {
  const auto header = [](char bits, char packing) {
    std::string head("BM\0\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0\6\0\0\0\5\0\0\0\1\0\0\0", 30);
    head.resize(54, '\0');
    head[28] = bits;
    head[30] = packing;
    return head;
  };
  std::string runs = header(8, 1);
  for (int row = 0; row < 5; ++row) runs += std::string("\4\1\0\2\0\0", 6);
  return {header(24, 0) + std::string(100, 'x'), runs + std::string("\0\1", 2)};
}

Seeds vtkSeeds() {
  const std::string head = "# vtk DataFile Version 3.0\na\n", grid = "DATASET STRUCTURED_POINTS\n",
                    places = "DIMENSIONS 3 2 1\nSPACING 1 2 3\nORIGIN 0 0 0\n";
  std::string bytes;
  for (char c = 0; c < 12; ++c) bytes += c;
  return {head + "ASCII\n" + grid + places + "POINT_DATA 6\nSCALARS s short 1\nLOOKUP_TABLE default\n1 2 3 4 5 6\n",
          head + "BINARY\n" + grid + places + "POINT_DATA 6\nSCALARS s short\nLOOKUP_TABLE default\n" + bytes + "\n",
          head + "ASCII\n" + grid + "FIELD f 1\nt 1 1 double\n0\n" + places +
              "CELL_DATA 2\nFIELD g 2\na 1 2 float\n1 2\nv 3 2 int\n1 2 3 4 5 6\n"};
}

Seeds vtiSeeds() {
  Seeds seeds = madeOfVolumes([](const Volume& v) {
    const auto bytes = static_cast<std::uint64_t>(v.bytes());
    return formatVtiHeader(outlineOf(v), {}) + textOf(std::as_bytes(std::span(&bytes, 1))) + laidOut(v) +
           std::string(kVtiEnd);
  });
  const std::string head =
      "<VTKFile type=\"ImageData\" byte_order=\"LittleEndian\">\n<ImageData WholeExtent=\"0 1 0 0 0 0\">"
      "<Piece Extent=\"0 1 0 0 0 0\"><PointData><DataArray type=\"UInt8\" format=\"";
  const std::string end = "</DataArray></PointData></Piece></ImageData></VTKFile>\n";
  seeds.push_back(head + "ascii\">1 2" + end);
  seeds.push_back(head + "binary\">AgAAAAEC" + end);
  return seeds;
}

Seeds dicomSeeds() {
  DicomFile packed;
  packed.piece = "\xff\xd8\xff\xd9";
  return {DicomFile().bytes(), packed.bytes()};
}
#endif

}  // namespace sscope::test
