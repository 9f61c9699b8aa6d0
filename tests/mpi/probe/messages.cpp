#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "tests/mpi/probe/probe.h"

namespace sscope::test {

namespace {

// What rank `from` sends to rank `to` with this tag.
std::vector<std::byte> content(int from, int to, int tag, std::size_t size) {
  std::mt19937 random(static_cast<std::uint32_t>(from * 10007 + to * 101 + tag));
  std::vector<std::byte> bytes(size);
  for (std::byte& each : bytes) each = static_cast<std::byte>(random() & 0xff);
  return bytes;
}

constexpr std::array<std::size_t, 5> kSizes{0, 1, 1000, 70001, (std::size_t{3} << 20) + 5};

}  // namespace

// Everybody to everybody, itself included, in messages of several sizes, at once; and exchanges that end in another
// order than they began.
void checkMessages(Probe& probe) {
  reach::Communicator& ranks = probe.ranks();
  const int size = ranks.size(), rank = ranks.rank();
  expect(rank >= 0 && rank < size, "the rank is one of all");
  expect(ranks.localSize() == size && ranks.localRank() == rank, "all ranks are on this machine");
  std::vector<std::vector<std::byte>> out, in;
  std::vector<reach::Send> sends;
  std::vector<reach::Receive> receives;
  for (int other = 0; other < size; ++other)
    for (std::size_t s = 0; s < kSizes.size(); ++s) {
      out.push_back(content(rank, other, static_cast<int>(s), kSizes[s]));
      in.emplace_back(kSizes[s]);
    }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int other = static_cast<int>(i / kSizes.size()), tag = static_cast<int>(i % kSizes.size());
    sends.push_back({other, tag, out[i]});
    receives.push_back({other, tag, in[i]});
  }
  ranks.begin(sends, receives)->end(probe.control());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const int other = static_cast<int>(i / kSizes.size()), tag = static_cast<int>(i % kSizes.size());
    expect(in[i] == content(other, rank, tag, in[i].size()), "message " + std::to_string(tag) + " came whole");
  }

  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  const std::array<std::int64_t, 2> sent{rank * 10, rank * 10 + 1};
  std::array<std::int64_t, 2> came{-1, -1};
  std::vector<std::unique_ptr<reach::Exchange>> under;
  for (std::size_t i = 0; i < 2; ++i) {
    const reach::Send send{next, static_cast<int>(40 + i), std::as_bytes(std::span(&sent[i], 1))};
    const reach::Receive receive{before, static_cast<int>(40 + i), std::as_writable_bytes(std::span(&came[i], 1))};
    under.push_back(ranks.begin({&send, 1}, {&receive, 1}));
  }
  under[1]->end(probe.control());
  under[0]->end(probe.control());
  expect(came[0] == before * 10 && came[1] == before * 10 + 1, "exchanges end in any order");
}

void checkCollectives(Probe& probe) {
  reach::Communicator& ranks = probe.ranks();
  const int size = ranks.size(), rank = ranks.rank();
  const Control control = probe.control();
  // Of each rank another number of values: short ones, none, and more than fit into one message.
  for (const int factor : {1, 5}) {
    std::vector<double> own;
    for (int i = 0; i < rank * factor; ++i) own.push_back(rank + i / 64.0);
    const std::vector<double> all = ranks.gather(own, control);
    std::vector<double> expected;
    for (int r = 0; r < size; ++r)
      for (int i = 0; i < r * factor; ++i) expected.push_back(r + i / 64.0);
    expect(all == expected, "gather gives the values in the order of the ranks");
  }
  for (int root = 0; root < size; ++root) {
    const std::vector<std::byte> wanted = content(root, 0, 7, (std::size_t{2} << 20) + 17);
    std::vector<std::byte> bytes(wanted.size());
    if (rank == root) bytes = wanted;
    ranks.broadcast(bytes, root, control);
    expect(bytes == wanted, "everybody has what the root had");
  }
  // Nobody leaves a barrier before the last one has come.
  const auto now = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  std::this_thread::sleep_for(std::chrono::milliseconds(20 * rank));
  const double came = now();
  ranks.barrier(control);
  const double left = now();
  const std::vector<double> arrivals = ranks.gather({&came, 1}, control);
  for (const double each : arrivals) expect(left >= each, "nobody leaves a barrier before all are there");
}

