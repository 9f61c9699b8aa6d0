#pragma once
// The camera of the 3D view, and vectors.

#include <array>
#include <span>

namespace sscope {

using Vector3 = std::array<double, 3>;

[[nodiscard]] Vector3 operator+(const Vector3& a, const Vector3& b);
[[nodiscard]] Vector3 operator-(const Vector3& a, const Vector3& b);
[[nodiscard]] Vector3 operator*(double s, const Vector3& a);
[[nodiscard]] double dot(const Vector3& a, const Vector3& b);
[[nodiscard]] Vector3 cross(const Vector3& a, const Vector3& b);
[[nodiscard]] Vector3 normalized(const Vector3& a);

// A perspective camera in physical coordinates with orthonormal axes.
struct CameraPose {
  Vector3 focus{0, 0, 0};
  Vector3 back{0, -1, 0};  // from the focus to the eye
  Vector3 up{0, 0, 1};
  double distance = 1;
  static constexpr double kViewAngle = 28;  // degrees, full, vertical

  [[nodiscard]] Vector3 right() const { return cross(up, back); }
  [[nodiscard]] Vector3 eye() const { return focus + distance * back; }
  // Half the height seen at the focus.
  [[nodiscard]] double halfHeight() const;
  // Angles in radians; the scene follows the mouse to the right and up.
  void rotate(double rightward, double upward);
  // In units of half the picture's height.
  void pan(double rightward, double upward);
  // Moves as close as possible with all points and a margin visible in a picture of width / height = aspect.
  void fit(std::span<const Vector3> points, double aspect);
  // Position in the picture: (0, 0) is the middle, (., 1) the upper edge; right grows as up does.
  [[nodiscard]] std::array<double, 2> project(const Vector3& point) const;

  bool operator==(const CameraPose&) const = default;
};

// From the left, in front and above, with a ball of this radius in view in a picture of width / height = aspect.
[[nodiscard]] CameraPose startPose(const Vector3& center, double radius, double aspect);

}  // namespace sscope
