// SPDX-License-Identifier: BSD-3-Clause
// Active pixels: a scene dealt out to parts inside one process, each drawn and compressed, and
// composited as ranks of a cluster would be; or a compressed image from a file. In slices of work:
//   take        shares of the scene, one for each rank
//   compress    each rank draws its share and compresses it; where the GPU does, it composites the
//               image with those before, too
//   composite   the compressed images into one frame; a file is decoded
//   show        the frame, or an overlay over it
// View is what the picture is made of: the input, the settings and the camera.
#pragma once

#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/active_pixel/distribute/local_ranks.h"
#include "app/engine/active_pixel/image/runs.h"
#include "app/engine/active_pixel/settings.h"
#include "app/engine/active_pixel/share/share.h"
#include "app/engine/core/stages.h"
#include "app/engine/engine.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/scene/camera.h"

namespace fathom::active_pixel {

/// Either a source of shares or a compressed image.
struct Input : LoadedInputs {
  std::shared_ptr<const ShareSource> source;
  std::shared_ptr<const SparseImage> file;
  SparseFacts facts;  // of the file
};

bool accepts(const std::vector<std::string>& inputs);
/// One scene, folder of scene files or .icet file. Throws Error.
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);

struct View {
  Input input;
  std::uint64_t inputCount = 0;  // inputs opened so far: tells two of them apart
  Settings settings;
  Camera camera;       // of a scene
  glm::ivec2 size{0};  // px

  bool empty() const { return !input.source && !input.file; }
  bool turning() const { return settings.turn && input.source; }
  /// Takes a new input: a file's size, a scene's camera.
  void open(Input next);
  /// That of the file, or of the settings.
  Compositing compositing() const;
  /// How shares are drawn. Throws UsageError for settings that do not go together.
  RankView rankView() const;
};

class ActivePixelEngine : public Engine {
 public:
  ActivePixelEngine() { addStages(); }

  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return view_.input.names; }
  void setSize(int width, int height) override;
  Camera* camera() override { return view_.input.source ? &view_.camera : nullptr; }
  fathom::Frame frame() const override;
  bool stale() const override { return stages_.changed(); }
  void restart() override { stages_.invalidate("compress"); }
  Image reference() const override;
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  /// Of a file at once, of a scene once there is a picture.
  std::vector<std::pair<std::string, std::string>> facts() const override;
  /// The runs that hold a pixel of the picture, row by row for each part in which it is active;
  /// none outside the picture or while there is no complete one.
  std::optional<PixelReport> inspect(int x, int y) override;
  std::optional<glm::vec3> pick(int x, int y) override;
  std::vector<LegendEntry> legend() const override;

  // For window, commands and tests.
  Settings& settingsStruct() { return view_.settings; }
  const View& view() const { return view_; }
  /// The last step() has shown a complete picture.
  bool complete() const { return complete_; }
  std::uint64_t pictures() const { return pictures_; }  // made so far
  /// Brought from the device when it is first asked for.
  const Frame& composited() const;
  /// Software renderers composite faster on the processor; tests ask for the other.
  void compositeOnGpu(bool wanted) { wantsGpu_ = wanted; }
  bool compositedOnGpu() const { return onGpu_; }
  /// Those of a scene; none for a file.
  const std::vector<LocalRank>& ranks() const;

 private:
  bool work(gpu::Context& gpu, double budgetMs) override;
  /// What lives on one GPU.
  struct Device {
    explicit Device(gpu::Context& context) : gpu(context), ranks(context), compositor(context) {}
    gpu::Context& gpu;
    LocalRanks ranks;
    GpuCompositor compositor;
    DeviceImage whole, next;  // what is composited so far; room for the next
    Decoded decoded;
    gpu::Texture frame, codes, shown;
  };

  void addStages();
  bool takeShare();
  void beginCompressing();
  bool compressRank();
  bool compressRankOnGpu();
  void composite();
  Frame compositeRanks() const;
  /// By rank; or that of the file.
  std::vector<SparseWords> sparseImages() const;
  std::vector<int> order() const;
  std::vector<int> orderOfCompositing() const;
  std::vector<std::uint32_t> overlayCodes() const;
  void show();

  View view_;
  std::unique_ptr<Device> device_;
  Stages stages_;
  std::size_t next_ = 0;    // rank to be compressed, or place in the order
  std::vector<int> order_;  // in which ranks are composited
  std::optional<bool> wantsGpu_;
  bool onGpu_ = false;
  CompressionConfig config_;
  mutable Frame composited_;  // empty while it is on the device only
  double compositeMs_ = 0;
  bool complete_ = false;
  std::uint64_t pictures_ = 0;
};

/// What it is called, and the functions and tables that make it up.
const TechniqueEntry& entry();

}  // namespace fathom::active_pixel
