#include "core/wavelet/ranks/dwt_slab.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/base/error.h"
#include "core/base/memory.h"

namespace sscope {

namespace {

constexpr int kCoefficients = 6;  // the tag of their messages

std::int64_t roundedUp(std::int64_t n, std::int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

// A coefficient of a level reads taps of the level before, and so on down to the samples; a sample needs fewer than
// taps coefficients of each level on either side.
std::int64_t marginOf(int levels, int taps, DwtPasses passes) {
  const std::int64_t block = std::int64_t{1} << levels;
  const std::int64_t forward = roundedUp(taps * (block - 1), block), inverse = taps * block;
  return (passes == DwtPasses::Inverse ? 0 : forward) + (passes == DwtPasses::Forward ? 0 : inverse);
}

// Runs of places [begin, end) that do not cross the end of `whole` planes; visit(place, plane, count).
template <class Visit>
void alongWrapped(std::int64_t first, std::int64_t count, std::int64_t whole, Visit&& visit) {
  for (std::int64_t place = 0; place < count;) {
    const std::int64_t plane = ((first + place) % whole + whole) % whole;
    const std::int64_t run = std::min(count - place, whole - plane);
    visit(place, plane, run);
    place += run;
  }
}

// [begin, end) of the slab's own array.
std::vector<DwtLayer> layersOf(const Pyramid& pyramid, const DwtSlab& slab, std::int64_t begin, std::int64_t end) {
  std::vector<DwtLayer> layers;
  if (!pyramid.axes[2]) {
    layers.push_back({1, slab.own.begin, slab.before, slab.own.size(), pyramid.extent[0], pyramid.extent[1]});
    return layers;
  }
  for (int level = 1; level <= pyramid.levels; ++level) {
    const auto extent = pyramid.extentAt(level - 1);
    const std::int64_t step = std::int64_t{1} << level, whole = slab.whole / step, planes = slab.planes / step;
    for (const bool high : {false, true})
      alongWrapped((slab.own.begin - slab.before + begin) / step, (end - begin) / step, whole,
                   [&](std::int64_t place, std::int64_t plane, std::int64_t count) {
                     layers.push_back({level, plane + (high ? whole : 0), begin / step + place + (high ? planes : 0),
                                       count, extent[0], extent[1]});
                   });
  }
  return layers;
}

// A corner of some planes of a volume, row by row: copy(element bytes of the volume, bytes of a row).
template <class Copy>
void overRows(const VolumeShape& shape, std::int64_t element, std::int64_t first, std::int64_t count, std::int64_t nx,
              std::int64_t ny, Copy&& copy) {
  for (std::int64_t z = first; z < first + count; ++z)
    for (std::int64_t y = 0; y < ny; ++y) copy((z * shape.ny + y) * shape.nx * element, nx * element);
}

// The part of a layer in these planes of the whole; count 0: none.
DwtLayer partOf(DwtLayer layer, const Range& planes) {
  const std::int64_t begin = std::max(layer.inWhole, planes.begin);
  const std::int64_t end = std::min(layer.inWhole + layer.count, planes.end);
  layer.inSlab += begin - layer.inWhole;
  layer.inWhole = begin;
  layer.count = std::max<std::int64_t>(0, end - begin);
  return layer;
}

}  // namespace

DwtSlab dwtSlab(const Pyramid& pyramid, int taps, DwtPasses passes, int rank, int ranks) {
  const bool cut = pyramid.axes[2];
  const std::int64_t block = cut ? std::int64_t{1} << pyramid.levels : 1;
  DwtSlab slab;
  slab.whole = pyramid.extent[2];
  const std::int64_t blocks = slab.whole / block;
  if (blocks < ranks)
    throw Error(ErrorKind::Usage,
                "there are fewer blocks of " + std::to_string(block) + (block == 1 ? " plane (" : " planes (") +
                    std::to_string(blocks) + ") than ranks (" + std::to_string(ranks) + ")",
                (blocks == 1 ? "start one rank" : "start at most " + std::to_string(blocks) + " ranks") +
                    (cut ? ", or give fewer --levels" : ""));
  const Range own = reach::evenly(blocks, ranks)[static_cast<std::size_t>(rank)];
  slab.own = {own.begin * block, own.end * block};
  slab.before = cut && ranks > 1 ? marginOf(pyramid.levels, taps, passes) : 0;
  slab.planes = slab.own.size() + 2 * slab.before;
  if (slab.planes >= slab.whole && cut) {
    slab.before = slab.own.begin;
    slab.planes = slab.whole;
  }
  return slab;
}

std::vector<DwtLayer> ownLayers(const Pyramid& pyramid, const DwtSlab& slab) {
  return layersOf(pyramid, slab, slab.before, slab.before + slab.own.size());
}

std::vector<DwtLayer> allLayers(const Pyramid& pyramid, const DwtSlab& slab) {
  return layersOf(pyramid, slab, 0, slab.planes);
}

Volume ownPlanesOfCoefficients(const Volume& coefficients, const Pyramid& pyramid, std::span<const DwtSlab> slabs,
                               reach::Communicator& communicator, const Control& control) {
  const std::vector<Range> shares = reach::evenly(pyramid.extent[2], communicator.size());
  const Range& mine = shares[static_cast<std::size_t>(communicator.rank())];
  VolumeShape shape = coefficients.shape();
  const auto element = static_cast<std::int64_t>(bytesOf(coefficients.type())) * shape.components;
  // What a rank sends to another: its layers one after the other, as far as they are in the other's planes.
  const auto layersBetween = [&](int from, int to) {
    std::vector<DwtLayer> layers;
    for (const DwtLayer& layer : ownLayers(pyramid, slabs[static_cast<std::size_t>(from)]))
      layers.push_back(partOf(layer, shares[static_cast<std::size_t>(to)]));
    return layers;
  };
  const auto bytesOfAll = [&](const std::vector<DwtLayer>& layers) {
    std::int64_t bytes = 0;
    for (const DwtLayer& layer : layers) bytes += layer.count * layer.nx * layer.ny * element;
    return static_cast<std::size_t>(bytes);
  };
  using Bytes = std::vector<std::vector<std::byte>>;
  const auto memory = std::make_shared<std::pair<Bytes, Bytes>>(Bytes(shares.size()), Bytes(shares.size()));
  Bytes &sent = memory->first, &received = memory->second;
  std::vector<reach::Send> sends;
  std::vector<reach::Receive> receives;
  for (int other = 0; other < communicator.size(); ++other) {
    control.check();
    const auto at = static_cast<std::size_t>(other);
    const std::vector<DwtLayer> to = layersBetween(communicator.rank(), other);
    requireMemory(static_cast<std::int64_t>(bytesOfAll(to)));
    sent[at].reserve(bytesOfAll(to));
    for (const DwtLayer& layer : to)
      overRows(shape, element, layer.inSlab, layer.count, layer.nx, layer.ny, [&](std::int64_t offset, std::int64_t n) {
        sent[at].insert(sent[at].end(), coefficients.data() + offset, coefficients.data() + offset + n);
      });
    received[at].resize(bytesOfAll(layersBetween(other, communicator.rank())));
    if (!sent[at].empty()) sends.push_back({other, kCoefficients, sent[at]});
    if (!received[at].empty()) receives.push_back({other, kCoefficients, received[at]});
  }
  communicator.begin(sends, receives, memory)->end(control);
  shape.nx = pyramid.extent[0];
  shape.ny = pyramid.extent[1];
  shape.nz = mine.size();
  Volume planes(shape, coefficients.type(), coefficients.geometry());
  // Level by level, because deeper levels overwrite what the planes of earlier ones have in their corner.
  std::vector<std::vector<DwtLayer>> layers;
  for (int other = 0; other < communicator.size(); ++other) layers.push_back(layersBetween(other, communicator.rank()));
  std::vector<std::size_t> next(shares.size(), 0), offset(shares.size(), 0);
  for (int level = 1; level <= pyramid.levels; ++level)
    for (std::size_t other = 0; other < layers.size(); ++other)
      for (; next[other] < layers[other].size() && layers[other][next[other]].level == level; ++next[other]) {
        const DwtLayer& layer = layers[other][next[other]];
        overRows(shape, element, layer.inWhole - mine.begin, layer.count, layer.nx, layer.ny,
                 [&](std::int64_t at, std::int64_t n) {
                   std::memcpy(planes.data() + at, received[other].data() + offset[other], static_cast<std::size_t>(n));
                   offset[other] += static_cast<std::size_t>(n);
                 });
      }
  return planes;
}

}  // namespace sscope
