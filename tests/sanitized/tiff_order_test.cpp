// What OME says of the order of a file's pages, where it makes no sense.

#include "core/io/tiff/ome.h"
#include "core/io/tiff/tiff_calibration.h"
#include "tests/support/catch.h"

namespace sscope::io {

namespace {

std::optional<TiffOrder> orderOf(const std::string& order, const std::string& count) {
  const auto ome = parseOme("<OME><Image><Pixels DimensionOrder=\"" + order + "\" SizeC=\"" + count + "\" SizeZ=\"" +
                            count + "\" SizeT=\"" + count + "\"/></Image></OME>");
  return tiffOrder(ome->images.at(0).order, ome->images.at(0).extent);
}

}  // namespace

TEST_CASE("orders of pages that leave an axis out or count without end are not taken") {
  CHECK(orderOf("XYZCT", "2")->pages() == 8);
  CHECK(orderOf("XYZCT", "2")->slice(1) == 1);
  CHECK(!orderOf("XYCCT", "2"));
  CHECK(!orderOf("XYABC", "2"));
  CHECK(orderOf("XYZCT", "2147483647")->pages() == 1);
}

}  // namespace sscope::io
