// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/command_capture.h"

#include "app/techniques/smoe/framing.h"

namespace fathom::smoe {

const std::vector<CommandFlag>& captureFlags() {
  static const std::vector<CommandFlag> flags{
      {"grid", "AxB", "Views to the right and downward", "9x9"},
      {"disparity", "PX", "The most that anything moves from view to view", "1"},
      {"focus-distance", "M", "What stays in place; 0: between the nearest and the farthest", "0"},
      {"samples-per-pixel", "N", "Along each axis of a pixel of a view, 1 to 8", "4"}};
  return flags;
}

CaptureRequest captureRequest(const CommandContext& context) {
  CaptureRequest request;
  request.grid = parseGrid(context.text("grid"));
  if (context.size) request.size = *context.size;
  request.disparity = context.real("disparity", 0.01, 16);
  request.focus = context.real("focus-distance", 0, 1e6);
  request.samples = context.number("samples-per-pixel", 1, 8);
  return request;
}

void reportCapture(CommandContext& context, const CaptureFacts& facts) {
  context.report.set("focus", facts.focus);
  context.report.set("baseline", facts.baseline);
  context.report.set("near", facts.nearZ);
  context.report.set("far", facts.farZ);
  context.report.set("disparity_low", facts.disparityLow);
  context.report.set("disparity_high", facts.disparityHigh);
}

void runCapture(CommandContext& context) {
  const CaptureRequest request = captureRequest(context);
  std::shared_ptr<const Scene> scene;
  {
    const PhaseTimer timer(context.report, "read");
    scene = loadScene(context.inputs[0], context.progress);
  }
  context.report.size = {request.size.x, request.size.y};
  const PhaseTimer timer(context.report, "draw and write");
  ViewCapture capture(context.gpu(), scene, request, context.progress);
  writeViews(capture, context.output, context.progress);
  const CaptureFacts& facts = capture.facts();
  context.print(fmt::format("{} views of {} x {}; focus {:.3f} m, baseline {:.4f} m per step",
                            request.grid.x * request.grid.y, request.size.x, request.size.y,
                            facts.focus, facts.baseline));
  context.print(fmt::format("depth {:.2f} to {:.2f} m moves by {:.2f} to {:.2f} px per step",
                            facts.nearZ, facts.farZ, facts.disparityLow, facts.disparityHigh));
  context.report.set("views", std::int64_t(request.grid.x) * request.grid.y);
  reportCapture(context, facts);
}

Command captureCommand() {
  Command command{"capture",
                  "Draws a grid of views of a scene, a light field, into a folder.",
                  "fathom smoe capture atrium --grid 9x9 --size 256x192 -o views",
                  {"SCENE", 1, 1, "A built-in scene or an OBJ file"},
                  {},
                  false,
                  captureFlags(),
                  runCapture,
                  false};
  command.outputFolder = true;
  return command;
}

}  // namespace fathom::smoe
