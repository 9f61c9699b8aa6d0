// Events of worker threads on the window's thread.

#include <QCoreApplication>
#include <thread>
#include <variant>
#include <vector>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/event_bridge.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct Told {
  bool progress = false;
  int number = 0;
};

[[maybe_unused]] bool isProgress(const Told& told) { return told.progress; }

std::vector<int> numbersOf(const std::vector<Told>& received) {
  std::vector<int> numbers;
  for (const Told& told : received) numbers.push_back(told.number);
  return numbers;
}

}  // namespace

TEST_CASE("events of a worker arrive all, in order, on the thread of the bridge") {
  std::vector<int> received;
  bool here = true;
  EventBridge<Told> bridge([&, own = std::this_thread::get_id()](const Told& told) {
    received.push_back(told.number);
    here = here && std::this_thread::get_id() == own;
  });
  std::jthread([tell = bridge.entrance()] {
    for (int i = 0; i < 500; ++i) tell({false, i});
  }).join();
  CHECK(received.empty());
  REQUIRE_SOON(received.size() == 500);
  CHECK(std::is_sorted(received.begin(), received.end()));
  CHECK(here);
}

TEST_CASE("of progress that piles up the last is received, before what came behind it") {
  std::vector<Told> received;
  EventBridge<Told> bridge([&](const Told& told) { received.push_back(told); });
  const auto tell = bridge.entrance();
  for (int i = 0; i < 1000; ++i) tell({true, i});
  tell({false, 1000});
  for (int i = 1001; i < 2000; ++i) tell({true, i});
  tell({false, 2000});
  for (int i = 2001; i < 3000; ++i) tell({true, i});
  REQUIRE_SOON(received.size() >= 5);
  CHECK(numbersOf(received) == std::vector<int>{999, 1000, 1999, 2000, 2999});
}

TEST_CASE("events keep their place among other events of the loop") {
  std::vector<int> received;
  QObject other;
  EventBridge<Told> bridge([&](const Told& told) { received.push_back(told.number); });
  const auto tell = bridge.entrance();
  const auto call = [&](int number) {
    QMetaObject::invokeMethod(
        &other, [&received, number] { received.push_back(number); }, Qt::QueuedConnection);
  };
  tell({true, 0});
  call(1);
  tell({false, 2});
  call(3);
  tell({false, 4});
  REQUIRE_SOON(received.size() == 5);
  CHECK(received == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("an event loop within an event receives those behind it in order") {
  std::vector<int> received;
  EventBridge<Told> bridge([&](const Told& told) {
    if (told.number == 1) {
      REQUIRE_SOON(received.size() == 2);
    }
    received.push_back(told.number);
  });
  const auto tell = bridge.entrance();
  for (const int number : {1, 2, 3}) tell({false, number});
  REQUIRE_SOON(received.size() == 3);
  CHECK(received == std::vector<int>{2, 3, 1});
}

TEST_CASE("progress behind progress waits, and the last of it is not lost") {
  std::vector<Told> received;
  EventBridge<Told> bridge([&](const Told& told) { received.push_back(told); });
  const auto tell = bridge.entrance();
  tell({true, 0});
  REQUIRE_SOON(received.size() == 1);
  for (int i = 1; i <= 100; ++i) {
    tell({true, i});
    QCoreApplication::sendPostedEvents();  // no timer fires in it
  }
  CHECK(received.size() < 100);
  REQUIRE_SOON(received.back().number == 100);
}

TEST_CASE("nothing is received once the bridge is gone") {
  std::vector<int> received;
  std::function<void(Told)> tell;
  {
    EventBridge<Told> bridge([&](const Told& told) { received.push_back(told.number); });
    tell = bridge.entrance();
    tell({false, 1});  // still on its way
  }
  tell({false, 2});
  QCoreApplication::sendPostedEvents();
  QCoreApplication::processEvents();
  CHECK(received.empty());

  // One event ends the bridge: those behind it are dropped, too.
  std::unique_ptr<EventBridge<Told>> ending;
  ending = std::make_unique<EventBridge<Told>>([&](const Told& told) {
    received.push_back(told.number);
    if (told.number == 3) ending.reset();
  });
  tell = ending->entrance();
  for (const int number : {3, 4, 5}) tell({false, number});
  REQUIRE_SOON(!received.empty());
  QCoreApplication::processEvents();
  CHECK(received == std::vector<int>{3});
}
