#include "app/mpi/watch.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/mpi/calls.h"
#include "app/mpi/mpi_ranks.h"
#include "core/base/words.h"

namespace sscope::mpi {

namespace {

constexpr int kBeat = 1, kFailed = 2, kLost = 3;  // tags; kLost: the sentence is about another rank than the sender
constexpr std::chrono::milliseconds kPoll(10);
constexpr Watch::Seconds kBeatEvery(0.2);
// A longer one is no silence of the other rank: this one was stopped itself, perhaps all were.
constexpr Watch::Seconds kLongestPoll(0.05);
// Short enough for every MPI to take them at once.
constexpr std::size_t kLongestSentence = 2000;

}  // namespace

Watch::Watch(MPI_Comm comm, Outcome& outcome, Seconds patience, std::vector<std::string> hosts)
    : comm_(comm), outcome_(outcome), patience_(patience), hosts_(std::move(hosts)) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  if (size_ > 1) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Watch::~Watch() = default;

void Watch::run(const std::stop_token& stop) {
  auto last = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(kPoll);
    const auto now = std::chrono::steady_clock::now();
    const Seconds passed = std::min<Seconds>(now - std::exchange(last, now), kLongestPoll);
    try {
      sinceBeat_ += passed;
      if (sinceBeat_ >= kBeatEvery) beat();
      hear();
      countSilence(passed);
    } catch (const Error& error) {
      outcome_.fail({rank_, false, error.kind(), error.what()});
      return;
    }
  }
}

void Watch::beat() {
  sinceBeat_ = Seconds(0);
  MPI_Request request = MPI_REQUEST_NULL;
  call("send a sign of life",
       [&] { return MPI_Isend(nullptr, 0, MPI_BYTE, (rank_ + 1) % size_, kBeat, comm_, &request); });
  if (!ended(request)) call("send a sign of life", [&] { return MPI_Request_free(&request); });
}

void Watch::hear() {
  for (;;) {
    int there = 0, bytes = 0;
    MPI_Status status{};
    call("listen", [&] { return MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &there, &status); });
    if (there == 0) return;
    call("listen", [&] { return MPI_Get_count(&status, MPI_BYTE, &bytes); });
    std::string text(static_cast<std::size_t>(bytes), ' ');
    // It has come: this does not wait.
    call("listen", [&] {
      return MPI_Recv(text.data(), bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm_, MPI_STATUS_IGNORE);
    });
    if (status.MPI_TAG == kBeat) {
      silence_ = Seconds(0);
    } else {
      auto [kind, sentence] = unpacked(text);
      const bool lost = status.MPI_TAG == kLost;
      outcome_.fail({lost ? (status.MPI_SOURCE + size_ - 1) % size_ : status.MPI_SOURCE, lost, kind, sentence});
    }
  }
}

void Watch::countSilence(Seconds passed) {
  silence_ += passed;
  if (patience_ <= Seconds(0) || silence_ < patience_ || outcome_.failure()) return;
  const int lost = (rank_ + size_ - 1) % size_;
  const auto seconds = std::to_string(static_cast<int>(patience_.count() + 0.5));
  const Failure failure{lost, true, ErrorKind::Io,
                        "rank " + std::to_string(lost) + " of " + std::to_string(size_) + " on " +
                            hosts_[static_cast<std::size_t>(lost)] + " has not answered for " + seconds +
                            " s; look what became of it there, and start the job again"};
  tell(failure);
  outcome_.fail(failure);
}

void Watch::tell(const Failure& failure) {
  Told* told = nullptr;
  {
    const std::lock_guard lock(telling_);
    told = &told_.emplace_back(Told{packed({failure.kind, shortened(failure.sentence, kLongestSentence)}), {}});
  }
  const std::string& text = told->text;
  std::vector<MPI_Request>& requests = told->requests;
  for (int rank = 0; rank < size_; ++rank) {
    if (rank == rank_) continue;  // one that is lost may be back in time to hear it
    call("report a failure", [&] {
      return MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_BYTE, rank, failure.lost ? kLost : kFailed,
                       comm_, &requests.emplace_back(MPI_REQUEST_NULL));
    });
  }
  constexpr std::chrono::milliseconds kWait(100);
  const auto last = std::chrono::steady_clock::now() + kWait;
  Pause pause;
  while (std::chrono::steady_clock::now() < last &&
         !std::all_of(requests.begin(), requests.end(), [](MPI_Request& request) { return ended(request); }))
    pause();
}

}  // namespace sscope::mpi
