// SPDX-License-Identifier: BSD-3-Clause
// Reading, drawing on the CPU, and what the window shows of any technique.
#include "tests/window/fake_technique.h"

#include "app/engine/inspect.h"
#include "app/engine/io/atomic_file.h"

namespace fathom::viewer {

namespace {

struct FakeInputs : LoadedInputs {
  glm::ivec2 size{0};
};

bool accepts(const std::vector<std::string>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [](const std::string& input) {
    return input == "spin" || input == "spin-in-slices" || input.ends_with(".pic");
  });
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  auto loaded = std::make_unique<FakeInputs>();
  loaded->names = inputs;
  glm::ivec2& size = loaded->size;
  for (const std::string& input : inputs) {
    if (input.starts_with("spin")) continue;
    progress.begin("header", 1);
    const std::string text = readFile(input);
    if (text.starts_with("late")) std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    if (std::sscanf(text.c_str(), "PIC %d %d", &size.x, &size.y) != 2)
      fail("{}: expected PIC WIDTH HEIGHT, found \"{}\"", input, text.substr(0, 12));
    if (text.find("slow") != std::string::npos) {
      progress.begin("slow rows", 100);
      for (int i = 0; i < 100; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        progress.advance(1);
      }
    }
  }
  return loaded;
}

}  // namespace

void describe(FakeSettings& s, FieldVisitor& field) {
  const Section section = Section::Picture;  // open from the beginning
  field(s.tint, choice("tint", {"red", "green", "blue"}, "Color of the left half.").under(section));
  field(
      s.level,
      range("level", 0.0f, 1.0f, "Brightness of the left half, linear.").under(section).ofInputs());
  field(s.cells, range("cells", 1, 64, "Fragments in every pixel.").under(section));
  field(s.classes, toggle("classes", "Shows a legend.").under(section));
  field(s.failing, toggle("failing", "The next picture cannot be made.").under(section));
  field(s.aside, toggle("aside", "Work beside the picture, which fails.").under(section));
}

void FakeTechnique::adopt(std::unique_ptr<LoadedInputs> inputs) {
  FakeInputs& own = ownInputs<FakeInputs>(*inputs);
  inputs_ = std::move(own.names);
  ++inputGeneration_;
  isScene_ = inputs_.front().starts_with("spin");
  inSlices_ = inputs_.front() == "spin-in-slices";
  if (isScene_)
    camera_ = Camera{};
  else
    size_ = own.size;
}

void FakeTechnique::setSize(int width, int height) {
  if (isScene_) size_ = {width, height};
}

std::optional<glm::vec3> FakeTechnique::pick(int x, int y) {
  return glm::vec3(float(x) / float(size_.x), float(y) / float(size_.y), 0);
}

glm::vec4 FakeTechnique::leftColor(int tint, float level) {
  glm::vec4 color(0, 0, 0, 1);
  color[tint] = level;
  return color;
}

Image FakeTechnique::reference() const {
  Image image(size_.x, size_.y, glm::vec4(0, 0, 0, 1));
  // A scene's border between the halves follows the camera.
  const glm::vec3 from = camera_.position - camera_.target;
  const float turn = isScene_ ? std::atan2(from.x, from.z) : 0.0f;
  const int border = int(float(size_.x) * (0.5f + turn / 6.2831853f));
  for (int y = 0; y < size_.y; ++y)
    for (int x = 0; x < std::min(border, size_.x); ++x)
      image.at(x, y) = leftColor(int(settings_.tint), settings_.level);
  if (!isScene_ && size_.x > 4 && size_.y > 4)
    image.at(size_.x - 1, 0) = glm::vec4(std::numeric_limits<float>::quiet_NaN());
  return image;
}

bool FakeTechnique::work(gpu::Context& gpu, double) {
  if (asked_ != key())
    slice_ = 0, asked_ = key();
  else if (slice_ == 0)
    return true;
  if (settings_.failing) fail("{}: expected a picture, found the setting \"failing\"", inputs_[0]);
  ++steps_;
  const gpu::Timings::Scope scope(gpu.timings(), "make test picture",
                                  gpu::Timings::Scope::Work::Compute);
  if (inSlices_) std::this_thread::sleep_for(std::chrono::milliseconds(kSliceMs));
  if (result_.width() != size_.x || result_.height() != size_.y)
    result_ = gpu::Texture(gpu, "test picture", gpu::TextureFormat::Rgba32f, size_.x, size_.y);
  result_.upload(reference());
  slice_ = inSlices_ ? (slice_ + 1) % kSlices : 0;
  return slice_ == 0;
}

bool FakeTechnique::backgroundStep() {
  if (!settings_.aside) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(kAsideMs));
  if (++asideSlices_ == kAsideSlices) fail("{}: expected work aside, found none", inputs_[0]);
  return true;
}

std::optional<PixelReport> FakeTechnique::inspect(int x, int y) {
  PixelReport report;
  report.headline = fmt::format("pixel {}, {}: {} fragments", x, y, settings_.cells);
  report.columns = {"Z", "alpha", "R", "G", "B"};
  for (int i = 0; i < settings_.cells; ++i) {
    const float z = 1.0f + float(i) * 0.7f + float(x % 5) * 0.1f,
                alpha = 0.15f + 0.1f * float(i % 5);
    const float hue = float(i) / float(settings_.cells);
    report.rows.push_back({fmt::format("{:.3f}", z), fmt::format("{:.3f}", alpha),
                           fmt::format("{:.3f}", hue), "0.400", fmt::format("{:.3f}", 1 - hue)});
    report.marks.push_back({z, i % 3 == 0 ? z + 0.4f : z, alpha, hue, 0.4f, 1 - hue, i % 2});
  }
  return report;
}

std::vector<LegendEntry> FakeTechnique::legend() const {
  if (!settings_.classes) return {};
  return {{0.2f, 0.2f, 0.8f, "1 - 8"}, {0.2f, 0.8f, 0.2f, "9 - 16"}, {0.9f, 0.3f, 0.2f, "17 - 32"}};
}

std::vector<std::pair<std::string, std::string>> FakeTechnique::facts() const {
  return {{"steps", std::to_string(steps_)}};
}

namespace {

struct FakeParts : WindowParts, Background {
  explicit FakeParts(Engine& engine) : technique(static_cast<FakeTechnique&>(engine)) {
    background = this;
  }
  bool backgroundStep(gpu::Context&, double) override { return technique.backgroundStep(); }
  FakeTechnique& technique;
};

}  // namespace

const WindowEntry& fakeWindowEntry() {
  static const WindowEntry entry{"fake", {}, [](Engine& engine) -> std::unique_ptr<WindowParts> {
                                   return std::make_unique<FakeParts>(engine);
                                 }};
  return entry;
}

const TechniqueEntry& fakeEntry() {
  static const TechniqueEntry entry{
      .info = {"fake", "Test pictures", "Flat colors that a test can foresee.", "none", {".pic"}},
      .accepts = accepts,
      .read = read,
      .settings = defaultSettings<FakeSettings>,
      .make = makeEngine<FakeTechnique>};
  return entry;
}

}  // namespace fathom::viewer
