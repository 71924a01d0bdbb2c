// SPDX-License-Identifier: BSD-3-Clause
// What the window adds to the engine of deep images: the pages, the tool over the picture, the
// frames of numbered files, saving, and the survey beside the picture.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/player.h"
#include "app/engine/deep/bands/inspection.h"
#include "app/engine/deep/engine.h"
#include "app/engine/deep/operations/chain.h"
#include "app/engine/deep/read/inputs.h"
#include "app/engine/deep/settings/settings.h"
#include "app/engine/deep/view/point_scene.h"
#include "app/engine/deep/view/survey.h"
#include "app/engine/io/frame_sequence.h"
#include "app/window/parts.h"

namespace fathom::deep {

/// The other frames of files with a number in their names: which there are, those that are kept in
/// memory, and playing them. A thread of its own reads them, one after the other.
class FramePlayer : public Playing {
 public:
  using Clock = Player::Clock;
  /// These were opened: looks which frames of the first there are. What is kept of the same files
  /// stays.
  void open(const std::vector<std::string>& inputs);
  /// Frames of which one is shown; empty when there are not two.
  const std::vector<int>& frames() const { return inputs_.frames; }
  std::size_t shown() const { return shown_; }    // index into frames()
  std::size_t wanted() const { return wanted_; }  // the newest that was asked for
  bool isKept(std::size_t frame) const { return kept_.contains(frame); }
  const std::string& complaint() const { return complaint_; }

  void show(std::size_t frame);
  void play(bool on);
  bool isPlaying() const { return player_.playing(); }
  double& framesPerSecond() { return player_.frameRate; }

  /// A frame that is due and read, to be adopted by the caller; null: none yet. Reads on meanwhile.
  std::shared_ptr<const Loaded> take();

  bool animated() const override { return false; }
  std::optional<Clock::time_point> dueAt() const override;

 private:
  FrameRange range() const { return {0, int(frames().size()) - 1}; }
  bool isNextDue() const;
  void request(std::size_t frame);
  void keep(std::size_t frame, std::shared_ptr<const Loaded> read);

  const std::uint64_t cacheBytes_ = deepMemoryBudget() / 4;
  NumberedInputs inputs_;
  std::size_t shown_ = 0, wanted_ = 0;
  Player player_;
  std::map<std::size_t, std::shared_ptr<const Loaded>> kept_;
  std::optional<std::size_t> reading_;
  std::string complaint_;
  JobQueue jobs_;  // last: it waits for what uses the rest
};

/// What is drawn over the picture (labels of the box around the points, the region whose fragments
/// are points, the display window), and the mouse that chooses a region, or an object by its ID.
class RegionTool : public PictureTools {
 public:
  /// All must outlive this.
  RegionTool(Settings& settings, const Inputs& inputs, const PointScene& points,
             PixelInspection& inspection)
      : settings_(settings), inputs_(inputs), points_(points), inspection_(inspection) {}

  bool interact(const PictureInput& input) override;
  void drawOverlay(PictureOverlay& overlay) override;
  std::vector<Shortcut> actions() override;

  /// The next drag over the picture chooses a region, also without Shift.
  bool isArmed() const { return armed_; }
  void arm(bool armed) { armed_ = armed; }

 private:
  bool showsPoints() const { return settings_.show == Show::Points && inputs_.isOpen(); }
  void drawPointLabels(PictureOverlay& overlay) const;
  void drawFrame(PictureOverlay& overlay) const;
  void pickObject(glm::vec2 at);

  Settings& settings_;
  const Inputs& inputs_;
  const PointScene& points_;
  PixelInspection& inspection_;
  bool choosing_ = false, armed_ = false;
  glm::vec2 from_{0};
  Rect chosen_;
  std::string picked_, pickedIds_;  // the object that is shown alone, and what chooses it
  glm::vec2 pickedAt_{0};
};

/// What was done with a row of a list.
struct RowEdit {
  std::size_t from, to;  // places; equal: it stays
  bool picked = false, removed = false;
  bool moves() const { return from != to; }
  template <class T>
  void move(std::vector<T>& list) const {
    T moved = std::move(list[from]);
    list.erase(list.begin() + std::ptrdiff_t(from));
    list.insert(list.begin() + std::ptrdiff_t(to), std::move(moved));
  }
};
struct RowLook {
  bool open = false, on = true, removable = true;
};
/// A text that opens what belongs to it and is dragged to another place, arrows that move it, and a
/// button that removes it. Landmarks: "LIST:KEY", "LIST:up-KEY", "LIST:down-KEY",
/// "LIST:remove-KEY".
RowEdit listRow(const std::string& list, const std::string& key, const std::string& text,
                std::size_t place, std::size_t count, const RowLook& look);

/// The recipe of the settings as a list: steps are added, moved, switched off and removed, and the
/// open one shows its arguments. What is wrong with a step stands below it.
class StepList {
 public:
  StepList(Settings& settings, const Inputs& inputs) : settings_(settings), inputs_(inputs) {}
  /// New steps of an input are of this one.
  void draw(std::size_t input);

