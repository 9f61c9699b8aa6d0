#include "core/measure/judged_parts.h"

#include <algorithm>

#include "core/base/error.h"

namespace sscope {

namespace {

// Of one output of several parts.
bool open(const Verification::Output& output) { return output.compared == 0 && output.unjudged > 0; }

bool overflown(const Verification::Output& output) { return output.overflown > 0; }

}  // namespace

std::string saidOf(const Verification::Output& output, const std::string& words) {
  return (output.name.empty() ? "" : "of " + output.name + ", ") + words;
}

std::string whyUndecided(const Verification& found) {
  if (const auto one = std::ranges::find_if(found.outputs, overflown); one != found.outputs.end())
    return saidOf(*one, std::to_string(one->overflown) + (one->overflown == 1 ? " element is" : " elements are") +
                            " infinite or NaN, because sums of numbers as large as these leave the range of the type");
  if (const auto one = std::ranges::find_if(found.outputs, open); one != found.outputs.end())
    return saidOf(*one, "rounding decides every element, so that none can be judged");
  return {};
}

Verdict verdictOf(const Verification& found) {
  if (found.verified) return Verdict::Verified;
  if (found.undecided) return Verdict::Undecided;
  return found.failure.empty() ? Verdict::NotCompared : Verdict::Wrong;
}

Verification joined(const Verification& a, const Verification& b) {
  if (verdictOf(a) == Verdict::NotCompared) return b;
  if (verdictOf(b) == Verdict::NotCompared) return a;
  Verification both = a;
  both.relativeL2 = std::max(a.relativeL2, b.relativeL2);
  both.maximumUlp = std::max(a.maximumUlp, b.maximumUlp);
  both.largestShare = std::max(a.largestShare, b.largestShare);
  both.compared += b.compared;
  both.unjudged += b.unjudged;
  both.wrong += b.wrong;
  both.nonFinite += b.nonFinite;
  both.off += b.off;
  both.ties += b.ties;
  both.meaningless += b.meaningless;
  both.stoodOut += b.stoodOut;
  both.full = a.full && b.full;
  both.outputs.resize(std::max(a.outputs.size(), b.outputs.size()));
  for (std::size_t i = 0; i < b.outputs.size(); ++i) {
    both.outputs[i].compared += b.outputs[i].compared;
    both.outputs[i].unjudged += b.outputs[i].unjudged;
    both.outputs[i].overflown += b.outputs[i].overflown;
    if (both.outputs[i].name.empty()) both.outputs[i].name = b.outputs[i].name;
  }
  const Verification* const wrong = verdictOf(a) == Verdict::Wrong ? &a : verdictOf(b) == Verdict::Wrong ? &b : nullptr;
  both.failure = wrong != nullptr ? wrong->failure : whyUndecided(both);
  both.verified = both.failure.empty();
  both.undecided = wrong == nullptr && !both.verified;
  if (a.coverage == coverageOf({}, a)) both.coverage = coverageOf({}, both);  // else in other words
  return both;
}

std::string coverageOf(const std::string& part, const Verification& found) {
  std::string text = part.empty() && found.full ? "full volume" : part;
  const std::string all = " of the " + std::to_string(found.compared) + " ";
  if (!found.full)
    text += (part.empty() ? "" : ", ") + ("edges, corners, patches of all faces, 64 blocks and " +
                                          std::to_string(found.stoodOut) + " voxels that stand out");
  if (found.meaningless > 0)
    text += ", where " +
            (found.meaningless == found.compared ? "none" + all + "values is"
                                                 : std::to_string(found.meaningless) + all + "values are not") +
            " finite";
  if (found.ties > 0)
    text +=
        ", where " + std::to_string(found.ties) + all + "integers lie on ties that double precision decides either way";
  if (found.unjudged > 0)
    text += "; " + std::to_string(found.unjudged) + " more cannot be judged, because rounding decides them";
  return text;
}

void JudgedParts::add(const Verification& part) {
  sum_ = joined(sum_.value_or(Verification{}), part);
  ++compared_;
}

std::optional<Verification> JudgedParts::of(std::size_t parts, const std::string& called) const {
  std::optional<Verification> all = sum_;
  if (all)
    all->coverage = coverageOf(std::to_string(compared_) + " of " + std::to_string(parts) + " " + called, *all);
  return all;
}

std::string judgmentText(const std::string& what, const Verification& found) {
  return what + (found.undecided ? " cannot be compared: " : " is wrong: ") + found.failure;
}

void requireVerified(const Verification& found, const std::string& engine) {
  if (found.verified) return;
  const std::string text = judgmentText("the result of " + engine, found);
  if (found.undecided && std::ranges::any_of(found.outputs, overflown))
    throw Error(ErrorKind::BadData, text,
                "choose the output type f64, or scale the data down, or leave --verify out; nothing was written");
  if (found.undecided)
    throw Error(ErrorKind::Usage, text, "leave --verify out to write it all the same; nothing was written");
  throw Error(ErrorKind::Device, text, "choose another engine and report this to its vendor; nothing was written");
}

}  // namespace sscope
