#include "core/io/tiff/tiff_series.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/base/words.h"
#include "core/io/base/file_error.h"
#include "core/io/tiff/imagej_kept.h"
#include "core/io/tiff/ome.h"
#include "core/io/tiff/tiff_tags.h"

namespace sscope::io {

namespace {

// A plane of a page that holds several.
struct Place {
  const TiffPage* page = nullptr;
  std::int64_t within = 0;
};
using Places = std::vector<Place>;

TiffResolution resolutionOf(TIFF* file) {
  TiffResolution result;
  const auto number = [&](ttag_t tag) {
    float value = 0;
    return TIFFGetField(file, tag, &value) == 1 && value > 0 ? static_cast<double>(value) : 0.0;
  };
  std::uint16_t unit = RESUNIT_NONE;
  // Without the tag the resolution means nothing.
  if (TIFFGetField(file, TIFFTAG_RESOLUTIONUNIT, &unit) != 1) unit = RESUNIT_NONE;
  result.x = number(TIFFTAG_XRESOLUTION);
  result.y = number(TIFFTAG_YRESOLUTION);
  result.unit = unit;
  return result;
}

std::string textOf(TIFF* file) {
  char* text = nullptr;
  return TIFFGetField(file, TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text != nullptr ? text : "";
}

class Builder {
 public:
  Builder(TIFF* file, const std::string& path) : path_(path), tags_(path) {
    resolution_ = resolutionOf(file);
    do {
      const std::string text = textOf(file);
      if (pages_.empty() || (text.starts_with('{') && text.find("\"shape\"") != std::string::npos) ||
          text.starts_with("shape=("))
        descriptions_.emplace(pages_.size(), tiffText(text));
      pages_.push_back(pageOf(file));
    } while (TIFFReadDirectory(file) == 1);
  }

  std::vector<TiffSeries> run() {
    const TiffPage& first = pages_.front();
    if (first.width < 1 || first.height < 1 || first.samples < 1) throw damaged(path_, "its first page has no pixels");
    if (const auto ome = parseOme(descriptions_.at(0))) omeSeries(*ome);
    if (series_.empty()) microscope();
    if (series_.empty()) shaped();
    if (series_.empty()) byKind();
    return std::move(series_);
  }

 private:
  static Places placesOf(const std::vector<const TiffPage*>& pages) {
    Places places;
    for (const TiffPage* page : pages)
      for (std::int64_t k = 0; k < page->depth; ++k) places.push_back({page, k});
    return places;
  }

  [[nodiscard]] std::int64_t numberOf(const TiffPage& page) const { return &page - pages_.data(); }

  // `index`: the place of each among the planes of the order.
  TiffSeries make(const TiffOrder& order, const std::map<std::int64_t, Place>& planes) const {
    TiffSeries series;
    series.page = *planes.begin()->second.page;
    series.channels = order.extent('C');
    series.slices = order.extent('Z');
    series.frames = order.extent('T');
    for (const auto& [index, place] : planes)
      series.planes.push_back(
          {place.page->directory, place.within, numberOf(*place.page), order.slice(index), order.component(index)});
    std::sort(series.planes.begin(), series.planes.end(), [](const TiffPlane& a, const TiffPlane& b) {
      return std::pair(a.slice, a.component) < std::pair(b.slice, b.component);
    });
    series.behindEachOther = series.page.depth > 1 && !series.page.tiled;
    return series;
  }

  static std::map<std::int64_t, Place> inOrder(const Places& places) {
    std::map<std::int64_t, Place> planes;
    for (std::size_t p = 0; p < places.size(); ++p) planes.emplace_hint(planes.end(), p, places[p]);
    return planes;
  }

  // Planes of the first page and behind it, of which libtiff knows one.
  TiffSeries makeBehind(const TiffOrder& order) {
    const TiffPage& first = pages_.front();
    if (!first.plain())
      throw cannotRead(ErrorKind::Unsupported, path_,
                       "its planes lie behind its only page, whose pixels are not stored as they are used",
                       "save it uncompressed from the program that wrote it");
    Places places;
    for (std::int64_t k = 0; k < order.pages(); ++k) places.push_back({&first, k});
    TiffSeries series = make(order, inOrder(places));
    series.behindEachOther = true;
    return series;
  }

  void take(TiffSeries series, TiffCalibration calibration) {
    // Microscopes' palettes are the colors in which values are shown.
    if (series.page.palette() && !plainPalettes_) {
      series.page.photometric = PHOTOMETRIC_MINISBLACK;
      calibration.notices.emplace_back("the colors in which it shows its values (a lookup table) are left out");
    }
    if (series.page.samples > 1) calibration.scale = {};
    series.calibration = std::move(calibration);
    series_.push_back(std::move(series));
  }

  // ---- Zeiss and MetaMorph

  void microscope() {
    const std::uint64_t directory = pages_.front().directory;
    std::vector<const TiffPage*> pages;
    for (const TiffPage& page : pages_)
      if (!page.thumbnail && page.sameKind(pages_.front())) pages.push_back(&page);
    if (const auto lsm = readLsm(tags_, directory)) {
      plainPalettes_ = false;
      // Several positions are series; of a recording that was stopped the last planes are missing.
      const auto planes = static_cast<std::size_t>(lsm->order.pages());
      for (std::size_t begin = 0; begin < pages.size(); begin += planes) {
        const std::size_t end = std::min(begin + planes, pages.size());
        const auto found = inOrder(placesOf(
            {pages.begin() + static_cast<std::ptrdiff_t>(begin), pages.begin() + static_cast<std::ptrdiff_t>(end)}));
        TiffSeries series = make(lsm->order, found);
        TiffCalibration calibration = lsm->calibration;
        std::map<std::int64_t, std::int64_t> there;
        for (const auto& [index, place] : found) there.emplace(index, numberOf(*place.page));
        noteMissing(lsm->order, there, calibration.notices);
        // Its samples are channels, which are no colors.
        if (series.page.samples > 1) calibration.channels.resize(static_cast<std::size_t>(series.page.samples));
        take(std::move(series), std::move(calibration));
      }
    } else if (const auto stk = readStk(tags_, directory); stk && pages_.size() == 1) {
      plainPalettes_ = false;
      take(makeBehind(stk->order), withResolution(stk->calibration));
    }
  }

  // ---- OME

  void omeSeries(const Ome& ome) {
    if (!ome.error.empty()) {
      before_.push_back("its OME-XML is damaged (" + printable(ome.error) +
                        "); its record of pages and sizes is not used");
      return;
    }
    std::set<std::int64_t> used;
    std::int64_t next = 0;  // the page at which an image begins that says nothing of its pages
    for (const OmeImage& image : ome.images) {
      const OmePlanes planes = omePlanes(ome, image, std::filesystem::path(path_).filename().string(), pages_, next);
      std::map<std::int64_t, Place> found;
      for (const auto& [index, page] : planes.pages) {
        found.emplace(index, Place{&pages_[static_cast<std::size_t>(page)], 0});
        used.insert(page);
        next = std::max(next, page + 1);
      }
      if (found.empty()) continue;
      TiffCalibration calibration = omeCalibration(ome, image);
      noteElsewhere(planes.elsewhere, calibration.notices);
      plainPalettes_ = false;
      TiffSeries series = allBehind(image, planes) ? makeBehind(planes.order) : make(planes.order, found);
      if (!series.behindEachOther) noteMissing(planes.order, planes.pages, calibration.notices);
      series.name = image.name;
      take(std::move(series), std::move(calibration));
    }
    std::int64_t unused = 0;
    for (const TiffPage& page : pages_)
      if (!page.thumbnail && !used.contains(numberOf(page))) ++unused;
    if (series_.empty()) {
      before_.emplace_back("its OME-XML names none of its pages and is not used for them");
    } else if (unused > 0) {
      series_.front().calibration.notices.push_back(counted(unused, "page") +
                                                    " that its OME-XML does not describe were left out");
    }
  }

  // Whether a file of one page claims all planes for it, and has more than that page.
  bool allBehind(const OmeImage& image, const OmePlanes& planes) const {
    const TiffPage& page = pages_.front();
    return pages_.size() == 1 && planes.order.pages() > 1 && image.data.size() == 1 && page.plain() &&
           image.data.front().count == planes.order.pages() &&
           static_cast<double>(sizeOfFile(path_, path_)) >
               2.0 * page.width * page.height * page.samples * static_cast<double>(bytesOf(*page.stored()));
  }

  TiffCalibration omeCalibration(const Ome& ome, const OmeImage& image) const {
    TiffCalibration calibration = calibrationOf(resolution_);
    for (std::size_t a = 0; a < 3; ++a)
      if (image.size[a] > 0) calibration.steps[a] = {image.size[a], image.unit[a], StepSource::Given};
    calibration.frameSeconds = image.frameSeconds;
    calibration.channels = image.channels;
    const auto index = static_cast<std::size_t>(&image - ome.images.data());
    if (const std::string kept = omeKept(descriptions_.at(0), index); !kept.empty()) {
      calibration.kept.emplace_back(kOmeField, kept);
    } else {
      calibration.notices.emplace_back("the rest of its OME-XML, beyond pages and sizes, is too long to be kept");
    }
    if (!ome.ourGeometry.empty()) takeOurGeometry(ome.ourGeometry, calibration);
    calibration.provenance = ome.provenance;
    return calibration;
  }

  // ---- tifffile

  void shaped() {
    for (std::size_t begin = 0; begin < pages_.size();) {
      const auto description = parseShaped(descriptions_[begin], resolution_);
      const std::size_t planes = description ? takeShaped(*description, begin) : 0;
      if (planes == 0) {
        if (!series_.empty() || description)
          before_.emplace_back("its descriptions do not fit its pages; their record of axes is not used");
        return series_.clear();
      }
      begin += planes;
    }
  }

  // How many pages it is.
  std::size_t takeShaped(const ShapedDescription& description, std::size_t begin) {
    const TiffPage& page = pages_[begin];
    std::vector<std::int64_t> shape = description.shape;
    std::string axes = description.axes;
    std::vector<std::int64_t> own = {page.height, page.width};
    if (page.depth > 1) own.insert(own.begin(), page.depth);
    if (page.samples > 1) own.insert(page.planar ? own.begin() : own.end(), page.samples);
    if (own.size() > shape.size() || !std::equal(own.rbegin(), own.rend(), shape.rbegin())) return 0;
    shape.resize(shape.size() - own.size());
    if (page.depth > 1) shape.push_back(page.depth);
    axes = axes.empty() ? std::string(shape.size(), 'Q') : axes.substr(0, shape.size());
    TiffCalibration calibration = description.calibration;
    const TiffOrder order = orderOf(shape, axes, calibration);
    const std::int64_t pages = order.pages() / page.depth;
    const auto there = static_cast<std::int64_t>(pages_.size() - begin);
    TiffSeries series;
    if (pages > there || (pages > 1 && !pages_[begin + 1].sameKind(page))) {
      if (pages_.size() != 1) return 0;
      series = makeBehind(order);
    } else {
      std::vector<const TiffPage*> list;
      for (std::int64_t p = 0; p < pages; ++p) {
        list.push_back(&pages_[begin + static_cast<std::size_t>(p)]);
        if (!list.back()->sameKind(page)) return 0;
      }
      series = make(order, inOrder(placesOf(list)));
    }
    series.name = description.name;
    const std::size_t taken = series.behindEachOther && pages_.size() == 1 ? 1 : static_cast<std::size_t>(pages);
    take(std::move(series), std::move(calibration));
    // Smaller copies of it.
    std::size_t next = begin + taken;
    while (next < pages_.size() && pages_[next].thumbnail) ++next;
    return next - begin;
  }

  // Z, C and T are what they are; of axes without such a name the last one is z, where no other is.
  static TiffOrder orderOf(const std::vector<std::int64_t>& shape, const std::string& axes,
                           TiffCalibration& calibration) {
    TiffOrder order;
    bool slices = axes.find('Z') != std::string::npos;
    std::string other;
    for (std::size_t i = shape.size(); i-- > 0;) {
      if (shape[i] == 1) continue;
      char letter = axes[i];
      if (letter != 'Z' && letter != 'C' && letter != 'T') {
        const bool unnamed = letter == 'Q' || letter == 'I';
        if (slices || !unnamed) other += (other.empty() ? "" : ", ") + std::to_string(shape[i]);
        letter = slices || !unnamed ? 'T' : 'Z';
        slices = true;
      }
      order.axes.emplace_back(letter, shape[i]);
    }
    if (!other.empty())
      calibration.notices.push_back("it does not state that its axis of " + other +
                                    " is time; its planes are read as points in time");
    return order;
  }

  // ---- all others: pages of one size and type, and ImageJ's

  void byKind() {
    std::vector<std::vector<const TiffPage*>> kinds;
    std::int64_t copies = 0;
    for (const TiffPage& page : pages_) {
      if (page.thumbnail && &page != &pages_.front()) {
        ++copies;
        continue;
      }
      const auto kind =
          std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.front()->sameKind(page); });
      if (kind == kinds.end()) {
        kinds.push_back({&page});
      } else {
        kind->push_back(&page);
      }
    }
    const TiffPage& first = pages_.front();
    const auto imageJ = first.stored() ? parseImageJ(descriptions_.at(0), resolution_, *first.stored()) : std::nullopt;
    for (const auto& pages : kinds) {
      const bool described = imageJ && pages.front() == &first;
      plainPalettes_ = !described;
      if (described) {
        ImageJDescription description = *imageJ;
        if (!keepImageJTags(tags_, first.directory, description.calibration.kept))
          description.calibration.notices.emplace_back(
              "notes of ImageJ (labels, regions of interest) are damaged or too long, and left out");
        takeImageJ(description, placesOf(pages));
        continue;
      }
      const Places places = placesOf(pages);
      TiffCalibration calibration = calibrationOf(resolution_);
      if (pages.front() != &first) calibration.steps = TiffCalibration{}.steps;
      take(make(TiffOrder{{{'Z', static_cast<std::int64_t>(places.size())}}}, inOrder(places)), std::move(calibration));
    }
    std::vector<std::string>& notices = series_.front().calibration.notices;
    notices.insert(notices.end(), before_.begin(), before_.end());
    if (copies > 0) notices.push_back("smaller copies of its pages (" + std::to_string(copies) + ") were left out");
  }

