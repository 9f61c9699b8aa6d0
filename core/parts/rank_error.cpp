#include "core/parts/rank_error.h"

#include <new>

#include "core/base/words.h"

namespace sscope::reach {

std::optional<RankError> errorOf(const std::exception_ptr& thrown) {
  if (!thrown) return std::nullopt;
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return RankError{error.kind(), error.what()};
  } catch (const std::bad_alloc& error) {
    return RankError{ErrorKind::Memory, wordsOf(error)};
  } catch (const std::exception& error) {
    return RankError{ErrorKind::Device, wordsOf(error)};
  }
}

void raise(const RankError& error) {
  if (error.kind == ErrorKind::Canceled) throw Canceled();
  throw Error(error.kind, error.sentence);
}

}  // namespace sscope::reach
