#include "core/io/reader/other_requests.h"

#ifndef SSCOPE_WITHOUT_LATTICE
#include "core/io/lattice/links_protocol.h"
#endif

namespace sscope::io {

ReplyToRequest otherRequest([[maybe_unused]] std::string_view kind) {
#ifndef SSCOPE_WITHOUT_LATTICE
  if (kind == kLinksRequest) return replyOfLinks;
#endif
  return nullptr;
}

}  // namespace sscope::io
