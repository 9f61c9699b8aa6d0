// sscope-reader of a build without ITK: our own decoders.

#include "core/io/reader/decode_input.h"

namespace sscope::io {

void continueElsewhere(const Request& /*request*/, const Input& /*input*/) {}

LocatedVolume locateInput(const Input& input, const Control& control) { return locate(input, control); }

}  // namespace sscope::io
