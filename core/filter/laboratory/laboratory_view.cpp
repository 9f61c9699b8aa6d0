#include "core/filter/laboratory/laboratory_view.h"

namespace sscope {

const SettingsTable& LaboratoryView::table() {
  using S = LaboratoryView;
  static const SettingsTable made =
      SettingsOf<S>("laboratory", "laboratory", "filter", "Filter")
          .truth("shown", "laboratory", &S::shown)
          .choice("page", "page of the laboratory", &S::page,
                  {"impulse", "spectrum", "curves", "coverage", "correlation"})
          .titles({{"impulse", "Impulse", "The filter's response to a single 1, and its properties"},
                   {"spectrum", "Spectrum", "The amplification and shift of waves, as pictures"},
                   {"curves", "Curves", "The spectrum along the axes"},
                   {"coverage", "Coverage",
                    "The frequencies that the filters of the bank cover together, and frame bounds"},
                   {"correlation", "Correlation", "The correlation between the filters of the bank"}})
          .choice("from", "beginning of the filter", &S::from, {"row", "source"})
          .titles(
              {{"row", "row alone", "The filter by itself, without the rows that it reads"},
               {"source", "from the source", "From the data to the filter's result, through the rows that it reads"}})
          .shown("", "The filter alone or from the source")
          .choice("unit", "unit of frequencies", &S::unit, {"voxel", "length"})
          .titles({{"voxel", "per voxel", "Cycles per voxel: 0.5 is the highest frequency of the grid"},
                   {"length", "per length", "Cycles per unit of length of the data"}})
          .shown("", "Unit of frequencies")
          .whole("across", "axis of the planes", &S::across, 0, 2)
          .titles({{"0", "across x", "Planes of y and z"},
                   {"1", "across y", "Planes of x and z"},
                   {"2", "across z", "Planes of x and y"}})
          .shown("", "The axis that planes lie across")
          .real("frequency", "frequency of the plane", &S::frequency, -0.5, 0.5)
          .slider(-0.5, 0.5, 1.0 / 64)
          .step(1.0 / 64)
          .shown("f", "Frequency of the plane")
          .help("The position of the plane along the axis, in cycles per voxel")
          .whole("offset", "offset of the plane", &S::offset, -1024, 1024)
          .slider(-16, 16, 1)
          .step(1)
          .shown("at", "Offset of the plane")
          .help("The position of the plane along the axis, in voxels from the impulse")
          .table();
  return made;
}

}  // namespace sscope
