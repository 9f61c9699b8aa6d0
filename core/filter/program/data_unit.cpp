#include "core/filter/program/data_unit.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "core/base/overloaded.h"
#include "core/filter/families/program.h"

namespace sscope {

namespace {

constexpr std::int64_t kSampled = 9;  // planes

double largestOf(ElementType type, std::span<const std::byte> elements) {
  double largest = 0;
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    for (std::size_t at = 0; at + sizeof(T) <= elements.size(); at += sizeof(T)) {
      T value{};
      std::memcpy(&value, elements.data() + at, sizeof value);
      const double size = std::abs(static_cast<double>(value));
      if (size > largest && std::isfinite(size)) largest = size;
    }
  });
  return largest;
}

// visit(plane) for nine of them, or all.
template <class Visit>
void forSampled(std::int64_t planes, const Control& control, const Visit& visit) {
  const std::int64_t count = std::min(planes, kSampled);
  for (std::int64_t k = 0; k < count; ++k) {
    control.check();
    visit(count == 1 ? 0 : k * (planes - 1) / (count - 1));
  }
}

bool sameOperator(const Operator& a, const Operator& b) {
  if (a.kind.index() != b.kind.index()) return false;
  return std::visit(
      Overloaded{[&](const Stencil& one) { return one.terms == b.stencil()->terms && one.dense == b.stencil()->dense; },
                 [](const RankWindow&) { return true; }, [](const RangeWindow&) { return true; },
                 [&](const Formula& one) { return one == *b.formula(); }, [](const EntropyWindow&) { return true; }},
      a.kind);
}

}  // namespace

double dataUnit(ElementType type, double largest) {
  if (isInteger(type) || !(largest > 0) || !std::isfinite(largest)) return 1;
  // Of ordinary data; squares of differences a millionth of them are within the range.
  const int ordinary = type == ElementType::f32 ? 40 : 400;
  // Small data stay small: what was not sampled may be much larger.
  constexpr int kBelow = 20;
  const int exponent = std::ilogb(largest);
  if (std::abs(exponent) <= ordinary) return 1;
  const int most = type == ElementType::f32 ? 120 : 1000;
  return std::ldexp(1.0, std::clamp(exponent < 0 ? exponent + kBelow : exponent, -most, most));
}

bool usesDataUnit(const FilterBank& bank, const VolumeOutline& data) {
  if (isInteger(data.type)) return false;
  const FilterGrid grid = filterGrid(data.shape.dimensions(), data.geometry);
  FilterBank other = bank;
  other.unit = 2 * bank.unit;
  const std::vector<ProgramNode> here = makeProgram(bank, grid, true).nodes,
                                 there = makeProgram(other, grid, true).nodes;
  if (here.size() != there.size()) return true;
  for (std::size_t n = 0; n < here.size(); ++n)
    if (!sameOperator(here[n].op, there[n].op)) return true;
  return false;
}

double sampledMagnitude(const Volume& volume, const Control& control) {
  const ArraySpec spec = volume.spec();
  const std::int64_t planes = spec.extent[slowestAxis(spec.extent)], bytes = volume.bytes() / planes;
  double largest = 0;
  forSampled(planes, control, [&](std::int64_t plane) {
    largest =
        std::max(largest, largestOf(volume.type(), {volume.data() + plane * bytes, static_cast<std::size_t>(bytes)}));
  });
  return largest;
}

double sampledMagnitude(VolumeSource& source, const Control& control) {
  const VolumeInfo& info = source.info();
  const VolumeShape& s = info.shape;
  const ArraySpec spec{info.type, {s.nx, s.ny, s.nz, s.components}};
  const std::int64_t planes = spec.extent[slowestAxis(spec.extent)];
  std::vector<std::byte> voxels(static_cast<std::size_t>(spec.bytes() / planes));
  double largest = 0;
  forSampled(planes, control, [&](std::int64_t plane) {
    source.read(plane, plane + 1, voxels, {control.stop, {}});
    largest = std::max(largest, largestOf(info.type, voxels));
  });
  return largest;
}

double dataUnitOf(const FilterBank& bank, const Volume& volume, const Control& control) {
  return usesDataUnit(bank, outlineOf(volume)) ? dataUnit(volume.type(), sampledMagnitude(volume, control)) : 1;
}

double dataUnitOf(const FilterBank& bank, VolumeSource& source, const Control& control) {
  const VolumeInfo& info = source.info();
  const bool looks = source.anyOrder() && usesDataUnit(bank, {info.shape, info.type, info.geometry});
  return looks ? dataUnit(info.type, sampledMagnitude(source, control)) : 1;
}

}  // namespace sscope
