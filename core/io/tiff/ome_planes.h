#pragma once
// Which page of a file is which plane of an image of OME.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>

#include "core/io/tiff/ome_xml.h"
#include "core/io/tiff/tiff_calibration.h"
#include "core/io/tiff/tiff_page.h"

namespace sscope::io {

struct OmePlanes {
  TiffOrder order;
  std::map<std::int64_t, std::int64_t> pages;  // of planes, by their place in the order; missing ones are not there
  std::set<std::string> elsewhere;             // files that hold other planes of the image
};

// `file`: the name of this one. `next`: the page at which an image begins that says nothing of its pages. Where planes
// are in other files and those in this one are a block, the order is that of the block.
[[nodiscard]] OmePlanes omePlanes(const Ome& ome, const OmeImage& image, const std::string& file,
                                  std::span<const TiffPage> pages, std::int64_t next);

// Tells which planes are missing, and where others are.
void noteMissing(const TiffOrder& order, const std::map<std::int64_t, std::int64_t>& pages,
                 std::vector<std::string>& notices);
void noteElsewhere(const std::set<std::string>& files, std::vector<std::string>& notices);

}  // namespace sscope::io
