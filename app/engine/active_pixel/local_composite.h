// SPDX-License-Identifier: BSD-3-Clause
// A picture composited inside this process as a cluster would, in slices of work:
//   take        shares of the scene, one for each rank
//   compress    each rank draws its share and compresses it; where the GPU does, it composites the
//               image with those before, too
//   composite   the compressed images into one frame; a file is decoded
//   show        the frame, or an overlay over it
// View is what it is made of: the input, the settings and the camera.
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

class LocalComposite {
 public:
  /// The view must outlive this; run() acts on what has changed in it.
  explicit LocalComposite(const View& view);
  ~LocalComposite();

  /// Brings the picture up to date; false when more is to be done in another call. Throws Error.
  bool run(gpu::Context& gpu, double budgetMs);
  /// The next run() draws and compresses again though nothing has changed.
  void restart() { stages_.invalidate("compress"); }
  /// Something has changed since the last run().
  bool stale() const { return stages_.changed(); }
  /// The last run() has returned true, and shown a picture.
  bool complete() const { return complete_; }
  std::uint64_t pictures() const { return pictures_; }              // made so far
  std::uint64_t partitionCount() const { return partitionCount_; }  // times shares were dealt out

  const gpu::Texture& result() const;
  /// Brought from the device when it is first asked for.
  const Frame& frame() const;
  /// Software renderers composite faster on the processor; tests ask for the other.
  void compositeOnGpu(bool wanted) { wantsGpu_ = wanted; }
  bool compositedOnGpu() const { return onGpu_; }
  double compositeMs() const { return compositeMs_; }
  /// The same frame by the reference.
  Image reference() const;

  /// Those of a scene; none for a file.
  const std::vector<LocalRank>& ranks() const;
  LocalRanks& localRanks() { return device_->ranks; }
  /// By rank; or that of the file.
  std::vector<SparseWords> sparseImages() const;
  /// How images were compressed.
  const CompressionConfig& compression() const { return config_; }

 private:
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
  std::vector<int> order() const;
  std::vector<int> orderOfCompositing() const;
  std::vector<std::uint32_t> overlayCodes() const;
  void show();

  const View& view_;
  std::unique_ptr<Device> device_;
  Stages stages_;
  std::size_t next_ = 0;    // rank to be compressed, or place in the order
  std::vector<int> order_;  // in which ranks are composited
  std::optional<bool> wantsGpu_;
  bool onGpu_ = false;
  CompressionConfig config_;
  mutable Frame frame_;  // empty while it is on the device only
  double compositeMs_ = 0;
  bool complete_ = false;
  std::uint64_t pictures_ = 0, partitionCount_ = 0;
};

}  // namespace fathom::active_pixel
