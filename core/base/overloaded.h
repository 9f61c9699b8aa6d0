#pragma once
// Several functions as one set of overloads, for std::visit.

namespace sscope {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace sscope
