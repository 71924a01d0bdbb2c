// SPDX-License-Identifier: BSD-3-Clause
// A VTK program that a user of ParaView could have: an image volume in eight parts that interlock
// like a honeycomb, cast by rays through transfer functions of VTK, and polygons that VTK renders.
// Each rank has some parts and some polygons; libfathom_composite makes one picture. Rank 0
// compares it with all of it in one process: polygons in one window, one march through the whole
// volume.
#include <fathom_composite.h>
#include <mpi.h>
#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkColorTransferFunction.h>
#include <vtkConeSource.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPointData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRTAnalyticSource.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int kWidth = 96, kHeight = 64, kPixels = kWidth * kHeight, kParts = 8, kCones = 5;
constexpr double kNear = 60, kFar = 140, kHalf = 12, kStep = 0.7;  // along z from the eye at 100

/// What VTK draws of these cones: color and distance from the eye, beyond kFar where nothing is.
struct Polygons {
  std::vector<float> rgba, depth;

  explicit Polygons(const std::vector<int>& cones) {
    vtkNew<vtkRenderer> renderer;
    vtkNew<vtkRenderWindow> window;
    window->SetOffScreenRendering(1), window->SetSize(kWidth, kHeight), window->SetMultiSamples(0);
    window->AddRenderer(renderer);
    renderer->SetBackground(0, 0, 0), renderer->SetBackgroundAlpha(0);
    for (const int cone : cones) renderer->AddActor(actorOf(cone));
    vtkCamera* camera = renderer->GetActiveCamera();  // the same on all ranks
    camera->ParallelProjectionOn(), camera->SetParallelScale(kHalf);
    camera->SetPosition(0, 0, 100), camera->SetFocalPoint(0, 0, 0);
    camera->SetClippingRange(kNear, kFar);
    window->Render();
    vtkNew<vtkFloatArray> colors, z;
    window->GetRGBAPixelData(0, 0, kWidth - 1, kHeight - 1, 0, colors);
    window->GetZbufferData(0, 0, kWidth - 1, kHeight - 1, z);
    rgba.assign(4 * kPixels, 0), depth.assign(kPixels, 2 * kFar);
    for (int i = 0; i < kPixels; ++i) {
      const float d = z->GetValue(i);
      if (d >= 1) continue;
      for (int c = 0; c < 3; ++c) rgba[4 * i + c] = colors->GetValue(4 * i + c);
      rgba[4 * i + 3] = 1, depth[i] = float(kNear + double(d) * (kFar - kNear));
    }
  }
  static vtkSmartPointer<vtkActor> actorOf(int number) {
    vtkNew<vtkConeSource> cone;
    cone->SetResolution(24), cone->SetRadius(3), cone->SetHeight(16 + number);
    cone->SetDirection(std::cos(number * 1.3), std::sin(number * 1.3), 0.8 * (number % 3 - 1));
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputConnection(cone->GetOutputPort());
    auto actor = vtkSmartPointer<vtkActor>::New();
    actor->SetMapper(mapper), actor->GetProperty()->SetColor(0.2 * number, 0.6, 1 - 0.2 * number);
    return actor;
  }
};

/// The volume, what its transfer functions make of it, and whose each place is.
class Volume {
 public:
  Volume() {
    source_->SetWholeExtent(-10, 10, -10, 10, -10, 10);
    source_->Update();
    colors_->AddRGBPoint(40, 0.1, 0.2, 0.9), colors_->AddRGBPoint(150, 0.9, 0.9, 0.3);
    colors_->AddRGBPoint(260, 0.9, 0.2, 0.1);
    opacity_->AddPoint(90, 0), opacity_->AddPoint(260, 0.25);
  }
  struct Sample {
    int part;
    std::array<float, 4> rgba;  // multiplied by alpha, of one step
    float front, back;
  };
  /// Sample `n` of a pixel's ray; false outside of the volume.
  bool at(int pixel, int n, Sample& sample) {
    const double x = kHalf * (2 * (pixel % kWidth + 0.5) / kWidth - 1) * kWidth / kHeight,
                 y = kHalf * (2 * (pixel / kWidth + 0.5) / kHeight - 1), front = kNear + n * kStep,
                 z = 100 - (front + kStep / 2);
    vtkImageData* image = source_->GetOutput();
    double at[3] = {x, y, z}, weights[8], pcoords[3];
    int cell[3];
    if (!image->ComputeStructuredCoordinates(at, cell, pcoords)) return false;
    vtkDataArray* values = image->GetPointData()->GetScalars();
    double value = 0;
    for (int corner = 0; corner < 8; ++corner) {
      int point[3];
      weights[corner] = 1;
      for (int a = 0; a < 3; ++a) {
        const int up = corner >> a & 1;
        point[a] = cell[a] + up;
        weights[corner] *= up ? pcoords[a] : 1 - pcoords[a];
      }
      if (weights[corner] > 0)
        value += weights[corner] * values->GetTuple1(image->ComputePointId(point));
    }
    const int block[3] = {(cell[0] + 10) / 4, (cell[1] + 10) / 4, (cell[2] + 10) / 4};
    const double alpha = 1 - std::pow(1 - opacity_->GetValue(value), kStep);
    double color[3];
    colors_->GetColor(value, color);
    sample.part = (block[0] + 3 * block[1] + 5 * block[2]) % kParts;
    for (int c = 0; c < 3; ++c) sample.rgba[c] = float(alpha * color[c]);
    sample.rgba[3] = float(alpha);
    sample.front = float(front), sample.back = float(kNear + (n + 1) * kStep);
    return true;
  }
  static constexpr int kSamples = int((kFar - kNear) / kStep);

