#include "app/mpi/world.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "app/mpi/calls.h"
#include "app/mpi/cores.h"
#include "core/base/error.h"

namespace sscope::mpi {

namespace {

using Clock = std::chrono::steady_clock;

// How long the others have in the end, to stop what they do after a failure and to leave MPI.
constexpr std::chrono::seconds kToEnd(10);
// Ranks that find the same error do so at about the same time; who waits this long can tell it as one.
constexpr std::chrono::milliseconds kTogether(150);
// What is wrong with the command line all ranks find, on a busy machine later than others.
constexpr std::chrono::milliseconds kUsageTogether(2000);

// SSCOPE_MPI_PATIENCE: seconds without a sign of life until a rank counts as lost; 0 for debuggers.
Watch::Seconds patience() {
  constexpr double kDefault = 10;
  const char* text = std::getenv("SSCOPE_MPI_PATIENCE");
  char* end = nullptr;
  const double seconds = text == nullptr ? kDefault : std::strtod(text, &end);
  return Watch::Seconds(end == text || !(seconds >= 0) ? kDefault : seconds);
}

std::vector<std::string> hostsOf(MPI_Comm comm) {
  constexpr int kRoom = MPI_MAX_PROCESSOR_NAME;
  int size = 1, length = 0;
  std::array<char, kRoom> own{};
  call("count the ranks", [&] { return MPI_Comm_size(comm, &size); });
  call("find this machine's name", [&] { return MPI_Get_processor_name(own.data(), &length); });
  std::vector<char> all(static_cast<std::size_t>(size) * kRoom);
  call("find the machines' names",
       [&] { return MPI_Allgather(own.data(), kRoom, MPI_CHAR, all.data(), kRoom, MPI_CHAR, comm); });
  std::vector<std::string> hosts;
  for (std::size_t r = 0; r < static_cast<std::size_t>(size); ++r) hosts.emplace_back(all.data() + r * kRoom);
  return hosts;
}

int statusOf(ErrorKind kind) { return kind == ErrorKind::Usage ? 2 : 1; }

}  // namespace

World::World(int& argc, char**& argv) {
  int threads = MPI_THREAD_SINGLE;
  require(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads), "start");
  if (threads < MPI_THREAD_SERIALIZED)
    throw Error(ErrorKind::Unsupported, "this MPI lets no second thread send messages", "use one built with threads");
  require(MPI_Comm_dup(MPI_COMM_WORLD, &control_), "make a communicator");
  require(MPI_Comm_set_errhandler(control_, MPI_ERRORS_RETURN), "set its errors");
  ranks_ = std::make_unique<MpiRanks>(MPI_COMM_WORLD, outcome_);
  hosts_ = hostsOf(control_);
  cores_ = coresShare(control_);
  watch_ = std::make_unique<Watch>(control_, outcome_, patience(), hosts_);
}

World::~World() = default;

World::Wait World::await(MPI_Request& request, const std::function<void()>& whileWaiting) {
  Pause pause;
  std::optional<Clock::time_point> failed;
  while (!ended(request)) {
    if (const auto failure = outcome_.failure()) {
      if (failure->lost) return Wait::Lost;
      if (!failed) failed = Clock::now();
      if (Clock::now() - *failed > kToEnd) return Wait::Stuck;
    }
    if (whileWaiting) whileWaiting();
    pause();
  }
  return Wait::Over;
}

// The sentence is told by one that is sure to be there: not by one that is lost, or was ended by a signal.
Ending World::without(Wait wait, int status, const std::string& ownSentence) const {
  const Failure failure = *outcome_.failure();
  const bool gone = wait == Wait::Lost || failure.kind == ErrorKind::Canceled;
  const int teller = failure.rank == 0 ? 1 : 0;
  const bool tells = gone ? ranks_->rank() == teller : !ownSentence.empty();
  return {std::max(statusOf(failure.kind), status), !tells ? "" : gone ? failure.sentence : ownSentence, tells};
}

// It may have come because another rank has failed, who is just being heard.
Ending World::concludeSignaled() {
  constexpr std::chrono::milliseconds kToHear(30);
  std::this_thread::sleep_for(kToHear);
  const std::optional<Failure> known = outcome_.failure();
  const Failure mine{ranks_->rank(), false, ErrorKind::Canceled, Canceled().what()};
  if (!known) watch_->tell(mine);
  const bool tells = ranks_->rank() == 0 && !(known && known->lost);
  return {1, tells ? known.value_or(mine).sentence : "", false};
}

