#pragma once
// A rank's slab of the workload magic, timed.

#include <memory>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/reach/rank_share.h"
#include "core/volume/volume.h"
#include "core/wavelet/ranks/magic_slab.h"

namespace sscope {

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
