#pragma once
// What a worker tells while it fulfills a wish.

#include <cstdint>
#include <string>
#include <variant>

namespace sscope {

// Of the work under way. The next one replaces it: nobody has to see each.
struct ProgressNews {
  double fraction = 0;
  std::string message;
};
struct FailedNews {
  std::string message;
};
struct CanceledNews {};  // on demand; superseded work ends silently
struct IdleNews {};      // nothing more to do

// News of one wish; `Own` are those that one runner has beside the common ones.
template <class... Own>
struct News {
  std::uint64_t request = 0;  // number given by submit()
  std::variant<Own..., ProgressNews, FailedNews, CanceledNews> what;

  template <class One>
  [[nodiscard]] const One* as() const {
    return std::get_if<One>(&what);
  }
};

template <class... Own>
[[nodiscard]] bool isProgress(const News<Own...>& news) {
  return news.template as<ProgressNews>() != nullptr;
}

// One function of several, for std::visit.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace sscope
