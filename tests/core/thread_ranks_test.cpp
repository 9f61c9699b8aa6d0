#include <atomic>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/parts/thread_ranks.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::reach;

namespace {

std::span<const std::byte> bytesOf(const std::vector<double>& values) { return std::as_bytes(std::span(values)); }
std::span<std::byte> bytesOf(std::vector<double>& values) { return std::as_writable_bytes(std::span(values)); }

// What run() throws; nothing: "".
std::string failureOf(ThreadRanks& ranks, const ThreadRanks::Body& body, const Control& control = {}) {
  try {
    ranks.run(control, body);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

// Waits for a message that never comes.
void waitForRank(Communicator& communicator, int rank, const Control& control) {
  std::vector<double> never(1);
  const std::vector<Receive> receives{{rank, 9, bytesOf(never)}};
  communicator.begin({}, receives)->end(control);
}

}  // namespace

TEST_CASE("ranks as threads exchange faces with their neighbors on a ring") {
  for (const int size : {1, 2, 3, 5}) {
    ThreadRanks ranks(size);
    std::vector<int> right(static_cast<std::size_t>(size), 0);
    for (int round = 0; round < 20; ++round)
      ranks.run({}, [&](Communicator& c, const Control& control) {
        const int ahead = (c.rank() + 1) % size, behind = (c.rank() + size - 1) % size;
        const std::vector<double> up(1000, c.rank() + 0.25), down(10, c.rank() + 0.5);
        std::vector<double> fromBehind(1000), fromAhead(10);
        const std::vector<Send> sends{{ahead, 0, bytesOf(up)}, {behind, 1, bytesOf(down)}};
        const std::vector<Receive> receives{{behind, 0, bytesOf(fromBehind)}, {ahead, 1, bytesOf(fromAhead)}};
        const auto exchange = c.begin(sends, receives);
        exchange->end(control);
        if (c.size() == size && c.localRank() == c.rank() && fromBehind == std::vector<double>(1000, behind + 0.25) &&
            fromAhead == std::vector<double>(10, ahead + 0.5))
          ++right[static_cast<std::size_t>(c.rank())];
      });
    CHECK(right == std::vector<int>(static_cast<std::size_t>(size), 20));
  }
}

TEST_CASE("exchanges of other tags end in any order, and messages of one tag arrive in theirs") {
  ThreadRanks ranks(2);
  std::vector<std::vector<double>> got(2);
  ranks.run({}, [&](Communicator& c, const Control& control) {
    const int other = 1 - c.rank();
    const std::vector<double> values{1, 2, 3};
    std::vector<double> first(1), second(1), third(1);
    const auto exchange = [&](int tag, std::size_t at, std::vector<double>& to) {
      const std::vector<Send> sends{{other, tag, std::as_bytes(std::span(values).subspan(at, 1))}};
      const std::vector<Receive> receives{{other, tag, bytesOf(to)}};
      return c.begin(sends, receives);
    };
    const auto a = exchange(7, 0, first), b = exchange(7, 1, second), other7 = exchange(8, 2, third);
    if (c.rank() == 0) {
      other7->end(control);
      b->end(control);
      a->end(control);
    } else {
      a->end(control);
      b->end(control);
      other7->end(control);
    }
    got[static_cast<std::size_t>(c.rank())] = {first[0], second[0], third[0]};
  });
  CHECK(got[0] == std::vector<double>{1, 2, 3});
  CHECK(got[1] == std::vector<double>{1, 2, 3});
}

TEST_CASE("ranks as threads gather in the order of the ranks, and all have what one has") {
  ThreadRanks ranks(3);
  std::vector<std::vector<double>> gathered(3), told(3);
  ranks.run({}, [&](Communicator& c, const Control& control) {
    const auto own = static_cast<std::size_t>(c.rank());
    // Rank 1 gives nothing.
    std::vector<double> values(own == 1 ? 0 : own + 1, static_cast<double>(own));
    for (int round = 0; round < 100; ++round) gathered[own] = c.gather(values, control);
    told[own] = own == 2 ? std::vector<double>{4, 5} : std::vector<double>{0, 0};
    c.barrier(control);
    c.broadcast(bytesOf(told[own]), 2, control);
    c.agree(nullptr, control);
  });
  for (const auto& all : gathered) CHECK(all == std::vector<double>{0, 2, 2, 2});
  for (const auto& all : told) CHECK(all == std::vector<double>{4, 5});
}

TEST_CASE("ranks agree on the error of the first that has one") {
  ThreadRanks ranks(4);
  std::vector<std::string> thrown(4);
  std::vector<ErrorKind> kinds(4);
  ranks.run({}, [&](Communicator& c, const Control& control) {
    std::exception_ptr own;
    if (c.rank() == 1) own = std::make_exception_ptr(Error(ErrorKind::BadData, "the links are torn", "mend them"));
    if (c.rank() == 3) own = std::make_exception_ptr(std::runtime_error("the fourth fails, too"));
    try {
      c.agree(own, control);
    } catch (const Error& error) {
      thrown[static_cast<std::size_t>(c.rank())] = error.what();
      kinds[static_cast<std::size_t>(c.rank())] = error.kind();
    }
  });
  CHECK(thrown == std::vector<std::string>(4, "the links are torn; mend them"));
  CHECK(kinds == std::vector<ErrorKind>(4, ErrorKind::BadData));
}

TEST_CASE("a rank that fails ends the waits of all others, and the next run starts afresh") {
  ThreadRanks ranks(3);
  const Error torn(ErrorKind::Device, "the device is gone", "plug it in");
  for (int failing = 0; failing < 3; ++failing)
    for (const int waiting : {0, 1, 2, 3}) {
      const std::string failure = failureOf(ranks, [&](Communicator& c, const Control& control) {
        if (c.rank() == failing) throw Error(torn);
        switch (waiting) {
          case 0: return waitForRank(c, failing, control);
          case 1: return c.barrier(control);
          case 2: static_cast<void>(c.gather({}, control)); return;
          default:
            // Work that looks at its control ends, too.
            while (!control.stopRequested()) std::this_thread::yield();
            control.check();
        }
      });
      CHECK(failure == torn.what());
      CHECK(failureOf(ranks, [](Communicator& c, const Control& control) { c.barrier(control); }).empty());
    }
}

TEST_CASE("a rank that is gone is noticed by those who wait for it") {
  ThreadRanks ranks(3);
  const auto lonely = [&](const ThreadRanks::Body& wait) {
    return failureOf(ranks, [&](Communicator& c, const Control& control) {
      if (c.rank() != 1) wait(c, control);
    });
  };
  const std::string sentence = "rank 1 has ended while another one waits for it";
  CHECK(lonely([](Communicator& c, const Control& control) { waitForRank(c, 1, control); }) == sentence);
  CHECK(lonely([](Communicator& c, const Control& control) { c.barrier(control); }) == sentence);
}

TEST_CASE("a stop ends all ranks wherever they wait") {
  ThreadRanks ranks(3);
  for (const bool messages : {false, true}) {
    std::stop_source stop;
    std::atomic<int> waiting = 0;
    const std::jthread stopper([&] {
      while (waiting < 2) std::this_thread::yield();
      stop.request_stop();
    });
    CHECK_THROWS_AS(ranks.run({stop.get_token(), {}},
                              [&](Communicator& c, const Control& control) {
                                if (c.rank() == 2) {
                                  while (!control.stopRequested()) std::this_thread::yield();
                                  control.check();
                                }
                                ++waiting;
                                if (messages) return waitForRank(c, 2, control);
                                c.barrier(control);
                              }),
                    Canceled);
  }
}

TEST_CASE("ranks that do not do the same are told, and do not hang") {
  ThreadRanks ranks(2);
  CHECK_THAT(failureOf(ranks,
                       [](Communicator& c, const Control& control) {
                         if (c.rank() == 0) return c.barrier(control);
                         static_cast<void>(c.gather({}, control));
                       }),
             ContainsSubstring("ranks meet in"));
  CHECK_THAT(failureOf(ranks,
                       [](Communicator& c, const Control& control) {
                         const std::vector<double> sent(c.rank() == 0 ? 2 : 3);
                         std::vector<double> received(sent.size());
                         const std::vector<Send> sends{{1 - c.rank(), 0, bytesOf(sent)}};
                         const std::vector<Receive> receives{{1 - c.rank(), 0, bytesOf(received)}};
                         c.begin(sends, receives)->end(control);
                       }),
             ContainsSubstring("another size"));
  CHECK_THROWS_AS(ThreadRanks(0), std::logic_error);
}

TEST_CASE("rank 0 runs on the caller's thread and tells progress") {
  ThreadRanks ranks(2);
  std::vector<double> told;
  const auto caller = std::this_thread::get_id();
  bool same = false;
  ranks.run({{}, [&](double share, std::string_view) { told.push_back(share); }},
            [&](Communicator& c, const Control& control) {
              if (c.rank() == 0) same = std::this_thread::get_id() == caller;
              control.report(0.5, "half");
            });
  CHECK(same);
  CHECK(told == std::vector<double>{0.5});
}
