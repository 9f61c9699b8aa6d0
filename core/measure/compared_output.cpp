#include "core/measure/compared_output.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <tbb/parallel_for.h>

namespace sscope {

namespace {

void addPieces(const Box& box, std::int64_t edge, std::vector<Box>& pieces) {
  if (box.voxels() <= 0) return;
  for (std::int64_t z = box.begin[2]; z < box.end[2]; z += edge)
    for (std::int64_t y = box.begin[1]; y < box.end[1]; y += edge)
      for (std::int64_t x = box.begin[0]; x < box.end[0]; x += edge)
        pieces.push_back(
            {{x, y, z},
             {std::min(x + edge, box.end[0]), std::min(y + edge, box.end[1]), std::min(z + edge, box.end[2])}});
}

constexpr std::int64_t kEdge = 32;

// How far a voxel stands out: along the axis with the largest difference, and along the one with the smallest.
struct Deviation {
  double most = 0, least = 0;
};

// The largest of all components.
template <class T>
Deviation deviationAt(const T* data, const ConstArrayView& view, const std::array<std::int64_t, 3>& at) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Deviation largest;
  for (std::int64_t c = 0; c < view.extent[3]; ++c) {
    const T* here = data + view.offset(at[0], at[1], at[2], c);
    const auto value = static_cast<double>(*here);
    if (!std::isfinite(value)) return {kInfinity, kInfinity};
    Deviation one{0, kInfinity};
    for (std::size_t a = 0; a < 3; ++a) {
      if (view.extent[a] < 2) continue;
      const std::int64_t before = at[a] > 0 ? -view.stride[a] : view.stride[a];
      const std::int64_t after = at[a] + 1 < view.extent[a] ? view.stride[a] : -view.stride[a];
      const double mean = 0.5 * static_cast<double>(here[before]) + 0.5 * static_cast<double>(here[after]);
      if (!std::isfinite(mean)) continue;
      one.most = std::max(one.most, std::abs(value - mean));
      one.least = std::min(one.least, std::abs(value - mean));
    }
    largest.most = std::max(largest.most, one.most);
    if (one.least < kInfinity) largest.least = std::max(largest.least, one.least);
  }
  return largest;
}

struct Suspects {
  std::array<std::int64_t, 3> most{}, least{};
};

template <class T>
Suspects suspectsOf(const ConstArrayView& view, const Box& tile, const Control& control) {
  const auto* data = view.as<T>();
  Suspects suspects{tile.begin, tile.begin};
  Deviation largest{-1, -1};
  for (std::int64_t z = tile.begin[2]; z < tile.end[2]; ++z) {
    control.check();
    for (std::int64_t y = tile.begin[1]; y < tile.end[1]; ++y)
      for (std::int64_t x = tile.begin[0]; x < tile.end[0]; ++x) {
        const Deviation here = deviationAt(data, view, {x, y, z});
        if (here.most > largest.most) {
          largest.most = here.most;
          suspects.most = {x, y, z};
        }
        if (here.least > largest.least) {
          largest.least = here.least;
          suspects.least = {x, y, z};
        }
      }
  }
  return suspects;
}

Box voxel(const std::array<std::int64_t, 3>& at) { return {at, {at[0] + 1, at[1] + 1, at[2] + 1}}; }

}  // namespace

std::vector<Box> wholeVolume(const std::array<std::int64_t, 4>& extent, std::int64_t edge) {
  std::array<std::int64_t, 3> count{};
  for (std::size_t a = 0; a < 3; ++a) count[a] = (extent[a] + edge - 1) / edge;
  std::vector<Box> pieces;
  for (std::int64_t z = 0; z < count[2]; ++z)
    for (std::int64_t y = 0; y < count[1]; ++y)
      for (std::int64_t x = 0; x < count[0]; ++x) {
        const std::array<std::int64_t, 3> place{x, y, z};
        Box& piece = pieces.emplace_back();
        for (std::size_t a = 0; a < 3; ++a) {
          piece.begin[a] = place[a] * extent[a] / count[a];
          piece.end[a] = (place[a] + 1) * extent[a] / count[a];
        }
      }
  return pieces;
}

