// SPDX-License-Identifier: BSD-3-Clause
// The paper's Table 1: how exact each mode of decoding is. The truth is a model in float64 decoded
// in float64 from all its components. The error is taken apart: culling is what the lists leave
// out, parameters what rounding the model costs (whitened records: float32 and fixed point; the
// paper's form: mean and covariance in float32), arithmetic what computing in float32 adds.
#include "app/engine/core/random.h"
#include "app/lab/smoe/accuracy.h"
#include "app/lab/smoe/bench.h"
#include "app/lab/smoe/models.h"
#include "app/lab/smoe/paper.h"

#include <cmath>

namespace fathom::smoe {
namespace {

/// A model in float64 that rounds to this one: as if it had not been rounded yet. Each number moves
/// by less than half a step.
std::vector<Record> unrounded(const Model& model, std::uint64_t seed) {
  Random random(seed);
  const auto nudge = [&](double& value) {
    const float rounded = float(value);
    const double step = double(std::nextafter(rounded, INFINITY)) - double(rounded);
    value += 0.49 * step * double(random.uniform(-1, 1));
  };
  std::vector<Record> records;
  const double step = std::ldexp(0.49, -model.centerFractionBits);
  for (const Component& component : model.components) {
    Record r = exact(component, model);
    for (int k = 0; k < 2; ++k) r.center[k] += step * double(random.uniform(-1, 1));
    for (double* value : {&r.c, &r.w11, &r.w21, &r.w22}) nudge(*value);
    for (int i = 0; i < 3; ++i) {
      nudge(r.color[i]);
      for (int k = 0; k < 2; ++k) nudge(r.h[i][k]);
    }
    records.push_back(r);
  }
  return records;
}

/// What the paper's form makes of them: mean and covariance in float32, factored in float64.
std::vector<Record> throughFloatCovariances(const std::vector<Record>& records) {
  std::vector<Record> result;
  for (const Record& record : records) {
    Gaussian g = unwhiten(record, 2);
    // The prior's scale is not the question.
    const double logPrior = std::log(g.prior);
    g.prior = 1;
    for (double& value : g.mean) value = double(float(value));
    for (auto& row : g.covariance)
      for (double& value : row) value = double(float(value));
    Record r = whiten(g, 2, "a component");
    r.c += double(float(logPrior));
    result.push_back(r);
  }
  return result;
}

struct PrecisionRow {
  std::string label;
  Mode mode;
  std::string paperRow;  // of Table 1; "record" is ours
};

const std::vector<PrecisionRow> kRows{{"record", Mode::Record, "record"},
                                      {"paper fast", Mode::PaperFast, "fast"},
                                      {"paper slow", Mode::PaperSlow, "slow"}};

class Precision {
 public:
  Precision(BenchRun& run, const Model& model)
      : run_(run), model_(model), decoder_(run.gpu()), truthRecords_(unrounded(model, run.seed())) {
    window_.size = {model.width, model.height};
    truth_ = reference::decode(truthRecords_, gridOf(window_));
    picture_ = gpu::Texture(run.gpu(), "bench picture", gpu::TextureFormat::Rgba32f, window_.size.x,
                            window_.size.y);
    decoder_.setModel(model_);
  }

  void measure(const std::string& workload, DecodeOptions options) {
    for (const PrecisionRow& row : kRows) {
      options.mode = row.mode;
      BenchCase c;
      c.workload = workload;
      c.label = row.label;
      c.size = window_.size;
      c.work = double(window_.size.x) * window_.size.y;
      const bool paperRule = options.relevance == Relevance::Window;
      for (const char* value : {kMseValue, kMaxValue, kBitsValue, kStrictBitsValue})
        c.paper.push_back(
            {kTable1, row.paperRow + (paperRule ? "" : ", bounded 14 bits"), value, value});
      c.trial = [&] { decodeAll(decoder_, window_, options, picture_); };
      c.check = [&] { return check(row, options); };
      run_.measure(c);
    }
  }

 private:
  CheckResult check(const PrecisionRow& row, const DecodeOptions& options) {
    const auto lists = downloadLists(decoder_, window_, options.tilePixels);
    const auto decodeListed = [&](const std::vector<Record>& records) {
      return reference::decode(records, gridOf(window_), lists, options.tilePixels);
    };
    const auto found = rawColors(decoder_, window_);
    const std::vector<Record> parameters = row.mode == Mode::Record
                                               ? reference::recordsOf(model_, {})
                                               : throughFloatCovariances(truthRecords_);
    const auto culled = decodeListed(truthRecords_), parametric = decodeListed(parameters);
    const Accuracy total = accuracyOf(found, truth_);
    const std::string how = fmt::format("{}: culling {} parameters {} arithmetic {}", total.text(),
                                        shortNumber(accuracyOf(culled, truth_).max),
                                        shortNumber(accuracyOf(parametric, culled).max),
                                        shortNumber(accuracyOf(found, parametric).max));
    // The window rule can err by anything; what is computed from its lists must not.
    const double arithmetic = accuracyOf(found, culled).max;
    return {arithmetic < 5e-3,
            how,
            fmt::format("differs from float64 with the same lists by {}", arithmetic),
            {{kMseValue, total.luminanceMse},
             {kMaxValue, total.maxPixelMse},
             {kBitsValue, double(total.paperBits())},
             {kStrictBitsValue, double(total.strictBits())}}};
  }

  BenchRun& run_;
  const Model& model_;
  Decoder decoder_;
  std::vector<Record> truthRecords_;
  ViewWindow window_;
  std::vector<glm::dvec3> truth_;
  gpu::Texture picture_;
};

void runPrecision(BenchRun& run) {
  const Model model = carLike(run);
  Precision precision(run, model);
  DecodeOptions window;
  window.relevance = Relevance::Window;
  window.windowBorder = 16, window.tilePixels = 32, window.masks = false;
  precision.measure("Car-like, window 16", window);
  DecodeOptions bounded;
  bounded.bits = 14;
  precision.measure("Car-like, bounded 14 bits", bounded);
}

}  // namespace

Bench precisionBench() {
  return {"smoe.precision",
          "Errors of each way of decoding, against float64.",
          "Avramelos, table 1",
          "pixels",
          {},
          runPrecision,
          {table1()}};
}

}  // namespace fathom::smoe
