#include "core/wavelet/ranks/magic_slab.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/reach/slab_share.h"

namespace sscope {

namespace {

std::int64_t wrapped(std::int64_t plane, std::int64_t planes) { return (plane % planes + planes) % planes; }

}  // namespace

MagicSlab magicSlab(const MagicWorkload& whole, const OptionValues& values, int rank, int ranks) {
  const std::int64_t planes = whole.input().extent[2];
  const bool cut = !whole.lines() && whole.outputs().front() == whole.input() && planes > 1;
  if (ranks > 1 && !cut)
    throw Error(ErrorKind::Unsupported, "ranks share the magic filter of periodic volumes along all axes only",
                "use one rank, or leave lines and free boundaries out");
  MagicSlab slab;
  slab.own =
      ranks == 1 ? Range{0, planes} : reach::planesOfRanks(planes, ranks)[static_cast<std::size_t>(rank)];
  slab.spec = whole.input();
  if (ranks == 1) {
    slab.workload = std::make_unique<MagicWorkload>(whole.input(), values);
    return slab;
  }
  const std::int64_t taps = std::ssize(whole.taps());
  slab.before = -whole.first();
  slab.spec.extent[2] = slab.own.size() + taps - 1;
  slab.workload = std::make_unique<MagicWorkload>(slab.spec, values);
  const auto add = [&](std::int64_t slot, std::int64_t end) {
    while (slot < end) {
      const std::int64_t begin = wrapped(slab.own.begin - slab.before + slot, planes);
      const std::int64_t count = std::min(end - slot, planes - begin);
      slab.halo.push_back({begin, count, slot});
      slot += count;
    }
  };
  add(0, slab.before);
  add(slab.before + slab.own.size(), slab.spec.extent[2]);
  return slab;
}

}  // namespace sscope
