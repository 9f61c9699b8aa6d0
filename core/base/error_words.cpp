#include "core/base/error_words.h"

#include <new>

namespace sscope {

std::string wordsOf(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "the memory does not suffice; use smaller data or fewer filters, or close other programs";
  return error.what();
}

}  // namespace sscope