  void takeImageJ(const ImageJDescription& description, const Places& places) {
    TiffOrder order = description.order;
    TiffCalibration calibration = description.calibration;
    auto there = static_cast<std::int64_t>(places.size());
    const std::int64_t samples = pages_.front().samples, groups = order.extent('C') * order.extent('T');
    const auto resize = [&](char axis, std::int64_t extent) {
      for (auto& [letter, old] : order.axes)
        if (letter == axis) old = extent;
    };
    const bool sliced = order.extent('Z') > 0;
    const std::int64_t said = std::max(description.images, sliced ? order.pages() : groups);
    // Bio-Formats counts the samples of a pixel as channels.
    if (samples > 1 && order.extent('C') % samples == 0 && (sliced ? order.pages() : groups) == there * samples)
      resize('C', order.extent('C') / samples);
    const bool behind = there == 1 && said > 1 && order.pages() != there;
    if (behind) there = said;
    if (const std::int64_t each = order.extent('C') * order.extent('T'); !sliced && there % each == 0)
      resize('Z', there / each);
    if (description.images > there)
      throw damaged(path_, "it is cut off: it has " + std::to_string(description.images) + " images, of which " +
                               std::to_string(there) + (there == 1 ? " is" : " are") + " there");
    if (order.pages() != there) {
      calibration.notices.push_back("its description does not fit its " + counted(there, "page") +
                                    "; they are taken as slices");
      order.axes = {{'Z', there}};
    }
    take(behind ? makeBehind(order) : make(order, inOrder(places)), std::move(calibration));
  }

