// SPDX-License-Identifier: BSD-3-Clause
// A VTK program as a sort-last renderer: each rank renders its own actor, libfathom_icet compresses
// what VTK's framebuffer holds, IceT composites over MPI. Rank 0 compares the picture with all
// actors rendered at once.
#include <IceTMPI.h>
#include <fathom_icet.h>
#include <mpi.h>
#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkConeSource.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/hosts/icet_functions.h"

constexpr int kWidth = 96, kHeight = 64;

vtkNew<vtkActor> coneOf(int part) {
  vtkNew<vtkConeSource> cone;
  cone->SetResolution(24), cone->SetDirection(part % 2 ? 1 : -1, part, 0.3), cone->SetHeight(2);
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputConnection(cone->GetOutputPort());
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper), actor->GetProperty()->SetColor(part % 2, 0.6, 1 - part % 2);
  return actor;
}

struct Window {
  vtkNew<vtkRenderer> renderer;
  vtkNew<vtkRenderWindow> window;
  explicit Window(const std::vector<int>& parts) {
    window->SetOffScreenRendering(1), window->SetSize(kWidth, kHeight), window->SetMultiSamples(0);
    window->AddRenderer(renderer);
    renderer->SetBackground(0, 0, 0), renderer->SetBackgroundAlpha(0);
    for (const int part : parts) renderer->AddActor(coneOf(part));
    vtkCamera* camera = renderer->GetActiveCamera();  // the same on all ranks
    camera->SetPosition(0.5, 0.7, 6), camera->SetClippingRange(1, 20);
    window->Render();
  }
};

IceTImage compositedByIceT(const fathom_icet_frame& frame, std::vector<char>& picture) {
  static std::vector<char> sparse;
  fathom_icet_encoder* encoder = nullptr;
  sparse.resize(fathom_icet_capacity(frame.color, frame.mode, kWidth, kHeight));
  size_t bytes = 0;
  if (fathom_icet_create(&encoder) != FATHOM_ICET_OK ||
      fathom_icet_encode(encoder, &frame, sparse.data(), sparse.size(), &bytes) != FATHOM_ICET_OK)
    std::printf("%s\n", fathom_icet_message()), MPI_Abort(MPI_COMM_WORLD, 1);
  fathom_icet_destroy(encoder);
  icetCreateContext(icetCreateMPICommunicator(MPI_COMM_WORLD));
  icetSetColorFormat(ICET_IMAGE_COLOR_RGBA_UBYTE), icetSetDepthFormat(ICET_IMAGE_DEPTH_FLOAT);
  icetCompositeMode(ICET_COMPOSITE_MODE_Z_BUFFER), icetDisable(ICET_ORDERED_COMPOSITE);
  const IceTFloat none[4] = {};
  icetStateSetBoolean(ICET_NEED_BACKGROUND_CORRECTION, ICET_FALSE);
  icetStateSetFloatv(ICET_TRUE_BACKGROUND_COLOR, 4, none),
      icetStateSetFloatv(ICET_BACKGROUND_COLOR, 4, none);
  icetStateSetInteger(ICET_TRUE_BACKGROUND_COLOR_WORD, 0),
      icetStateSetInteger(ICET_BACKGROUND_COLOR_WORD, 0);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<IceTInt> group(ranks);
  std::iota(group.begin(), group.end(), 0);
  Sparse piece;
  IceTSizeType offset = 0;
  icetSingleImageCompose(group.data(), ranks, 0, icetSparseImageUnpackageFromReceive(sparse.data()),
                         &piece, &offset);
  picture.resize(std::size_t(icetImageBufferSize(kWidth, kHeight)));
  IceTImage image = icetImageAssignBuffer(picture.data(), kWidth, kHeight);
  icetSingleImageCollect(piece, 0, offset, image);
  return image;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, result = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    Window own({rank});
    auto* gl = vtkOpenGLRenderWindow::SafeDownCast(own.window);
    gl->MakeCurrent();
    fathom_icet_frame frame{sizeof frame,
                            FATHOM_ICET_COLOR_RGBA_UBYTE,
                            FATHOM_ICET_Z_BUFFER,
                            kWidth,
                            kHeight,
                            0,
                            0,
                            gl->GetRenderFramebuffer()->GetFBOIndex(),
                            {0, 0, 0, 0}};
    std::vector<char> memory;
    const IceTImage picture = compositedByIceT(frame, memory);
    std::vector<int> parts(ranks);
    std::iota(parts.begin(), parts.end(), 0);
    if (rank == 0) {
      Window all(parts);
      vtkNew<vtkUnsignedCharArray> pixels;
      all.window->GetRGBACharPixelData(0, 0, kWidth - 1, kHeight - 1, 0, pixels);
      int differing = 0, covered = 0;
      const IceTUByte* found = icetImageGetColorub(picture);
      for (int i = 0; i < kWidth * kHeight; ++i) {
        covered += found[4 * i + 3] != 0;
        differing += std::memcmp(found + 4 * i, pixels->GetPointer(4 * i), 3) != 0;
      }
      std::printf("%d of %d pixels covered, %d differ\n", covered, kWidth * kHeight, differing);
      result = covered < 100 || differing > 0;
    }
  }
  MPI_Finalize();
  return result;
}
