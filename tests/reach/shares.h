#pragma once
// Shares of ranks that are threads, and what they compute put together.

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/parts/thread_ranks.h"
#include "core/reach/rank_share.h"
#include "core/volume/volume.h"
#include "tests/support/catch.h"
#include "tests/support/cpu_machine.h"

namespace sscope::test {

inline constexpr int kRanks[] = {1, 2, 3, 4, 7};

// Runs a share on each rank, twice, checks that every rank finds its output right and a spoiled one wrong, and gives
// what `outputOf` says of each rank, in their order.
template <class Share>
std::vector<std::vector<std::byte>> outputsOf(
    int count, const std::function<std::unique_ptr<Share>(reach::Communicator&, const Control&)>& make,
    const std::function<std::vector<std::byte>(const Share&)>& outputOf) {
  std::vector<std::vector<std::byte>> outputs(static_cast<std::size_t>(count));
  std::vector<Verification> right(outputs.size()), wrong(outputs.size());
  reach::ThreadRanks ranks(count);
  ranks.run({}, [&](reach::Communicator& communicator, const Control& control) {
    const auto rank = static_cast<std::size_t>(communicator.rank());
    const auto share = make(communicator, control);
    for (const std::uint8_t pattern : {sscope::kPoison, sscope::kOtherPoison}) {
      share->poison(pattern);
      share->run(communicator, control);
    }
    right[rank] = share->verify(communicator, {}, control);
    outputs[rank] = outputOf(*share);
    share->poison(sscope::kPoison);
    wrong[rank] = share->verify(communicator, {}, control);
  });
  bool oneIsWrong = false;
  for (std::size_t rank = 0; rank < outputs.size(); ++rank) {
    INFO("rank " << rank << " of " << count);
    CHECK(right[rank].failure.empty());
    CHECK(right[rank].verified);
    oneIsWrong = oneIsWrong || !wrong[rank].verified;
  }
  CHECK(oneIsWrong);
  return outputs;
}

// Another one, but for a bit of each message that arrives.
class SpoilingRanks final : public reach::Communicator {
 public:
  explicit SpoilingRanks(reach::Communicator& ranks) : ranks_(ranks) {}
  [[nodiscard]] int rank() const override { return ranks_.rank(); }
  [[nodiscard]] int size() const override { return ranks_.size(); }
  [[nodiscard]] int localRank() const override { return ranks_.localRank(); }
  [[nodiscard]] int localSize() const override { return ranks_.localSize(); }
  [[nodiscard]] std::unique_ptr<reach::Exchange> begin(std::span<const reach::Send> sends,
                                                       std::span<const reach::Receive> receives,
                                                       std::shared_ptr<const void> keeps) override {
    return std::make_unique<Spoiled>(ranks_.begin(sends, receives, std::move(keeps)), receives);
  }
  [[nodiscard]] std::vector<double> gather(std::span<const double> values, const Control& control) override {
    return ranks_.gather(values, control);
  }
  void broadcast(std::span<std::byte> bytes, int root, const Control& control) override {
    ranks_.broadcast(bytes, root, control);
  }
  void barrier(const Control& control) override { ranks_.barrier(control); }
  void agree(const std::exception_ptr& own, const Control& control) override { ranks_.agree(own, control); }

 private:
  class Spoiled final : public reach::Exchange {
   public:
    Spoiled(std::unique_ptr<reach::Exchange> exchange, std::span<const reach::Receive> receives)
        : exchange_(std::move(exchange)), receives_(receives.begin(), receives.end()) {}
    void end(const Control& control) override {
      exchange_->end(control);
      for (const reach::Receive& one : receives_)
        if (!one.bytes.empty()) one.bytes[one.bytes.size() / 2] ^= std::byte{1};
    }

   private:
    std::unique_ptr<reach::Exchange> exchange_;
    std::vector<reach::Receive> receives_;
  };
  reach::Communicator& ranks_;
};

// What each of two ranks finds wrong after a run whose messages were spoiled on their way.
template <class Share>
std::vector<std::string> foundWhenSpoiled(
    const std::function<std::unique_ptr<Share>(reach::Communicator&, const Control&)>& make) {
  std::vector<std::string> found(2);
  reach::ThreadRanks(2).run({}, [&](reach::Communicator& communicator, const Control& control) {
    SpoilingRanks spoiling(communicator);
    const auto share = make(communicator, control);
    share->run(spoiling, control);
    found[static_cast<std::size_t>(communicator.rank())] = share->verify(communicator, {}, control).failure;
  });
  return found;
}

inline std::vector<std::byte> bytesOf(const ConstArrayView& view) {
  std::vector<std::byte> bytes;
  const auto row = static_cast<std::size_t>(view.extent[0] * view.extent[3]) * sscope::bytesOf(view.type);
  for (std::int64_t z = 0; z < view.extent[2]; ++z)
    for (std::int64_t y = 0; y < view.extent[1]; ++y) {
      const std::byte* from = view.data + view.offset(0, y, z) * static_cast<std::int64_t>(sscope::bytesOf(view.type));
      bytes.insert(bytes.end(), from, from + row);
    }
  return bytes;
}

inline std::vector<std::byte> joined(const std::vector<std::vector<std::byte>>& parts) {
  std::vector<std::byte> all;
  for (const std::vector<std::byte>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace sscope::test