  TiffCalibration withResolution(TiffCalibration calibration) const {
    const TiffCalibration other = calibrationOf(resolution_);
    for (std::size_t a = 0; a < 2; ++a)
      if (calibration.steps[a].source == StepSource::Assumed) calibration.steps[a] = other.steps[a];
    return calibration;
  }

  std::string path_;
  TiffTags tags_;
  TiffResolution resolution_;  // of the first page
  std::vector<TiffPage> pages_;
  std::map<std::size_t, std::string> descriptions_;  // of the first page and of those that begin a series of tifffile
  std::vector<std::string> before_;                  // what is told of a description that is not used
  bool plainPalettes_ = true;                        // whether palettes are the colors of a picture
  std::vector<TiffSeries> series_;
};

}  // namespace

std::vector<TiffSeries> tiffSeriesOf(TIFF* file, const std::string& path) { return Builder(file, path).run(); }

void TiffSeries::flatten() {
  std::sort(planes.begin(), planes.end(), [](const TiffPlane& a, const TiffPlane& b) {
    return std::pair(a.page, a.within) < std::pair(b.page, b.within);
  });
  slices = 0;
  channels = frames = 1;
  for (TiffPlane& plane : planes) {
    plane.slice = slices++;
    plane.component = 0;
  }
  calibration.channels.clear();
}

std::vector<FilePart> partsOfSeries(const std::vector<TiffSeries>& all) {
  std::vector<FilePart> parts;
  for (const TiffSeries& series : all) {
    FilePart part{"@series=" + std::to_string(parts.size() + 1),
                  printable(series.name),
                  {series.page.width, series.page.height, series.slices},
                  {},
                  parts.empty()};
    if (series.groups() > 1) part.extents.push_back(series.groups());
    if (const auto stored = series.page.stored()) part.type = toString(*stored);
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace sscope::io