void checkAgreement(Probe& probe) {
  reach::Communicator& ranks = probe.ranks();
  const Control control = probe.control();
  ranks.agree(nullptr, control);
  const auto errorOf = [&](int rank) -> std::exception_ptr {
    const bool fails = rank == 1 || rank == ranks.size() - 1;
    if (!fails) return nullptr;
    return std::make_exception_ptr(Error(ErrorKind::Memory, "rank " + std::to_string(rank) + " fails", "wait"));
  };
  try {
    ranks.agree(errorOf(ranks.rank()), control);
    expect(false, "an error of another rank is thrown");
  } catch (const Error& error) {
    expect(error.kind() == ErrorKind::Memory, "the kind is that of the first error");
    expect(std::string(error.what()) == "rank 1 fails; wait", "the sentence is that of the first error");
  }
  ranks.agree(nullptr, control);  // and it goes on
}

// A wait that is canceled ends, and what it waited for does not disturb what comes after it.
void checkCanceling(Probe& probe) {
  reach::Communicator& ranks = probe.ranks();
  const int other = ranks.rank() ^ 1;
  std::stop_source source;
  std::int64_t never = -1, later = -1;
  if (other < ranks.size()) {
    const reach::Receive receive{other, 5, std::as_writable_bytes(std::span(&never, 1))};
    const auto exchange = ranks.begin({}, {&receive, 1});
    const std::jthread stopper([&source] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      source.request_stop();
    });
    try {
      exchange->end({source.get_token(), {}});
      expect(false, "the wait was canceled");
    } catch (const Canceled&) {
    }
  }
  ranks.barrier(probe.control());  // all have given up, and nothing was sent
  if (other >= ranks.size()) return;
  const std::int64_t own = ranks.rank();
  const reach::Send send{other, 5, std::as_bytes(std::span(&own, 1))};
  const reach::Receive receive{other, 5, std::as_writable_bytes(std::span(&later, 1))};
  ranks.begin({&send, 1}, {&receive, 1})->end(probe.control());
  expect(never == -1, "what was given up stays as it was");
  expect(later == other, "the next message of that tag goes to the next receive");
}

// What is given up while it is sent comes as it was, whenever somebody receives it.
void checkGivenUp(Probe& probe) {
  reach::Communicator& ranks = probe.ranks();
  const int other = ranks.rank() ^ 1;
  constexpr std::size_t kCount = std::size_t{1} << 20;  // too many for MPI to keep a copy
  if (other < ranks.size()) {
    const auto sent = std::make_shared<std::vector<std::int64_t>>(kCount, ranks.rank());
    const reach::Send send{other, 6, std::as_bytes(std::span(*sent))};
    static_cast<void>(ranks.begin({&send, 1}, {}, sent));
  }
  ranks.barrier(probe.control());
  if (other < ranks.size()) {
    std::vector<std::int64_t> came(kCount);
    const reach::Receive receive{other, 6, std::as_writable_bytes(std::span(came))};
    ranks.begin({}, {&receive, 1})->end(probe.control());
    expect(std::ranges::count(came, other) == std::ssize(came), "what was given up comes as it was sent");
  }
  ranks.barrier(probe.control());  // the other has it, too
}

// The first ranks by themselves.
void checkParts(Probe& probe) {
  for (int count = 1; count <= probe.ranks().size(); ++count) {
    const auto part = probe.world.ranks().first(count, probe.control());
    expect((part != nullptr) == (probe.ranks().rank() < count), "the first ranks are in it");
    if (part == nullptr) continue;
    expect(part->size() == count && part->rank() == probe.ranks().rank(), "as many ranks as were asked for");
    const double own = part->rank() + 1.0;
    const std::vector<double> all = part->gather({&own, 1}, probe.control());
    expect(std::accumulate(all.begin(), all.end(), 0.0) == count * (count + 1) / 2.0, "they hear each other");
  }
}

}  // namespace sscope::test