 private:
  /// True when there are other lines now; `changed`: or other words in this one.
  bool drawLine(std::vector<RecipeLine>& lines, std::size_t place, bool& changed);
  bool drawArguments(Step& step);
  bool drawInput(Step& step);
  bool drawMenu(std::vector<RecipeLine>& lines, std::size_t input);
  Step newStep(const StepKind& kind, std::size_t input) const;
  std::string complaintOf(const RecipeLine& line) const;

  Settings& settings_;
  const Inputs& inputs_;
  std::size_t open_ = SIZE_MAX;  // place
};

/// The inputs as a short list: visibility and order, what the file of each holds, and removing it;
/// and the steps.
class InputsPage {
 public:
  InputsPage(Settings& settings, const Inputs& inputs, TechniqueRequest& request)
      : settings_(settings), inputs_(inputs), steps_(settings, inputs), request_(request) {}
  void draw();

 private:
  bool drawInput(std::size_t place);
  void drawFile(std::size_t input);
  void drawParts(std::size_t input);

  Settings& settings_;
  const Inputs& inputs_;
  StepList steps_;
  std::size_t open_ = 0;  // the one whose file is shown; SIZE_MAX: none
  TechniqueRequest& request_;
};

/// The strip that peels by depth: the fragments from front to back, with a grip at either end of
/// what is shown.
class PeelStrip {
 public:
  PeelStrip(Settings& settings, const Surveyor& surveyor)
      : settings_(settings), surveyor_(surveyor) {}
  void draw();

 private:
  enum class Grip { None, Near, Far, Both };
  /// The shares of the fragments in front of either end.
  struct Ends {
    float low, high;
  };
  Grip gripAt(float share, const Ends& ends, float reach) const;
  void drag(Ends& ends, float share, float moved);
  void drawNumbers();

  Settings& settings_;
  const Surveyor& surveyor_;
  Grip grip_ = Grip::None;
};

class DeepWindowParts : public WindowParts, private Background, private Editing, private Panels {
 public:
  /// The engine must outlive this.
  explicit DeepWindowParts(DeepEngine& engine);

  /// Looks for frames beside the files that are open now.
  void adopted(const std::vector<std::string>& before) override;
  /// Brings in the next frame of a sequence.
  void advance() override;

  Surveyor& surveyor() { return surveyor_; }
  FramePlayer& frames() { return frames_; }

 private:
  bool backgroundStep(gpu::Context& gpu, double) override { return surveyor_.step(gpu); }
  /// The recipe, which sessions keep, and the history of settings has its edits; or what is merged,
  /// as a deep EXR.
  std::optional<TechniqueFile> savable() const override;
  void save(const std::string& file) override;
  std::function<void()> writer(const std::string& file) override;
  bool unsaved() const override { return false; }
  void recover(const std::string&) override {}

  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  std::optional<TechniqueStrip> strip() const override;
  void drawStrip() override;
  TechniqueRequest takeRequest() override { return std::exchange(request_, {}); }
  void drawDepthPage();
  /// Points in space: region, looks and where to look from.
  void drawPointsSection();
  /// Fragments per pixel: totals, histogram, and the pixels that have the most.
  void drawSurveySection();
  void drawHeaviest();

  void noteFrame();

  DeepEngine& engine_;
  Surveyor surveyor_;
  FramePlayer frames_;
  RegionTool tool_;
  InputsPage inputsPage_;
  PeelStrip peel_;
  TechniqueRequest request_;
};

}  // namespace fathom::deep
