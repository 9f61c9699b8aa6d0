#include "core/lattice/link_blocks.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/lattice/parallel.h"

namespace sscope::cpu {

using lattice::GaugeField;
using lattice::kDirections;

namespace {

constexpr int kSiteNumbers = kDirections * kLinkNumbers;

// The numbers of a unit link: its diagonal is one.
bool isOne(int number) { return number % kLinkNumbers % 8 == 0; }

const double* numbersOf(const GaugeField& field) { return reinterpret_cast<const double*>(field.links().data()); }

// visit(row, block, first site, sites) for every block, on all cores.
template <class Visit>
void forBlocks(const BlockShape& shape, const Control& control, Visit&& visit) {
  const std::int64_t nx = shape.lattice.extent(0);
  lattice::forPieces(shape.rows() * shape.blocks, control, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t row = k / shape.blocks, block = k % shape.blocks;
      visit(row, block, row * nx + block * shape.lanes, block + 1 < shape.blocks ? shape.lanes : shape.tail);
    }
  });
}

}  // namespace

BlockShape::BlockShape(const lattice::Lattice& of, int lanesOfLevel)
    : lattice(of),
      lanes(lanesOfLevel),
      blocks((of.extent(0) + lanesOfLevel - 1) / lanesOfLevel),
      tail(of.extent(0) - (blocks - 1) * lanesOfLevel) {}

AlignedDoubles::AlignedDoubles(std::int64_t count)
    : memory_(static_cast<double*>(allocateAligned(static_cast<std::size_t>(count + 2 * kRoom) * sizeof(double)))),
      size_(count) {
  if (memory_ == nullptr)
    throw Error(ErrorKind::Memory, "there is no memory for another copy of the links", "use a smaller lattice");
  std::fill_n(memory_.get(), kRoom, 0.0);
  std::fill_n(data() + count, kRoom, 0.0);
}

LinkBlocks::LinkBlocks(const BlockShape& shape)
    : shape_(shape), rowDoubles_(shape.rowDoubles(kSiteNumbers)), numbers_(shape.rows() * rowDoubles_) {}

void LinkBlocks::copyFrom(const GaugeField& field, const Control& control) {
  const int lanes = shape_.lanes;
  forBlocks(shape_, control, [&](std::int64_t r, std::int64_t block, std::int64_t site, int sites) {
    const double* from = numbersOf(field) + site * kSiteNumbers;
    double* to = row(r) + block * kSiteNumbers * lanes;
    for (int k = 0; k < kSiteNumbers; ++k) {
      for (int lane = 0; lane < sites; ++lane) to[k * lanes + lane] = from[lane * kSiteNumbers + k];
      for (int lane = sites; lane < lanes; ++lane) to[k * lanes + lane] = isOne(k) ? 1 : 0;
    }
  });
}

void LinkBlocks::copyTo(GaugeField& field, const Control& control) const {
  const int lanes = shape_.lanes;
  forBlocks(shape_, control, [&](std::int64_t r, std::int64_t block, std::int64_t site, int sites) {
    const double* from = row(r) + block * kSiteNumbers * lanes;
    double* to = reinterpret_cast<double*>(&field.link(site, 0));
    for (int lane = 0; lane < sites; ++lane)
      for (int k = 0; k < kSiteNumbers; ++k) to[lane * kSiteNumbers + k] = from[k * lanes + lane];
  });
}

}  // namespace sscope::cpu