std::vector<Box> joinedBoxes(std::vector<Box> boxes, const std::function<double(const Box&)>& cost, double voxel) {
  constexpr double kHalf = 0.5;  // at the ends of the data the halo is smaller
  const auto hull = [](Box a, const Box& b) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      a.begin[axis] = std::min(a.begin[axis], b.begin[axis]);
      a.end[axis] = std::max(a.end[axis], b.end[axis]);
    }
    return a;
  };
  struct Priced {
    Box box;
    double cost;
  };
  std::vector<Priced> joined;
  for (const Box& box : boxes) {
    Priced next{box, cost(box)};
    // A box that has grown may now be joined with others.
    for (std::size_t i = 0; i < joined.size();) {
      const Box both = hull(joined[i].box, next.box);
      const double apart = joined[i].cost + next.cost;
      const bool far = kHalf * voxel * static_cast<double>(both.voxels()) > apart;
      const double together = far ? apart : cost(both);
      if (far || together > apart) {
        ++i;
        continue;
      }
      next = {both, together};
      joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    }
    joined.push_back(next);
  }
  boxes.clear();
  for (const Priced& one : joined) boxes.push_back(one.box);
  return boxes;
}

std::vector<Box> sampledBoxes(const std::array<std::int64_t, 4>& extent, std::uint64_t seed) {
  constexpr std::int64_t kBlock = 8;
  std::mt19937_64 random(seed);
  const auto start = [&](std::int64_t n, std::int64_t block) {
    return n <= block ? std::int64_t{0}
                      : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n - block + 1));
  };
  std::vector<Box> boxes;
  const std::array<std::int64_t, 3> n{extent[0], extent[1], extent[2]};
  for (std::size_t along = 0; along < 3; ++along)  // the twelve edges, corners included
    for (int corner = 0; corner < 4; ++corner) {
      Box box{{0, 0, 0}, n};
      const std::size_t u = (along + 1) % 3, v = (along + 2) % 3;
      box.begin[u] = (corner & 1) != 0 ? n[u] - 1 : 0;
      box.begin[v] = (corner & 2) != 0 ? n[v] - 1 : 0;
      box.end[u] = box.begin[u] + 1;
      box.end[v] = box.begin[v] + 1;
      addPieces(box, kEdge, boxes);
    }
  for (std::size_t across = 0; across < 3; ++across)  // the six faces, a band each way and blocks on it
    for (const std::int64_t plane : {std::int64_t{0}, n[across] - 1})
      for (int k = 0; k < 8; ++k) {
        Box box;
        for (std::size_t a = 0; a < 3; ++a) {
          const std::int64_t size = a == across ? 1 : std::min<std::int64_t>(n[a], 16);
          box.begin[a] = a == across ? plane : start(n[a], size);
          box.end[a] = box.begin[a] + size;
        }
        boxes.push_back(box);
      }
  for (int k = 0; k < 64; ++k) {
    Box box;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t size = std::min(n[a], kBlock);
      box.begin[a] = start(n[a], size);
      box.end[a] = box.begin[a] + size;
    }
    boxes.push_back(box);
  }
  return boxes;
}

std::vector<Box> outlierTiles(const std::array<std::int64_t, 4>& extent, std::int64_t most) {
  const auto tilesOf = [&](std::int64_t edge) {
    std::int64_t count = 1;
    for (std::size_t a = 0; a < 3; ++a) count *= (extent[a] + edge - 1) / edge;
    return count;
  };
  std::int64_t edge = 8;
  while (tilesOf(edge) > 1 && 2 * tilesOf(edge) > most) edge *= 2;
  std::vector<Box> tiles;
  addPieces({{0, 0, 0}, {extent[0], extent[1], extent[2]}}, edge, tiles);
  return tiles;
}

Box withNeighbors(const Box& tile, const std::array<std::int64_t, 4>& extent) {
  Box box = tile;
  for (std::size_t a = 0; a < 3; ++a) {
    box.begin[a] = std::max<std::int64_t>(0, box.begin[a] - 1);
    box.end[a] = std::min(extent[a], box.end[a] + 1);
  }
  return box;
}

std::array<Box, 2> outliersOf(const ConstArrayView& part, const Box& of, const Box& tile, const Control& control) {
  Box inside = tile;
  for (std::size_t a = 0; a < 3; ++a) {
    inside.begin[a] -= of.begin[a];
    inside.end[a] -= of.begin[a];
  }
  const Suspects suspects =
      dispatch(part.type, [&](auto tag) { return suspectsOf<decltype(tag)>(part, inside, control); });
  std::array<Box, 2> found{voxel(suspects.most), voxel(suspects.least)};
  for (Box& box : found)
    for (std::size_t a = 0; a < 3; ++a) {
      box.begin[a] += of.begin[a];
      box.end[a] += of.begin[a];
    }
  return found;
}

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
