#pragma once
// A rank's slab of a workload that can be cut (Workload::cutTo): it makes its own planes of the noise, gets the halo
// from its neighbors in each run, and computes its planes of the outputs.

#include <memory>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/parts/plane_exchange.h"
#include "core/parts/sparse_volume.h"
#include "core/reach/rank_share.h"
#include "core/volume/volume.h"

namespace sscope::reach {

class SlabShare final : public RankShare {
 public:
  // Every rank. `whole`: of all ranks. Engine and variants outlive this. Throws Error(Usage) for fewer planes than
  // ranks, Error(Unsupported) for a workload that cannot be cut, and what preparing throws.
  SlabShare(const Communicator& communicator, const Workload& whole, Engine& engine, const VariantTable& variants,
            const ShareRequest& request, const Control& control);

  ShareTimes run(Communicator& communicator, const Control& control) override;
  void poison(std::uint8_t pattern) override;
  [[nodiscard]] Verification verify(Communicator& communicator, const VerifyOptions& options,
                                    const Control& control) override;
  [[nodiscard]] ShareFacts facts() const override;
  // This rank's planes of the outputs.
  [[nodiscard]] const std::vector<Volume>& outputs() const { return outputs_; }

 private:
  [[nodiscard]] std::vector<ArrayView> views();

  const Variant& variant_;
  std::uint64_t seed_;
  std::unique_ptr<Workload> part_;
  std::shared_ptr<SparseVolume> input_;
  Range own_;
  std::vector<WantedPlanes> wanted_;
  PlaneExchange halo_;
  std::unique_ptr<Plan> plan_;
  std::vector<Volume> outputs_;
  RunReport report_;
  ShareFacts facts_;
};

// Planes along the slowest axis, as equal as can be. Throws Error(Usage) for fewer planes than ranks.
[[nodiscard]] std::vector<Range> planesOfRanks(std::int64_t planes, int ranks);
// How many planes of the input a rank with these planes of the outputs reads beside its own. Throws as SlabShare.
[[nodiscard]] std::int64_t planesAround(const Workload& whole, const Range& own);

}  // namespace sscope::reach
