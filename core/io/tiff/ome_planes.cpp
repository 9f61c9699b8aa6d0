#include "core/io/tiff/ome_planes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/words.h"
#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {

// Programs that write one file name it; people rename it.
std::string ownFile(const Ome& ome, const OmeImage& image, const std::string& name) {
  std::set<std::string> all;
  bool unnamed = false;  // planes that are this file's by definition, so that those with a name are another's
  for (const OmeTiffData& data : image.data) {
    if (data.uuid.empty()) {
      unnamed = true;
      continue;
    }
    if (data.uuid == ome.uuid || (ome.uuid.empty() && data.file == name)) return data.uuid;
    all.insert(data.uuid);
  }
  return ome.uuid.empty() && all.size() == 1 && !unnamed ? *all.begin() : ome.uuid;
}

// Of an image in several files: its part in this one, where that is a block of planes.
void keepThisFile(OmePlanes& planes) {
  constexpr std::string_view kAxes = "CZT";
  std::array<std::set<std::int64_t>, 3> places;
  for (const auto& [index, place] : planes.pages)
    for (std::size_t a = 0; a < 3; ++a) places[a].insert(planes.order.place(index, kAxes[a]));
  if (planes.pages.empty() || places[0].size() * places[1].size() * places[2].size() != planes.pages.size()) return;
  OmePlanes part;
  for (const auto& [letter, extent] : planes.order.axes)
    part.order.axes.emplace_back(letter, static_cast<std::int64_t>(places[kAxes.find(letter)].size()));
  for (const auto& [index, page] : planes.pages) {
    std::array<std::int64_t, 3> at{};
    for (std::size_t a = 0; a < 3; ++a)
      at[a] = std::distance(places[a].begin(), places[a].find(planes.order.place(index, kAxes[a])));
    part.pages.emplace(part.order.page(kAxes, at), page);
  }
  part.elsewhere = std::move(planes.elsewhere);
  planes = std::move(part);
}

}  // namespace

OmePlanes omePlanes(const Ome& ome, const OmeImage& image, const std::string& file, std::span<const TiffPage> pages,
                    std::int64_t next) {
  OmePlanes result;
  std::array<std::int64_t, 3> extent = image.extent;
  const std::int64_t first = image.data.empty() ? next : image.data.front().page.value_or(0);
  // Samples of one pixel are channels of OME.
  const std::int64_t samples = pages[std::min(static_cast<std::size_t>(first), pages.size() - 1)].samples;
  if (samples > 1 && extent[0] % samples == 0) extent[0] /= samples;
  const auto order = tiffOrder(image.order, extent);
  if (!order || std::any_of(extent.begin(), extent.end(), [](std::int64_t n) { return n < 1; })) return result;
  result.order = *order;
  const std::string own = ownFile(ome, image, file);
  std::vector<OmeTiffData> data = image.data;
  if (data.empty()) data.push_back({next, result.order.pages(), {}, {}, {}});
  const TiffPage* kind = nullptr;
  for (const OmeTiffData& block : data) {
    if (!block.uuid.empty() && block.uuid != own) {
      result.elsewhere.insert(block.file.empty() ? block.uuid : block.file);
      continue;
    }
    bool inside = true;
    for (std::size_t a = 0; a < 3; ++a) inside = inside && block.first[a] < extent[a];
    if (!inside) continue;
    const std::int64_t start = result.order.page("CZT", block.first), page = block.page.value_or(0);
    const std::int64_t there = std::max<std::int64_t>(0, static_cast<std::int64_t>(pages.size()) - page);
    const std::int64_t count = std::min(block.count.value_or(block.page ? 1 : there), result.order.pages() - start);
    for (std::int64_t k = 0; k < std::min(count, there); ++k) {
      const TiffPage& each = pages[static_cast<std::size_t>(page + k)];
      if (kind == nullptr) kind = &each;
      if (each.sameKind(*kind)) result.pages.emplace(start + k, page + k);
    }
  }
  if (!result.elsewhere.empty()) keepThisFile(result);
  return result;
}

void noteElsewhere(const std::set<std::string>& files, std::vector<std::string>& notices) {
  if (files.empty()) return;
  notices.push_back(
      "only the planes in this file were read; others of this image are in " + printable(*files.begin()) +
      (files.size() > 1 ? " and " + counted(static_cast<std::int64_t>(files.size()) - 1, "other file") : ""));
}

void noteMissing(const TiffOrder& order, const std::map<std::int64_t, std::int64_t>& pages,
                 std::vector<std::string>& notices) {
  const std::int64_t all = order.pages(), lacking = all - static_cast<std::int64_t>(pages.size());
  if (lacking == 0) return;
  std::string list;
  int named = 0;
  for (std::int64_t index = 0; index < all && named < 4; ++index) {
    if (pages.contains(index)) continue;
    list += (named++ == 0 ? "" : "; ") + std::string("z ") + std::to_string(order.place(index, 'Z')) + " of channel " +
            std::to_string(order.place(index, 'C')) + " at time " + std::to_string(order.place(index, 'T'));
  }
  notices.push_back(counted(lacking, "plane") + (lacking == 1 ? " is" : " are") + " missing and read as 0: " + list +
                    (lacking > named ? "; ..." : ""));
}

}  // namespace sscope::io
