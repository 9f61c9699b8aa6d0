#pragma once
// The messages of a runner, collected from any thread.

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "core/live/news.h"

namespace sscope::test {

template <class News>
struct Told {
  std::mutex mutex;
  std::vector<News> all;

  void add(News news) {
    const std::lock_guard lock(mutex);
    all.push_back(std::move(news));
  }
  // For a runner; without progress unless it is wanted.
  auto listener(bool alsoProgress = true) {
    return [this, alsoProgress](News news) {
      if (alsoProgress || !isProgress(news)) add(std::move(news));
    };
  }
  template <class One>
  std::vector<One> of() {
    const std::lock_guard lock(mutex);
    std::vector<One> found;
    for (const News& news : all)
      if (const One* one = news.template as<One>()) found.push_back(*one);
    return found;
  }
  // The request of the last one.
  template <class One>
  std::uint64_t lastOf() {
    const std::lock_guard lock(mutex);
    for (auto news = all.rbegin(); news != all.rend(); ++news)
      if (news->template as<One>() != nullptr) return news->request;
    return 0;
  }
};

}  // namespace sscope::test