 private:
  vtkNew<vtkRTAnalyticSource> source_;
  vtkNew<vtkColorTransferFunction> colors_;
  vtkNew<vtkPiecewiseFunction> opacity_;
};

/// All in one process: along each ray, in double, up to the polygon, which ends within a sample.
std::vector<double> reference(Volume& volume) {
  std::vector<int> all;
  for (int cone = 0; cone < kCones; ++cone) all.push_back(cone);
  const Polygons polygons(all);
  std::vector<double> picture(4 * kPixels);
  for (int i = 0; i < kPixels; ++i) {
    double* const sum = &picture[4 * std::size_t(i)];
    const double end = polygons.depth[i];
    const auto over = [&](const float* rgba, double scale) {
      const double through = 1 - sum[3];
      for (int c = 0; c < 4; ++c) sum[c] += through * rgba[c] * scale;
    };
    Volume::Sample s;
    for (int n = 0; n < Volume::kSamples; ++n) {
      if (!volume.at(i, n, s) || s.rgba[3] == 0 || s.front >= end) continue;
      const double part = std::min(1.0, (end - s.front) / (double(s.back) - s.front));
      over(s.rgba.data(), (1 - std::pow(1 - double(s.rgba[3]), part)) / s.rgba[3]);
    }
    if (end < kFar) over(&polygons.rgba[4 * std::size_t(i)], 1);
  }
  return picture;
}

void check(fathom_composite_status status) {
  if (status == FATHOM_COMPOSITE_OK) return;
  std::printf("%s\n", fathom_composite_message());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// What this rank has of the volume, as fragments of one step each.
void addVolume(fathom_composite* compositor, Volume& volume, int rank, int ranks) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<float> rgba, front, back;
  Volume::Sample s;
  for (int i = 0; i < kPixels; ++i) {
    for (int n = 0; n < Volume::kSamples; ++n) {
      if (!volume.at(i, n, s) || s.part % ranks != rank || s.rgba[3] == 0) continue;
      rgba.insert(rgba.end(), s.rgba.begin(), s.rgba.end());
      front.push_back(s.front), back.push_back(s.back);
    }
    offsets.push_back(front.size());
  }
  const fathom_composite_fragments fragments{
      sizeof fragments, 0,          0, kWidth, kHeight, 0, offsets.data(), rgba.data(),
      front.data(),     back.data()};
  check(fathom_composite_add_fragments(compositor, &fragments));
}

void addPolygons(fathom_composite* compositor, int rank, int ranks) {
  std::vector<int> own;
  for (int cone = rank; cone < kCones; cone += ranks) own.push_back(cone);
  const Polygons polygons(own);
  const fathom_composite_image image{
      sizeof image, 0, 0, kWidth, kHeight, 1, polygons.rgba.data(), polygons.depth.data()};
  check(fathom_composite_add_image(compositor, &image));
}

int compare(fathom_composite* compositor, Volume& volume) {
  fathom_composite_image whole{};
  whole.size = sizeof whole;
  check(fathom_composite_piece(compositor, 0, &whole));
  const std::vector<double> expected = reference(volume);
  double largest = 0;
  int mixed = 0;
  for (int i = 0; i < 4 * kPixels; ++i)
    largest = std::max(largest, std::abs(whole.rgba[i] - expected[std::size_t(i)]));
  for (int i = 0; i < kPixels; ++i)
    mixed += whole.rgba[4 * i + 3] > 0.05 && whole.rgba[4 * i + 3] < 0.999;
  std::printf("off by at most %.2g, %d pixels of volume alone\n", largest, mixed);
  return largest > 1e-6 || mixed < 500;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, result = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  fathom_composite_setup setup{};
  setup.size = sizeof setup, setup.width = kWidth, setup.height = kHeight;
  fathom_composite* compositor = nullptr;
  check(fathom_composite_create(MPI_COMM_WORLD, &setup, &compositor));
  Volume volume;
  addVolume(compositor, volume, rank, ranks);
  addPolygons(compositor, rank, ranks);
  check(fathom_composite_run(compositor));
  if (rank == 0) result = compare(compositor, volume);
  fathom_composite_destroy(compositor);
  MPI_Finalize();
  return result;
}