Ending World::conclude(const std::exception_ptr& own, int status, bool signaled) {
  const int rank = ranks_->rank(), size = ranks_->size();
  if (signaled) return concludeSignaled();
  const bool told = outcome_.failure().has_value();  // then it is why this rank stopped
  const reach::RankError error = reach::errorOf(told ? nullptr : own).value_or(reach::RankError{});
  const Failure mine{rank, false, error.kind, error.sentence};
  const bool failed = own && !told;

  // MPI may still write here when a wait was ended early; the process ends soon after.
  struct Memory {
    std::array<int, 2> given{}, all{};
    std::string text;
    int same = 0, allSame = 0;
  };
  static Memory memory;
  std::array<int, 2>&given = memory.given, &all = memory.all;
  std::string& text = memory.text;
  int &same = memory.same, &allSame = memory.allSame;
  // The first rank with an error, and the largest status of those without.
  given = {failed ? rank : size, own ? 0 : -status};
  MPI_Request request = MPI_REQUEST_NULL;
  call("end the job", [&] {
    return MPI_Iallreduce(given.data(), all.data(), static_cast<int>(all.size()), MPI_INT, MPI_MIN, control_, &request);
  });
  const auto begun = Clock::now();
  const Wait first = await(request, [&] {
    const auto together = mine.kind == ErrorKind::Usage ? kUsageTogether : kTogether;
    if (!failed || outcome_.failure() || Clock::now() - begun < together) return;
    outcome_.fail(mine);
    watch_->tell(mine);
  });
  if (first != Wait::Over) return without(first, status, failed ? mine.sentence : "");
  if (all[0] == size) return {-all[1], {}, false};

  // What it says, and whether all say the same.
  if (failed) outcome_.fail(mine);
  constexpr std::size_t kRoom = 4096;
  text = failed ? packed(error) : std::string();
  text.resize(kRoom, '\0');
  const std::string ownText = text;
  call("end the job", [&] { return MPI_Ibcast(text.data(), kRoom, MPI_BYTE, all[0], control_, &request); });
  if (const Wait wait = await(request); wait != Wait::Over) return without(wait, status, failed ? mine.sentence : "");
  same = text == ownText ? 1 : 0;
  call("end the job", [&] { return MPI_Iallreduce(&same, &allSame, 1, MPI_INT, MPI_MIN, control_, &request); });
  if (const Wait wait = await(request); wait != Wait::Over) return without(wait, status, failed ? mine.sentence : "");
  text.resize(std::strlen(text.c_str()));
  auto [kind, sentence] = unpacked(text);
  if (allSame == 0 && kind != ErrorKind::Canceled)
    sentence += " (rank " + std::to_string(all[0]) + " of " + std::to_string(size) + ", on " +
                hosts_[static_cast<std::size_t>(all[0])] + ")";
  return {statusOf(kind), rank == 0 ? sentence : "", false};
}

void World::awaitTold() {
  constexpr std::chrono::seconds kToTell(2);
  try {
    MPI_Request request = MPI_REQUEST_NULL;
    call("end the job", [&] { return MPI_Ibarrier(control_, &request); });
    const auto begun = Clock::now();
    Pause pause;
    while (!ended(request) && Clock::now() - begun < kToTell) pause();
  } catch (const Error&) {
    // Somebody is gone; what was to be told is told.
  }
}

void World::finish() {
  watch_.reset();
  ranks_.reset();
  // A rank that is killed now would let the others wait in there.
  std::thread([] {
    std::this_thread::sleep_for(kToEnd);
    _exit(0);
  }).detach();
  const std::lock_guard lock(turn());
  MPI_Finalize();
}

void World::end(const Ending& ending) {
  std::fflush(stdout);
  std::fflush(stderr);
  if (ending.alone) {
    std::thread([status = ending.status] {
      std::this_thread::sleep_for(kToEnd);
      _exit(status);
    }).detach();
    // Time for the others to remove what they have begun to write.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const std::lock_guard lock(turn());
    MPI_Abort(MPI_COMM_WORLD, ending.status);
  }
  _exit(ending.status);
}

}  // namespace sscope::mpi
