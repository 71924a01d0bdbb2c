// SPDX-License-Identifier: BSD-3-Clause
// Pictures that leave the window: files as the export sheet says, and the clipboard.
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/flat_exr.h"
#include "app/engine/io/flat_formats.h"
#include "app/system/machine.h"
#include "app/window/workspace/actions.h"

namespace fathom::viewer {
namespace {

/// Beside the file that is open, and none of those.
std::string suggestion(const Workspace& w, const std::string& ending) {
  const std::vector<std::string> inputs = w.document.technique()->inputs();
  std::error_code ignored;
  const std::string input = inputs.empty() ? "picture" : splitPart(inputs[0]).first;
  const fs::path open = fs::exists(input, ignored)
                            ? fs::absolute(input, ignored)
                            : fs::current_path(ignored) / input.substr(0, input.find(':'));
  fs::path file = open.parent_path() / (open.stem().string() + ending);
  if (fs::equivalent(file, open, ignored))
    file.replace_filename(open.stem().string() + "-export" + ending);
  return file.string();
}

/// As the window shows it, over its background.
std::vector<std::uint8_t> displayed(Workspace& w, const gpu::Texture& picture) {
  return w.viewport.displayed(w.gpu, picture, picture.size(), w.display, w.valueRange(), w.color);
}

void writeDisplayed(const std::string& file, glm::ivec2 size, std::vector<std::uint8_t> rgba) {
  if (endingOf(file) != ".ppm") return writePngBytes(file, size.x, size.y, 4, rgba);
  std::size_t to = 0;
  for (std::size_t from = 0; from < rgba.size(); from += 4)
    for (std::size_t c = 0; c < 3; ++c) rgba[to++] = rgba[from + c];
  rgba.resize(to);
  writePpm(file, size.x, size.y, rgba);
}

void writeLinear(const ExportChoice& choice, const Image& image, const Rect& window,
                 float pixelAspect) {
  const std::string ending = endingOf(choice.file);
  if (ending == ".exr") {
    FlatExrOptions options{.asFloat = choice.asFloat, .withAlpha = choice.alpha};
    options.dataWindow = options.displayWindow = window, options.pixelAspect = pixelAspect;
    writeFlatExr(choice.file, image, options);
  } else if (ending == ".ppm") {
    writePpm(choice.file, image.width, image.height, pictureValues(image, 1, PngAlpha::OverBlack));
  } else {
    const PngAlpha alpha = choice.alpha ? PngAlpha::Straight : PngAlpha::OverBlack;
    writePngBytes(choice.file, image.width, image.height, choice.alpha ? 4 : 3,
                  pictureValues(image, choice.bits / 8, alpha), choice.bits);
  }
}

void write(Workspace& w, const ExportChoice& choice, const gpu::Texture& picture) {
  const Frame frame = w.document.technique()->frame();
  const glm::ivec2 size = picture.size();
  const std::string done = fmt::format("Saved {}, {} x {}", choice.file, size.x, size.y);
  if (choice.displayed && endingOf(choice.file) != ".exr")
    return w.writer.write([file = choice.file, size,
                           rgba = displayed(w, picture)] { writeDisplayed(file, size, rgba); },
                          done);
  const auto image = std::make_shared<const Image>(picture.downloadImage());
  const Rect window{frame.origin.x, frame.origin.y, size.x, size.y};
  w.writer.write([choice, image, window,
                  aspect = frame.pixelAspect] { writeLinear(choice, *image, window, aspect); },
                 done);
}

/// Of this process, for a moment.
fs::path passingFile(const char* name) {
  std::error_code ignored;
  fs::create_directories(system::configFolder(), ignored);
  return system::configFolder() / name;
}

}  // namespace

void openExport(Workspace& w) {
  if (!w.document.hasPicture()) return;
  Workspace::ExportSheet& sheet = w.exportSheet;
  if (sheet.choice.file.empty()) {
    const bool own = w.document.active().parts().exporting != nullptr;
    sheet.choice.file = suggestion(w, own ? ".png" : sheet.ending.empty() ? ".exr" : sheet.ending);
    sheet.choice.samples = 0;
    sheet.choice.alpha = !own;
    sheet.choice.asFloat = w.document.picture()->format() == gpu::TextureFormat::Rgba32f;
  }
  sheet.open = sheet.appears = sheet.selectStem = true;
  sheet.asks = false;
}

void startExport(Workspace& w) {
  const ExportChoice choice = w.exportSheet.choice;
  if (Exporting* const part = w.document.active().parts().exporting) {
    w.exportSheet.open = false;  // the status line says how far it is
    return part->start(choice);
  }
  w.exportSheet.ending = endingOf(choice.file);
  if (!w.document.complete())
    fail("{}: expected a complete image, found one in progress", choice.file);
  w.exportSheet.open = false;
  PictureMaker& pictures = w.document.pictures();
  if (choice.size.x == 0 || choice.size == pictures.size())
    return write(w, choice, *w.document.picture());
  w.exportSheet.rendering = choice.file;
  w.exportSheet.open = true;
  pictures.renderB(valuesOf(w.document.technique()->settings()), choice.size,
                   [&w, choice](PictureMaker::PictureB made) {
                     w.exportSheet.rendering.clear();
                     w.exportSheet.open = false;
                     if (made.picture) return write(w, choice, made.picture);
                     const bool cancelled = made.error.empty();
                     if (!cancelled) w.messages.error(choice.file + ": not written: " + made.error);
                   });
}

void cancelExport(Workspace& w) {
  if (Exporting* const part = w.document.active().parts().exporting) return part->cancel();
  w.document.pictures().endB({});
}

void cancelRecording(Workspace& w) {
  w.recorder.cancel(w.document);
  w.messages.note("Recording stopped; no file was written.");
}

// ---- The clipboard

void copyImage(Workspace& w) {
  if (!w.document.hasPicture()) return;
  const glm::ivec2 size = w.document.picture()->size();
  w.writer.run(
      [&w, size, rgba = displayed(w, *w.document.picture())] {
        const fs::path file = passingFile("copied.png");
        writePngBytes(file, size.x, size.y, 4, rgba);
        w.clipboard.copy(readFile(file));
        fs::remove(file);
      },
      [&w] { w.messages.note("Image copied"); });
}

void pasteImage(Workspace& w) {
  const auto png = std::make_shared<std::string>();
  w.writer.run([png] { *png = system::PictureClipboard::paste(); },
               [&w, png] {
                 if (png->empty()) return w.messages.note("There is no image on the clipboard");
                 const fs::path file = passingFile("pasted.png");
                 w.reportErrors([&] { writeFile(file, *png); });
                 w.open({file.string()});
               });
}

}  // namespace fathom::viewer
