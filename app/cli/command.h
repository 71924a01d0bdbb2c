// SPDX-License-Identifier: BSD-3-Clause
// Subcommands of a technique (`fathom deep merge`), as data. commands/ turns a Command into flags,
// help and checks; run() does the work with what the context hands it: inputs, output, settings
// already assigned, a GPU when asked for, progress and report.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/engine.h"
#include "app/engine/io/run_record.h"
#include "app/engine/scene/camera.h"

namespace fathom {

/// A flag of one command beyond the common ones and the settings.
struct CommandFlag {
  std::string name;       // "pixel" for --pixel
  std::string valueName;  // "X,Y"; empty: a switch without a value
  std::string help;
  std::string fallback{};  // the text when it is not given; shown in the help
  bool required = false;
  bool writes = false;  // names a file that the command writes
};

/// What may stand on the command line besides flags.
struct CommandInputs {
  std::string name = "IN";         // in the help
  int minCount = 1, maxCount = 1;  // maxCount < 0: any number
  std::string help;
  bool images = false;  // a PNG, JPEG, ... is welcome
};

/// What a program that runs commands inside itself (app/python) lends them. Set for the thread that
/// runs them; null on the command line.
struct CommandHost {
  /// A context that stays when the command ends; its timings are cleared for it.
  std::function<std::shared_ptr<gpu::Context>(const gpu::ContextOptions&)> context{};
  /// How far the work is; null when it ends.
  std::function<void(const Progress*)> watch{};
  static CommandHost*& ofThread();
};

class CommandContext {
 public:
  CommandContext(std::unique_ptr<Engine> technique, gpu::ContextOptions contextOptions);
  ~CommandContext();

  std::vector<std::string> inputs;
  std::string output;                    // --output; empty when not given
  std::optional<glm::ivec2> size;        // --size
  std::optional<int> frame;              // of a sequence whose names have a number
  std::vector<std::string> firstInputs;  // of a sequence's first frame, for what holds for all
  std::uint64_t seed = 1;                // --seed
  int exitCode = 0;                      // of a run that came to its end
  Progress progress;                     // shown on standard error when that is a terminal
  RunRecord record;  // what --json writes; passes, settings, device and wall time are
                     // filled in by the framework after run()

  /// The technique with the settings of the command line assigned.
  Engine& technique() { return *technique_; }
  /// The same as its own type, for a technique's own commands.
  template <class T>
  T& as() {
    return dynamic_cast<T&>(*technique_);
  }

  /// The GPU, made at the first call (software rendering takes about 100 ms for that). The whole
  /// command is one frame of gpu().timings(): commands do not call beginFrame(). Throws
  /// NoDeviceError.
  gpu::Context& gpu();
  /// Reads on another thread while the GPU is brought up; the technique then adopts what was read.
  /// A wrong file is reported before a missing GPU. The time becomes the phase "read".
  void readBesideGpu(const std::function<std::unique_ptr<LoadedInputs>()>& read);
  bool hasGpu() const { return gpu_ != nullptr; }
  /// What the work returns; its time becomes this phase.
  template <class Work>
  auto timed(const char* phase, const Work& work) {
    const PhaseTimer timer(record, phase);
    return work();
  }
  /// The technique's picture; the time becomes the phase "download".
  Image download();

  /// The text of a CommandFlag, or its fallback. A switch reads "on" or "off".
  const std::string& text(const std::string& flag) const;
  bool given(const std::string& flag) const;
  bool on(const std::string& flag) const { return text(flag) == "on"; }
  /// Throw UsageError naming the flag when the text is not a number in the range, or not a pair.
  int number(const std::string& flag, int low, int high) const;
  double real(const std::string& flag, double low, double high) const;
  glm::ivec2 pair(const std::string& flag) const;  // "X,Y" or "WxH"

  /// A line of the result on standard output.
  void print(const std::string& line);

  // The rest is for commands/, which makes the context.
  bool silent = false;   // print() does nothing: standard output belongs to the JSON
  void finishTimings();  // ends the frame that gpu() began and waits for its timers
  void setFlag(const std::string& name, std::string text, bool given) {
    flags_[name] = {std::move(text), given};
  }

 private:
  struct FlagValue {
    std::string text;
    bool given = false;
  };
  // The order matters: what the technique holds on the GPU goes before the context does.
  gpu::ContextOptions contextOptions_;
  std::shared_ptr<gpu::Context> gpu_;
  std::unique_ptr<Engine> technique_;
  std::map<std::string, FlagValue> flags_;
};

/// What --output names, required unless optional.
struct CommandOutput {
  std::vector<std::string> endings;  // of a file, ".exr"; empty: the command writes none
  bool optional = false;
  bool folder = false;  // new or empty, instead of a file
  bool later = false;   // another command writes it: no standard output
};

struct Command {
  std::string name;     // "merge"
  std::string help;     // one sentence
  std::string example;  // a whole command line: "fathom deep merge a.exr b.exr -o both.exr"
  CommandInputs inputs;
  CommandOutput output;
  std::vector<CommandFlag> flags;
  void (*run)(CommandContext&) = nullptr;
  bool takesSettings = true;  // the technique's settings are flags of this command
  bool sequences = false;     // inputs and output may be numbered files: run() once per frame
  /// The frames to do when --frames does not say; null or none: those that the inputs have.
  std::vector<int> (*ownFrames)(const CommandContext&) = nullptr;
};

/// Is the file there and not empty, which means complete, and no older than these inputs ("FILE" or
/// "FILE#PART")?
bool isUpToDate(const std::string& output, const std::vector<std::string>& inputs);

// Colors that are written, and where a scene is seen from

/// With --display, --view and --colorspace behind them, which are obeyed where pictures are
/// written; without --view where that is something else.
std::vector<CommandFlag> withColor(std::vector<CommandFlag> flags, bool hasView = true);
/// With --eye, --target, --up and --fov behind them.
std::vector<CommandFlag> withCamera(std::vector<CommandFlag> flags);

/// Does the command line say anything of the camera?
bool placesCamera(const CommandContext& context);

/// Moves the camera to where the flags say; what they leave open stays as it is. Throws UsageError.
void placeCamera(const CommandContext& context, Camera& camera);

}  // namespace fathom

// The commands of the techniques, in the order of the manual.
namespace fathom::deep {
const std::vector<Command>& commands();
}
namespace fathom::dof {
const std::vector<Command>& commands();
}
namespace fathom::flame {
const std::vector<Command>& commands();
}
namespace fathom::smoe {
const std::vector<Command>& commands();
/// "9x9": views along a1 and a2, each 1..64. Throws UsageError.
glm::ivec2 parseGrid(const std::string& text);
}  // namespace fathom::smoe
namespace fathom::active_pixel {
const std::vector<Command>& commands();
}
