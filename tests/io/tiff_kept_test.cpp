// What ImageJ and OME note beside pages and steps: kept, and given back.

#include <algorithm>
#include <string>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

#ifdef SSCOPE_IO_ITK
#include "core/io/tiff/imagej_kept.h"
#include "core/io/tiff/ome.h"
#endif

namespace sscope {

using test::TemporaryFolder;

namespace {

Metadata writtenAndRead(VolumeIo& io, const std::string& path, const Volume& volume, const Metadata& metadata) {
  io.write(path, volume, {.metadata = metadata}, {});
  return io.read(path, {}).info.metadata;
}

bool has(const Metadata& metadata, const std::string& key) {
  return std::ranges::any_of(metadata.fields, [&](const auto& field) { return field.first == key; });
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "what ImageJ notes beside pages and steps is given back") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no TIFF");
  const std::string path = folder / "x.tif";
  const Volume volume = test::randomVolume({4, 3, 2, 1}, ElementType::u8, 3);
  Metadata metadata;
  metadata.fields = {{"imagej.objective", "60x"},
                     {"imagej.tag.info", "[\"two\\nlines \\u00e4\"]"},
                     {"imagej.tag.labl", "[\"first\",\"second\"]"},
                     {"imagej.tag.roi ", "[\"SW91dAAB\"]"}};
  CHECK(writtenAndRead(*io, path, volume, metadata).fields == metadata.fields);
  // Labels are those of the pages.
  const Volume other = test::randomVolume({4, 3, 3, 1}, ElementType::u8, 3);
  const Metadata fewer = writtenAndRead(*io, path, other, metadata);
  CHECK_FALSE(has(fewer, "imagej.tag.labl"));
  CHECK(has(fewer, "imagej.tag.info"));
  CHECK_FALSE(has(withoutRegions(metadata), "imagej.tag.roi "));
  // Through other formats as well.
  const std::string between = folder / "x.nrrd";
  const Metadata kept = writtenAndRead(*io, between, volume, metadata);
  CHECK(writtenAndRead(*io, path, volume, kept).fields == metadata.fields);
  // Nonsense in other files' annotations is not written.
  Metadata wrong;
  wrong.fields = {{"imagej.tag.info", "{"}, {"imagej.tag.labl", "[1,2]"}, {"imagej.tag.what", "[\"a\"]"}};
  CHECK(writtenAndRead(*io, path, volume, wrong).fields.empty());
}

#ifdef SSCOPE_IO_ITK

namespace {

const std::string kRoot = "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\">";

std::string omeWith(const std::string& more) {
  return kRoot +
         "<Instrument ID=\"Instrument:0\"><Microscope Model=\"A &amp; B\"/></Instrument><Image ID=\"Image:0\" "
         "Name=\"n\"><Description>x &lt; y</Description><Pixels ID=\"Pixels:7\" SizeC=\"2\" SizeZ=\"1\" SizeT=\"1\" "
         "DimensionOrder=\"XYCZT\"><Channel ID=\"Channel:0:0\" EmissionWavelength=\"461\"/><Channel "
         "ID=\"Channel:0:1\"/><TiffData IFD=\"0\"/><Plane TheC=\"0\"/></Pixels></Image>" +
         more + "</OME>";
}

io::OmePixels pixelsOf(std::size_t channels) {
  io::OmePixels pixels{" SizeX=\"5\"", "<Channel ID=\"new\"/>", channels, "<TiffData IFD=\"0\" PlaneCount=\"2\"/>",
                       "<CommentAnnotation ID=\"ours\"><Value>v</Value></CommentAnnotation>"};
  return pixels;
}

}  // namespace

TEST_CASE("text of 16-bit units is that of UTF-8") {
  const std::string text = "a\xc3\xa4\xe2\x82\xac\xf0\x9d\x9b\xbc\n";
  const std::vector<std::byte> units = io::toUtf16(text);
  const std::string bytes(reinterpret_cast<const char*>(units.data()), units.size());
  CHECK(io::fromUtf16(bytes, std::endian::native == std::endian::big) == text);
  CHECK(io::fromUtf16(std::string("\0a\0\xe4", 4), true) == "a\xc3\xa4");
  CHECK(io::fromUtf16(std::string("\xd8\0\0a", 4), true) ==
        "\xef\xbf\xbd"
        "a");  // half of a pair
  CHECK(io::fromUtf16("a", false).empty());
}

TEST_CASE("what OME-XML says beyond pages and sizes is given back") {
  const std::string kept = io::omeKept(omeWith(""), 0);
  CHECK_THAT(kept, ContainsSubstring("<Microscope Model=\"A &amp; B\">"));
  CHECK_THAT(kept, !ContainsSubstring("TiffData") && !ContainsSubstring("<Plane"));
  const std::string same = io::omeGivenBack(kept, pixelsOf(2)), other = io::omeGivenBack(kept, pixelsOf(1));
  CHECK_THAT(same, ContainsSubstring("<Pixels ID=\"Pixels:7\" SizeX=\"5\">") &&
                       ContainsSubstring("EmissionWavelength=\"461\"") &&
                       ContainsSubstring("<Description>x &lt; y</Description>") &&
                       ContainsSubstring("PlaneCount=\"2\"/></Pixels></Image><StructuredAnnotations>"));
  CHECK_THAT(same, !ContainsSubstring("SizeC") && !ContainsSubstring("\"new\""));
  // Other channels than those that are described are named anew.
  CHECK_THAT(other, ContainsSubstring("<Channel ID=\"new\"/><TiffData") && !ContainsSubstring("461"));
  // Annotations that are there get one more; regions of interest stay behind them.
  const std::string annotated = io::omeGivenBack(
      io::omeKept(omeWith("<StructuredAnnotations><TagAnnotation ID=\"a\"/></StructuredAnnotations><ROI/>"), 0),
      pixelsOf(2));
  CHECK_THAT(annotated, ContainsSubstring("<TagAnnotation ID=\"a\"></TagAnnotation><CommentAnnotation") &&
                            ContainsSubstring("</StructuredAnnotations><ROI>"));
  const std::string regions = io::omeGivenBack(io::omeKept(omeWith("<ROI/>"), 0), pixelsOf(2));
  CHECK_THAT(regions, ContainsSubstring("</StructuredAnnotations><ROI>"));
}

TEST_CASE("OME-XML of any prefix is kept, older schemas are not given back") {
  const std::string prefixed =
      "<o:OME xmlns:o=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><o:Image ID=\"Image:0\"/><o:Image "
      "ID=\"Image:1\" Name=\"second\"><o:Pixels ID=\"Pixels:1\"/></o:Image></o:OME>";
  const std::string back = io::omeGivenBack(io::omeKept(prefixed, 1), pixelsOf(1));
  CHECK_THAT(back,
             ContainsSubstring("<o:TiffData") && ContainsSubstring("Name=\"second\"") &&
                 ContainsSubstring("<o:StructuredAnnotations><o:CommentAnnotation ID=\"ours\"><o:Value>v</o:Value>"));
  CHECK_THAT(back, !ContainsSubstring("Image:0"));
  CHECK(io::parseOme(back)->error.empty());
  std::string old = omeWith("");
  old.replace(old.find("2016-06"), 7, "2013-06");
  CHECK(io::omeGivenBack(io::omeKept(old, 0), pixelsOf(2)).empty());
  CHECK(io::omeGivenBack("nonsense", pixelsOf(1)).empty());
  CHECK(io::omeKept(kRoot + "<Image><Description>" + std::string(1 << 17, 'x') + "</Description></Image></OME>", 0)
            .empty());
}

TEST_CASE_METHOD(test::IoFolder, "an OME-TIFF file gets back the document that it had") {
  const std::string path = folder / "x.ome.tif";
  const Volume volume = test::randomVolume({4, 3, 1, 2}, ElementType::u8, 3);
  Metadata metadata;
  metadata.channels = {"", ""};
  metadata.fields = {{io::kOmeField, io::omeKept(omeWith(""), 0)}};
  const Metadata read = writtenAndRead(*io, path, volume, metadata);
  REQUIRE(has(read, io::kOmeField));
  CHECK_THAT(read.fields.front().second, ContainsSubstring("EmissionWavelength=\"461\""));
  // Names of channels do not follow results of several filters.
  CHECK_FALSE(has(withoutComponents(read), io::kOmeField));
  CHECK(has(selected(read, true), io::kOmeField));
}

#endif

}  // namespace sscope
