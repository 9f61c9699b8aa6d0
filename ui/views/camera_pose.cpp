#include "ui/views/camera_pose.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sscope {

Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector3 operator*(double s, const Vector3& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector3 normalized(const Vector3& a) { return (1 / std::sqrt(dot(a, a))) * a; }

namespace {

double halfTangent() { return std::tan(CameraPose::kViewAngle / 2 * std::numbers::pi / 180); }

// Rodrigues' rotation about a unit axis.
Vector3 rotated(const Vector3& v, const Vector3& axis, double angle) {
  return std::cos(angle) * v + std::sin(angle) * cross(axis, v) + ((1 - std::cos(angle)) * dot(axis, v)) * axis;
}

}  // namespace

double CameraPose::halfHeight() const { return distance * halfTangent(); }

void CameraPose::rotate(double rightward, double upward) {
  back = rotated(back, up, -rightward);
  const Vector3 axis = right();
  back = normalized(rotated(back, axis, upward));
  up = rotated(up, axis, upward);
  up = normalized(up - dot(up, back) * back);
}

void CameraPose::pan(double rightward, double upward) {
  const double h = halfHeight();
  focus = focus - (rightward * h) * right() - (upward * h) * up;
}

void CameraPose::fit(std::span<const Vector3> points, double aspect) {
  constexpr double kFilled = 0.94;  // of the picture, at most
  const double across = kFilled * halfTangent() * std::max(aspect, 0.05), high = kFilled * halfTangent();
  double nearest = 0;
  for (const Vector3& point : points) {
    const Vector3 d = point - focus;
    nearest = std::max(
        {nearest, dot(d, back) + std::abs(dot(d, right())) / across, dot(d, back) + std::abs(dot(d, up)) / high});
  }
  if (nearest > 0) distance = nearest;
}

std::array<double, 2> CameraPose::project(const Vector3& point) const {
  const Vector3 d = point - focus;
  const double depth = std::max(distance - dot(d, back), 1e-9 * distance);
  const double scale = 1 / (depth * halfTangent());
  return {dot(d, right()) * scale, dot(d, up) * scale};
}

CameraPose startPose(const Vector3& center, double radius, double aspect) {
  CameraPose pose;
  pose.focus = center;
  pose.back = normalized({0.55, -1, 0.42});
  pose.up = normalized(Vector3{0, 0, 1} - dot(Vector3{0, 0, 1}, pose.back) * pose.back);
  const double narrow = std::min(1.0, std::max(aspect, 0.1));
  pose.distance = 0.92 * radius / std::sin(std::atan(halfTangent() * narrow));
  return pose;
}

}  // namespace sscope
