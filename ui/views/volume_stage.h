#pragma once
// The contents of the 3D view: the bricks of source and result, made when they are first shown, their properties and
// their looks. Used in the renderer's thread only.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QRgb>
#include <QStringList>

#include "ui/views/volume_renderer.h"
#include "ui/views/volume_scene.h"

namespace sscope {

// The color of each gray from 0 to 255.
using GrayColors = std::array<QRgb, 256>;

class VolumeStage {
 public:
  explicit VolumeStage(VolumeScene& scene) : scene_(scene) {}

  // Prepares everything that the request shows, except the camera. Throws Canceled and errors of arrays.
  void bring(const VolumeRenderer::Request& request, const Control& control);
  // The bricks have changed since the last call.
  [[nodiscard]] bool takeNews();
  [[nodiscard]] std::array<std::shared_ptr<const VolumeInsight>, 2> insights() const;
  // The colors that replace the grays of a side; null: none. After bring().
  [[nodiscard]] const GrayColors* grayColors(std::size_t side) const;
  // About the shown sides: "averaged 2x", "250 HU, 12,345 triangles". After bring().
  [[nodiscard]] QStringList words(const VolumeRenderer::Request& request) const;

 private:
  struct Side {
    std::optional<std::weak_ptr<ResidentArray>>
        of;                          // the source of the brick, which does not keep it alive; empty: none
    std::array<double, 2> window{};  // of the levels, with a color map
    VolumeBrick brick;
    std::vector<float> means;
    double scale = 1;  // of the brick and the means (DisplayMeans); public functions return values
    Geometry geometry;
    std::shared_ptr<const VolumeInsight> insight;  // null with a color map
    BrickPart part;
    std::vector<std::uint8_t> object;                                       // objectMask(); empty: not computed yet
    enum class Levels { Plain, Inside, OverRange } levels = Levels::Plain;  // of the brick, in the scene
    std::optional<TransferFunction> transfer;                               // in the scene; empty: a surface
    VolumeMode mode = VolumeMode::Composite;
    double path = 1;                        // in the scene
    std::optional<double> brightPath;       // longestBrightPath(); empty: not computed yet
    std::optional<GrayColors> averaged;     // for an Average
    std::vector<LevelColor> surfaceLevels;  // empty: there is none
    IsoSurface surface;
  };
  void makeBricks(const VolumeRenderer::Request& request, std::size_t index, const Control& control);
  void crop(std::size_t index, const std::array<double, 6>& shares);
  void showLevels(std::size_t index, Side::Levels levels);
  void dress(const VolumeRenderer::Request& request, std::size_t index);
  void setTransfer(std::size_t index, const TransferFunction& transfer, VolumeMode mode, double path = 1);
  void setMinimum(const VolumeRenderer::Request& request, std::size_t index);
  void setAverage(const VolumeRenderer::Request& request, std::size_t index);
  void setSurface(const VolumeRenderer::Request& request, std::size_t index);
  [[nodiscard]] std::optional<DataKind> kindOfSource(const VolumeRenderer::Request& request, const Control& control);

  VolumeScene& scene_;
  std::array<Side, 2> sides_;
  std::weak_ptr<ResidentArray> known_;  // the source whose kind is known
  DataKind kind_ = DataKind::Generic;
  int component_ = 0;
  ColorMap colors_ = ColorMap::Gray;
  bool news_ = false;
};

}  // namespace sscope
