// SPDX-License-Identifier: BSD-3-Clause
// Deep images as the window, the commands and the benchmarks see them: deep EXR files, or a scene
// whose parts are captured, merged and composited on the GPU.
#pragma once

#include "app/core/deep_image.h"
#include "app/io/picture.h"
#include "app/scene/scene_renderer.h"
#include "app/techniques/deep/input_file.h"
#include "app/techniques/deep/operations.h"
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/settings.h"
#include "app/techniques/deep/space.h"
#include "app/techniques/deep/streaming.h"
#include "app/techniques/deep/survey.h"
#include "app/techniques/deep/tuning.h"
#include "app/techniques/facets.h"
#include "app/techniques/technique.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>

namespace fathom::deep {

/// What was read: a scene, images, or files that stay on the disk.
struct Loaded : LoadedInputs {
  std::shared_ptr<const Scene> scene;
  std::vector<DeepImage> images;                  // empty where the file is flat
  std::map<std::size_t, Picture> flats;           // by input; deep by the thickness that is set
  std::vector<InputFile> files;                   // per input, or none
  std::shared_ptr<const StreamedFiles> streamed;  // read band by band (BandMerger)
};

bool accepts(const std::vector<std::string>& inputs);
/// A scene or EXR files. Files that need more than `askAbove` bytes of memory are asked about
/// (Progress::confirm) before they are read.
std::unique_ptr<LoadedInputs> readInputs(const std::vector<std::string>& inputs, Progress& progress,
                                         std::uint64_t askAbove);
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);
/// EXR files, without asking.
std::unique_ptr<Loaded> readFiles(const std::vector<std::string>& files,
                                  const DeepReadOptions& options);
std::unique_ptr<Loaded> loaded(std::vector<DeepImage> images, std::vector<std::string> names);
/// Files that stay on the disk: mergeBands() and flattenBands() read them band by band, everything
/// else finds nothing open.
std::unique_ptr<Loaded> loaded(std::shared_ptr<const StreamedFiles> files);

