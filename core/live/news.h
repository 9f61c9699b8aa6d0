#pragma once
// Messages from a worker while it fulfills a wish.

#include <cstdint>
#include <string>
#include <variant>

namespace sscope {

// Progress of the current work. A newer one may replace it before it is seen.
struct ProgressNews {
  double fraction = 0;
  std::string message;
};
struct FailedNews {
  std::string message;
};
struct CanceledNews {};  // after cancel(); superseded work ends silently
struct IdleNews {};      // the queue is empty

// News about one wish; `Own` are the runner's own types, in addition to the common ones.
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

}  // namespace sscope
