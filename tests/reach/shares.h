#pragma once
// Shares of ranks that are threads, and what they compute put together.

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/reach/rank_share.h"
#include "core/reach/thread_ranks.h"
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
    for (const std::uint8_t pattern : {kPoison, kOtherPoison}) {
      share->poison(pattern);
      share->run(communicator, control);
    }
    right[rank] = share->verify(communicator, {}, control);
    outputs[rank] = outputOf(*share);
    share->poison(kPoison);
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
