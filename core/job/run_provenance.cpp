#include "core/job/run_provenance.h"

namespace sscope {

void learnRun(GrowingProvenance& made, const RunReport& report, const std::optional<Verification>& verification,
              const std::string& fingerprint) {
  made.learn([&](Provenance& record) {
    record.variant = report.variant;
    if (verification && verification->verified)
      record.verified =
          Provenance::Verified{verification->relativeL2, verification->maximumUlp, verification->compared};
    if (record.data) record.data->fingerprint = fingerprint;
  });
}

}  // namespace sscope