class DeepTechnique : public Technique,
                      public Panels,
                      public PictureTools,
                      public Inspection,
                      public Legend,
                      public Background {
 public:
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  Panels* panels() override { return this; }
  PictureTools* tools() override { return this; }
  Inspection* inspection() override { return this; }
  Legend* legend() override { return this; }
  Background* background() override { return this; }
  const std::vector<std::string>& inputs() const override { return inputs_; }
  void setSize(int width, int height) override;
  glm::ivec2 size() const override { return showsPoints() ? points_.size : size_; }
  glm::ivec2 origin() const override {
    return showsPoints() ? glm::ivec2(0) : glm::ivec2(window_.x, window_.y);
  }
  Camera* camera() override {
    return showsPoints() ? &points_.camera : scene_ ? &camera_ : nullptr;
  }
  std::optional<glm::vec3> pick(int x, int y) override;
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  const gpu::Texture& result() const override {
    return points_.shown ? points_.view->picture() : result_;
  }
  bool progressive() const override { return showsPoints() && points_.shown; }
  Image reference() const override;
  std::optional<PixelReport> inspect(int x, int y) override;
  std::optional<Camera> homeCamera() const override {
    return showsPoints() ? std::optional(firstPointCamera())
           : scene_      ? std::optional(scene_->camera)
                         : std::nullopt;
  }
  Effect takeChange() override { return std::exchange(change_, Effect::None); }
  bool interact(const PictureInput& input) override;                 // points_overlay.cpp
  void drawOverlay(PictureOverlay& overlay) override;                // points_overlay.cpp
  std::vector<TechniqueAction> actions() override;                   // points_overlay.cpp
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;  // technique_survey.cpp
  std::vector<TechniquePage> pages() const override;                 // panel.cpp
  void drawPage(const std::string& name) override;                   // panel.cpp
  TechniqueRequest takeRequest() override { return std::exchange(wish_, {}); }
  std::vector<LegendEntry> entries() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;

  // For the commands, beyond what the window needs.
  Settings& settingsStruct() { return settings_; }
  /// The layout, block size and slots of the last picture or file take the place of an auto.
  void nameWhatWasUsed() {
    settings_.layout = settled_.layout;
    settings_.blockSize = settled_.blockSize, settings_.slots = settled_.slots;
  }
  /// The edits of all inputs, as the settings hold them.
  std::vector<InputEdit> edits() const;
  void setEdits(std::span<const InputEdit> edits);
  /// What is done with the merged image. Tidy::Auto: pictures (not what is saved) of inputs with
  /// ZBack are tidied. Only what is saved is thinned: that leaves pictures as they are.
  MergeEdit mergeEdit(bool saved) const;
  /// False: all fragments of all inputs are merged as they are.
  bool hasEdits(bool saved) const;
  /// How far thinning moved light that shows, in the last mergeBands().
  float largestMove() const { return largestMove_; }

  /// Merges everything and hands the result over band by band, top first, each band full width.
  /// Inputs of one image come back as they are. `consume` gets the band in image coordinates; it
  /// runs on another thread, for one band at a time, while the next band is merged.
  using Consume = std::function<void(DeepImage&& band)>;
  void mergeBands(gpu::Context& gpu, Progress& progress, const Consume& consume);
  /// The same, composited: rows of the picture (linear RGBA, premultiplied), top first.
  using ConsumePicture = std::function<void(Image&& rows)>;
  void flattenBands(gpu::Context& gpu, Progress& progress, const ConsumePicture& consume);
  /// What the bands of one call may take together: the inputs of one and the output of another in
  /// memory, and one on the device.
  void setBandBudget(std::uint64_t bytes) { bandBudget_ = bytes; }
  /// Bands end at multiples of so many rows where they can (a writer of tiles asks for that).
  void setBandStep(int rows) { bandStep_ = rows; }
  /// What the last mergeBands() or flattenBands() did.
  struct BandFacts {
    int bands = 0;
    std::uint64_t fragmentsIn = 0;
    std::uint64_t maxFragments = 0;  // in one band
    double waitedMs = 0;             // for reading and for `consume`
  };
  /// Time spent on reading bands of files, beside the rest.
  double readMs() const { return files_ ? files_->readMs() : 0; }
  const BandFacts& bandFacts() const { return bandFacts_; }
  /// The merged image's header: windows, format, channels.
  DeepImage emptyMerged() const;
  std::size_t inputCount() const;
  /// The newest survey of what is seen; backgroundStep() makes it while it is wanted.
  void wantSurvey() { surveyWanted_ = true; }
  const Survey& survey() const { return survey_; }
  const DepthSample& depthSample() const { return depths_; }
  /// The file's name, or the part's.
  std::string inputName(std::size_t input) const;
  /// The inputs from first to last: at equal depths the first is in front.
  std::vector<std::size_t> order() const;
  void setOrder(std::span<const std::size_t> order);
  std::uint64_t fragmentsIn() const { return fragmentsIn_; }
  /// Wall time that uploads, and uploads with downloads, took so far.
  double uploadMs() const { return pipeline_ ? pipeline_->uploadMs() : 0; }
  double transferMs() const {
    return pipeline_ ? pipeline_->uploadMs() + pipeline_->downloadMs() : 0;
  }
  /// Fragments per pixel of all inputs together, over the whole picture.
  std::vector<std::uint32_t> counts(gpu::Context& gpu);

 private:
  void adoptScene(Loaded&& loaded);
  void adoptImages(Loaded&& loaded);
  void adoptFiles(Loaded&& loaded);
  /// A region with its inputs on the GPU (kept while they fit the memory) and room for merged ones.
  struct Band {
    Rect region;
    std::vector<FragmentLists> inputs, merged, edited, mattes;
    std::uint64_t fragmentCount = 0;  // in all inputs, once they were shown
    FragmentLists* whole = nullptr;   // all inputs merged, while it is what mergeKey() says
    std::string wholeKey;
    bool resident = false;
  };
  /// Decides what settings leave open; once per picture or file, on the GL thread.
  void settle() { settled_ = settled(settings_, *gpu_, size_, tuned_); }
  void resetEdits();
  /// Inputs in the order that was set.
  std::vector<EditedInput> ordered(std::vector<EditedInput> inputs) const;
  /// Merged and composited by the reference, only what is peeled out.
  Image flattened(std::span<const EditedInput> inputs, const Rect& window) const;
  /// An input of a band, moved and cut as its edit says.
  FragmentLists& editedInput(Band& band, std::size_t input, const InputEdit& edit);
  /// Whose fragments are points: inputs by number, each after its edits and what it is held by; or
  /// kAllInputs where an operation makes one list of them.
  std::vector<std::size_t> pointSources() const;
  FragmentLists& pointList(Band& band, std::size_t source);
  int sourceNumber(std::size_t source) const {
    return int(source == kAllInputs ? inputCount() : source);
  }
  ListShape shape() const;
  void plan();
  void fill(FragmentLists& lists, const Rect& region, std::size_t input) const;
  void acquire(Band& band, std::size_t input);
  /// Puts all inputs of a band on the GPU again; those of other bands go when there is no room.
  void ensureResident(Band& band);
  static void release(Band& band);
  void referenceOf(const Rect& region, Image& picture) const;
  // technique_edits.cpp
  bool hasVolumes() const { return !scene_ && header_.hasZBack; }
  std::vector<EditedInput> editedInputs() const;
  DeepImage mergeOnCpu(const Rect& region, bool saved);
  static constexpr std::size_t kAllInputs = SIZE_MAX;
  std::array<std::vector<FragmentLists*>, 3> editedLists(Band& band, std::size_t only);
  /// Pipeline::mergeDown() of the inputs after their edits (of those that are added, `only` one),
  /// then what is done with the merged image.
  std::vector<FragmentLists*> mergeWithEdits(Band& band, bool toOne, const MergeEdit& merge,
                                             std::size_t only = kAllInputs);
  /// Whose fragments are counted: the inputs, or what is made of them.
  std::vector<FragmentLists*> countedLists(Band& band);
  void applyThickness();
  /// All inputs of a resident band in one list; kept while nothing but the way of looking changes.
  FragmentLists& merged(Band& band);
  /// Every setting that decides what a merged list holds.
  std::string mergeKey();
  void show(Band& band);
  /// Merges what is to be merged, composites the rest into the band's region of `picture`.
  void composite(Band& band, const gpu::Texture& picture);
  void step();
  void split(std::size_t index, const DoesNotFit& reason);
  void showIndexed();
  /// How a band becomes a part of the output; see technique_stream.cpp.
  template <class Output>
  struct BandJob {
    std::function<void(Band&)> work;                 // on the device; the inputs are there
    std::function<Output(Band&)> take;               // from the device
    std::function<Output(Output&&, Output&&)> join;  // left and right of one strip
    std::function<void(Output&&)> consume;
  };
  template <class Output>
  void runBands(gpu::Context& gpu, Progress& progress, const BandJob<Output>& job);
  std::vector<Rows> bandRows() const;
  void countFragments();
  bool indexed() const { return shape().format == FragmentFormat::Indexed; }

  // Fragments as points in space: technique_points.cpp.
  enum class PointStage { Idle, Lists, Count, Collect, Draw, Done };
  bool showsPoints() const {
    return settings_.show == Show::Points && (scene_ || !images_.empty());
  }
  // Pages: panel*.cpp.
  void drawInputsPage();
  bool drawInput(std::size_t place);
  void drawInputEdit(std::size_t input);
  void drawInputParts(std::size_t input);
  void drawInputFile(std::size_t input);
  void moveInput(std::size_t from, std::size_t to);
  void drawDepthPage();
  void drawPeel();
  void drawPeelStrip();
  void drawPeelNumbers();
  void drawPoints();
  void drawPointViews();
  void drawSurvey();
  void drawHeaviest();
  // What pages show: technique_survey.cpp.
  void surveyCounts(Band& band);
  void surveyDepths(Band& band);
  void finishSurvey();
  /// Every setting and input that decides what the lists on the GPU hold.
  std::string listsKey();
  bool updatePoints(Effect effect, double budgetMs);
  void choosePointStage();
  void pointStep();
  void startCounting();
  void makePointImages();
  /// Work on the lists of a band. Where it does not fit beside the other bands, they go; alone, the
  /// band is cut and counting starts again.
  void workOnPoints(std::size_t band, const std::function<void(Band&)>& work);
  void countBand();
  void collectBand();
  void takeBox();
  void startDrawing();
  void drawPointLabels(PictureOverlay& overlay);
  std::string pointsText() const;
  std::vector<LegendEntry> pointLegend() const;
  struct Sourced {
    Fragment fragment;
    int source;
  };
  /// All fragments of a pixel, front to back, with the input each came from.
  std::vector<Sourced> listAt(int x, int y);
  /// The same after all edits, as it would be saved.
  std::vector<Sourced> editedAt(int x, int y);

  Settings settings_{.layout = Layout::Auto};
  Settings settled_{};  // the same with a layout
  TunedChoice tuned_{"deep", kSpace};
  std::vector<std::string> inputs_;
  std::vector<DeepImage> images_;  // files; of StreamedFiles the rows of one band
  std::shared_ptr<const StreamedFiles> files_;
  DeepImage header_;                      // of files: the merged image without fragments
  std::map<std::size_t, Picture> flats_;  // images that were flat files, by input
  float thicknessUsed_ = 0;
  float largestMove_ = 0;
  std::vector<InputFile> inputFiles_;  // per input, when they were read here
  std::size_t inputsEdited_ = 0;       // how many inputs the edits of the settings are meant for
  Effect change_ = Effect::None;
  std::shared_ptr<const Scene> scene_;  // or a scene
  std::unique_ptr<SceneRenderer> renderer_;
  Camera camera_;
  Rect window_;  // data windows of all files together, or the picture of a scene
  Rect displayWindow_;
  glm::ivec2 size_{0};
  std::uint64_t fragmentsIn_ = 0;

  gpu::Context* gpu_ = nullptr;
  std::unique_ptr<Pipeline> pipeline_;
  mutable std::vector<Band> bands_;  // what they hold is a cache: reference() may need the room
  std::size_t bandAt_ = 0, inputAt_ = 0;  // the next step: this input of this band, or showing it
  bool working_ = false;
  gpu::Texture result_, next_;
  bool resultStale_ = true;
  std::uint64_t bandBudget_ = 128u << 20;
  int bandStep_ = 1;
  BandFacts bandFacts_;
  std::string madeLists_;  // listsKey() of what the bands hold; empty while they are in work
  std::uint64_t inputsRead_ = 0;

  /// For colors that the GPU does not hold: fragments in memory that are points.
  struct PointImage {
    const DeepImage* image;
    std::uint32_t firstIndex;
    std::size_t source;
    std::unique_ptr<DeepImage> made;  // what operations left, or none: an input as it is
  };
  struct Points {
    std::vector<PointImage> images;
    PointStage stage = PointStage::Idle;
    std::string lists, key;  // what they are of
    std::size_t band = 0;    // the next to count or collect
    std::uint64_t fragments = 0, base = 0;
    PointCloud cloud;
    PointSpace space;
    std::vector<float> depths;  // of an even sample, ascending
    Camera camera = firstPointCamera();
    glm::ivec2 size{1280, 720};
    std::unique_ptr<PointView> view;
    bool shown = false;  // the view's picture is the result
  };
  Points points_;

  struct Surveying {
    std::string key;       // listsKey() of what is surveyed
    std::size_t band = 0;  // counted twice: fragments, then depths
    bool done = false;
    Survey found;
    PointCloud sample;
    std::uint64_t fragments = 0, base = 0;  // that depths are taken of
  };
  Surveying surveying_;
  bool surveyWanted_ = false;  // a page shows it
  Survey survey_;              // the newest that was finished
  DepthSample depths_;
  enum class PeelGrip { None, Near, Far, Both };
  PeelGrip peelGrip_ = PeelGrip::None;
  std::size_t openInput_ = 0;  // the one whose edits are shown; SIZE_MAX: none
  TechniqueRequest wish_;
  bool choosing_ = false, chooseNext_ = false;  // a region by dragging; the next drag does
  glm::vec2 chooseFrom_{0};
  Rect chosen_;
  Image indexedPicture_;    // the merged picture when only the CPU can composite it
  std::string indexedKey_;  // and what decided it
};

/// Two regions of one merged image as one; they do not overlap.
DeepImage joinRegions(DeepImage first, DeepImage second);

const Info& staticInfo();
Describe settings();  // the defaults, belonging to no engine
std::unique_ptr<Technique> make();
const TechniqueEntry& entry();

}  // namespace fathom::deep
