#pragma once
// The magic filter over ranks: the part of a rank, and its share in measurements.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/parts/partition.h"
#include "core/parts/plane_exchange.h"
#include "core/reach/rank_share.h"
#include "core/volume/volume.h"
#include "core/wavelet/workload/magic_workload.h"

namespace sscope {

// The magic filter over ranks: each has some planes along z, and those around them that its sums read, as a periodic
// array of its own. The outer planes computed there are discarded; the others equal those of the whole.
struct MagicSlab {
  Range own;                           // of the whole
  std::int64_t before = 0;             // planes in front of them in the slab's own array
  ArraySpec spec;                      // the slab's own array
  std::unique_ptr<Workload> workload;  // on it
  // The planes around the own planes, by slots of the own array. They wrap around the ends of the whole as often as
  // needed.
  std::vector<reach::WantedPlanes> halo;
};

// Of one rank of `ranks`; the whole itself for one. Throws Error(Usage) for fewer planes than ranks, Error(Unsupported)
// for free boundaries, lines, and images.
[[nodiscard]] MagicSlab magicSlab(const MagicWorkload& whole, const OptionValues& values, int rank, int ranks);

// A rank's slab of the workload magic, timed.
class MagicShare final : public reach::RankShare {
 public:
  // Every rank. `values`: of MagicWorkload, complete. Engine and variants outlive this. Throws as magicSlab(), and what
  // preparing throws.
  MagicShare(const reach::Communicator& communicator, const ArraySpec& whole, const OptionValues& values,
             Engine& engine, const VariantTable& variants, const reach::ShareRequest& request, const Control& control);

  reach::ShareTimes run(reach::Communicator& communicator, const Control& control) override;
  void poison(std::uint8_t pattern) override;
  [[nodiscard]] Verification verify(reach::Communicator& communicator, const VerifyOptions& options,
                                    const Control& control) override;
  [[nodiscard]] reach::ShareFacts facts() const override;
  // This rank's planes of the output.
  [[nodiscard]] ConstArrayView output() const;

 private:
  [[nodiscard]] std::byte* own() { return input_->data() + slab_.before * planeBytes_; }

  const Variant& variant_;
  std::uint64_t seed_;
  MagicSlab slab_;
  std::unique_ptr<reach::PlaneExchange> halo_;
  std::unique_ptr<Plan> plan_;
  std::shared_ptr<Volume> input_;  // the slab's own array
  Volume output_;
  std::int64_t planeBytes_ = 0;
  RunReport report_;
  reach::ShareFacts facts_;
};

}  // namespace sscope
