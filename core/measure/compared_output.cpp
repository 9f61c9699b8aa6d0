#include "core/measure/compared_output.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/measure/sampled_boxes.h"

namespace sscope {

namespace {

constexpr std::int64_t kFetchedBytes = std::int64_t{16} << 20;

std::int64_t bytesIn(const Box& box, const ArraySpec& spec) {
  return box.voxels() * spec.extent[3] * static_cast<std::int64_t>(bytesOf(spec.type));
}

}  // namespace

ComparedOutput::ComparedOutput(ResidentArray& array, const Control& control)
    : type_(array.spec().type), extent_(array.spec().extent) {
  if (array.deviceBytes() > 0) {
    array_ = &array;
  } else {
    host_ = array.host(control);
    view_ = host_->view();
  }
}

void ComparedOutput::forEach(const std::vector<Box>& boxes, const Look& look, const Control& control) const {
  if (array_ != nullptr) {
    fetchEach(boxes, look, control);
    return;
  }
  tbb::parallel_for(std::size_t{0}, boxes.size(), [&](std::size_t i) {
    control.check();
    look(i, viewOfBox(view_, boxes[i]));
  });
}

void ComparedOutput::fetchEach(const std::vector<Box>& boxes, const Look& look, const Control& control) const {
  const ArraySpec& spec = array_->spec();
  std::vector<std::byte> fetched;
  for (std::size_t first = 0; first < boxes.size();) {
    std::size_t end = first;
    std::vector<std::int64_t> begins{0};
    while (end < boxes.size() && (end == first || begins.back() + bytesIn(boxes[end], spec) <= kFetchedBytes))
      begins.push_back(begins.back() + bytesIn(boxes[end++], spec));
    fetched.resize(std::max(fetched.size(), static_cast<std::size_t>(begins.back())));
    std::vector<BoxCopy> copies;
    for (std::size_t i = first; i < end; ++i) {
      const Box& box = boxes[i];
      copies.push_back({box, denseView({spec.type, {box.size(0), box.size(1), box.size(2), spec.extent[3]}},
                                       fetched.data() + begins[i - first])});
    }
    array_->read(copies, control);
    tbb::parallel_for(std::size_t{0}, copies.size(), [&](std::size_t i) {
      control.check();
      look(first + i, ConstArrayView(copies[i].to));
    });
    first = end;
  }
}

std::vector<Box> ComparedOutput::standingOut(std::int64_t most, const Control& control) const {
  const std::vector<Box> tiles = outlierTiles(extent_, most);
  std::vector<Box> parts;
  for (const Box& tile : tiles) parts.push_back(withNeighbors(tile, extent_));
  std::vector<Box> boxes(2 * tiles.size());
  forEach(
      parts,
      [&](std::size_t t, const ConstArrayView& part) {
        const std::array<Box, 2> found = outliersOf(part, parts[t], tiles[t], control);
        boxes[2 * t] = found[0];
        boxes[2 * t + 1] = found[1];
      },
      control);
  return boxes;
}

}  // namespace sscope
