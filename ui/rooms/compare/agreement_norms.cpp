#include "ui/rooms/compare/agreement_norms.h"

#include <QCoreApplication>
#include <cmath>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

struct NormText {
  Q_DECLARE_TR_FUNCTIONS(AgreementNorms)
};

constexpr int kNormDigits = 4;

NormRow worstRow(const compare::ElementAt& worst, bool components) {
  QString place = NormText::tr("voxel (%1, %2, %3)").arg(worst.voxel[0]).arg(worst.voxel[1]).arg(worst.voxel[2]);
  if (components) place += NormText::tr(", component %1").arg(worst.component + 1);
  return {NormText::tr("worst element"),
          NormText::tr("%1: %2 and %3").arg(place, numberText(worst.first, 9), numberText(worst.second, 9)),
          NormText::tr("The largest absolute difference, or the first element that is NaN or Inf on one side only")};
}

// Whether rounding explains the worst element.
NormRow judgedRow(const compare::ResultPair& pair) {
  NormRow row{
      NormText::tr("explained by rounding"),
      {},
      NormText::tr("Results are judged by what rounding can do on the scale of the terms of each element's sum; "
                   "of two contenders, each may be off by so much")};
  if (!pair.accepted) {
    row.value = NormText::tr("not known: %1").arg(toQt(pair.whyNoRange));
  } else if (!pair.agreement.worst) {
    row.value = NormText::tr("yes, all are equal");
  } else if (!pair.accepted->atWorst) {
    row.value = NormText::tr("the worst element cannot be judged");
  } else {
    const double distance = std::abs(pair.agreement.worst->first - pair.agreement.worst->second);
    const double accepted = *pair.accepted->atWorst;
    const bool yes = distance <= accepted;
    row.value =
        accepted > 0 && std::isfinite(distance)
            ? NormText::tr("%1: the worst is %2 of the accepted %3")
                  .arg(yes ? NormText::tr("yes") : NormText::tr("NO"),
                       distance / accepted >= 10 ? NormText::tr("%1 times").arg(numberText(distance / accepted, 3))
                                                 : NormText::tr("%1 %").arg(numberText(100 * distance / accepted, 3)),
                       numberText(accepted, 3))
            : NormText::tr("NO: they must be equal");
  }
  return row;
}

}  // namespace

std::vector<NormRow> normRows(const compare::ResultPair& pair) {
  const compare::Agreement& a = pair.agreement;
  std::vector<NormRow> rows;
  rows.push_back({NormText::tr("compared"), NormText::tr("%1 with %2").arg(toQt(pair.names[0]), toQt(pair.names[1]))});
  rows.push_back(judgedRow(pair));
  rows.push_back({NormText::tr("equal"),
                  NormText::tr("%1 of %2 elements").arg(formatCount(a.equal), formatCount(a.elements)),
                  NormText::tr("The same number, or NaN in both")});
  if (a.nonFinite > 0)
    rows.push_back({NormText::tr("NaN or Inf"), formatCount(a.nonFinite), NormText::tr("On one side only")});
  if (a.worst) rows.push_back(worstRow(*a.worst, pair.results[0]->shape().components > 1));
  rows.push_back({NormText::tr("largest difference"), numberText(a.maximum, kNormDigits)});
  rows.push_back({NormText::tr("largest, in units"), numberText(a.largestUlps, kNormDigits),
                  NormText::tr("Units of the last place of the larger of both numbers; many where terms cancel")});
  rows.push_back({NormText::tr("RMS difference"), numberText(a.rootMeanSquare, kNormDigits)});
  rows.push_back({NormText::tr("mean difference"), numberText(a.meanAbsolute, kNormDigits),
                  NormText::tr("Of the absolute differences")});
  rows.push_back({NormText::tr("relative, in L2"), numberText(a.relative, kNormDigits),
                  NormText::tr("The L2 norm of the difference over that of the second result")});
  return rows;
}

}  // namespace sscope
