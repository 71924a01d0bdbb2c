// SPDX-License-Identifier: BSD-3-Clause
// SMoE models and IceT's images as arrays, genomes of flames as nested dicts: the visitors of
// genome/fields.h in both directions.
#include "app/python/bindings.h"
#include "app/python/worker.h"

#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/flame/genome/fields.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/smoe/model/file.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace fathom::python {
namespace {

// ---- SMoE models

/// The layout of smoe::Component, field by field.
py::dtype componentType() {
  using smoe::Component;
  const py::dict layout;
  py::list names, formats, offsets;
  const auto field = [&](const char* name, const char* format, std::size_t offset) {
    names.append(name), formats.append(format), offsets.append(offset);
  };
  field("center", "(2,)i4", offsetof(Component, cx));
  field("c", "f4", offsetof(Component, c));
  field("w", "(3,)f4", offsetof(Component, w11));
  field("color", "(3,)f4", offsetof(Component, color));
  field("h", "(3,2)f4", offsetof(Component, h));
  field("lead_center", "(2,)f4", offsetof(Component, leadCenter));
  field("lead_w", "(3,)f4", offsetof(Component, leadW11));
  field("m", "(2,2)f4", offsetof(Component, m));
  field("lead_h", "(3,2)f4", offsetof(Component, leadH));
  layout["names"] = names, layout["formats"] = formats, layout["offsets"] = offsets;
  layout["itemsize"] = sizeof(Component);
  return py::dtype::from_args(layout);
}

py::dict modelTable(smoe::Model&& model) {
  py::dict table;
  table["dims"] = model.dims, table["width"] = model.width, table["height"] = model.height;
  table["frames"] = model.frames, table["views"] = py::make_tuple(model.views.x, model.views.y);
  table["view_origin"] = py::make_tuple(model.viewOrigin.x, model.viewOrigin.y);
  table["color_space"] = smoe::kColorSpaceWords[std::size_t(model.colorSpace)];
  table["peak"] = model.peak;
  table["center_fraction_bits"] = model.centerFractionBits;
  table["source"] = model.source, table["fit"] = model.fit, table["psnr"] = model.psnr;
  table["alpha"] =
      model.alpha ? py::object(modelTable(smoe::Model(*model.alpha))) : py::object(py::none());
  const auto held =
      std::make_shared<const std::vector<smoe::Component>>(std::move(model.components));
  table["components"] = viewOf(componentType(), {py::ssize_t(held->size())},
                               {py::ssize_t(sizeof(smoe::Component))}, held->data(), held);
  return table;
}

py::dict readModelFile(const fs::path& path, const py::object& progress) {
  smoe::Model model;
  Worker::instance().run([&](Progress& shown) { model = smoe::readModel(path, shown); }, progress);
  return modelTable(std::move(model));
}

smoe::ColorSpace colorSpaceNamed(const std::string& name) {
  const std::vector<std::string>& words = smoe::kColorSpaceWords;
  const auto at = std::find(words.begin(), words.end(), name);
  if (at == words.end())
    failUsage("color_space: expected one of {}, found \"{}\"", fmt::join(words, ", "),
              name.c_str());
  return smoe::ColorSpace(at - words.begin());
}

/// A model of checked shape; validate() looks at its values.
smoe::Model modelFrom(const py::dict& table) {
  smoe::Model model;
  model.dims = table["dims"].cast<int>();
  model.width = table["width"].cast<int>(), model.height = table["height"].cast<int>();
  model.frames = table["frames"].cast<int>();
  const auto views = table["views"].cast<std::array<int, 2>>();
  const auto origin = table["view_origin"].cast<std::array<double, 2>>();
  model.views = {views[0], views[1]}, model.viewOrigin = {origin[0], origin[1]};
  model.colorSpace = colorSpaceNamed(table["color_space"].cast<std::string>());
  model.peak = table["peak"].cast<double>();
  model.centerFractionBits = table["center_fraction_bits"].cast<int>();
  model.source = table["source"].cast<std::string>(), model.fit = table["fit"].cast<std::string>();
  model.psnr = table["psnr"].cast<double>();
  const auto given = table["components"].cast<py::array>();
  if (given.ndim() != 1 || !given.dtype().equal(componentType()))
    failUsage("components: expected fathom.smoe.COMPONENT of shape (count,), found {}",
              described(given));
  const py::array array = py::module_::import("numpy").attr("ascontiguousarray")(given);
  model.components.resize(std::size_t(array.shape(0)));
  std::memcpy(static_cast<void*>(model.components.data()), array.data(),
              model.components.size() * sizeof(smoe::Component));
  if (const auto alpha = table["alpha"].cast<py::object>(); !alpha.is_none())
    model.alpha = std::make_shared<const smoe::Model>(modelFrom(alpha.cast<py::dict>()));
  return model;
}

void writeModelFile(const py::dict& table, const std::string& path, const std::string& encoding) {
  const smoe::Model model = modelFrom(table);
  const auto as = smoe::Encoding(
      wordIndex("encoding", encoding.c_str(), {"f32", "archive", "compact", "packed"}));
  Worker::instance().run([&](Progress&) {
    smoe::validate(model, "model");
    smoe::save(path, model, as);
  });
}

// ---- IceT's images

py::array wordsOf(active_pixel::SparseImage&& image) {
  const auto held = std::make_shared<const std::vector<std::uint32_t>>(std::move(image.words));
  return viewOf(py::dtype("uint32"), {py::ssize_t(held->size())}, {4}, held->data(), held);
}

/// The words and what their header says. Throws Error: damaged.
py::dict icetTable(active_pixel::SparseImage&& image, const std::string& name) {
  const active_pixel::SparseFacts facts =
      active_pixel::reference::check(image.words, active_pixel::compositingOf(image.words), name);
  py::dict table;
  table["width"] = facts.width, table["height"] = facts.height;
  table["color"] =
      facts.format.color == active_pixel::Color::None ? "" : active_pixel::name(facts.format.color);
  table["depth"] = facts.format.depth != active_pixel::Depth::None;
  table["active"] = facts.active, table["runs"] = facts.runs, table["ratio"] = facts.ratio;
  table["words"] = wordsOf(std::move(image));
  return table;
}

py::dict readIcetFile(const fs::path& path) {
  active_pixel::SparseImage image;
  Worker::instance().run([&](Progress&) { image = active_pixel::readIcet(path); });
  return icetTable(std::move(image), path.string());
}

py::dict icetFrom(const py::array& given) {
  if (given.ndim() != 1 || given.dtype().kind() != 'u' || given.dtype().itemsize() != 4)
    failUsage("words: expected uint32 of shape (count,), found {}", described(given));
  const auto words = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>(given);
  const std::vector<std::uint32_t> copy(words.data(), words.data() + words.size());
  return icetTable(active_pixel::parseIcet(std::as_bytes(std::span(copy)), "words"), "words");
}

void writeIcetFile(const py::array& words, const fs::path& path) {
  const py::dict checked = icetFrom(words);
  const auto kept = checked["words"].cast<py::array>();
  const std::span<const std::uint32_t> all(static_cast<const std::uint32_t*>(kept.data()),
                                           std::size_t(kept.size()));
  Worker::instance().run([&](Progress&) { active_pixel::writeIcet(path, all); });
}

// ---- Genomes

/// Puts fields into a dict, under their plain names.
struct ToDict {
  py::dict out;
  template <class T>
  void set(flame::FieldName name, const T& v) {
    out[py::str(std::string(name.plain))] = v;
  }
  void text(flame::FieldName name, const std::string& v) { set(name, v); }
  void real(flame::FieldName name, double v, unsigned) { set(name, v); }
  void integer(flame::FieldName name, int v, unsigned) { set(name, v); }
  void reals(flame::FieldName name, const double* v, int count, unsigned) {
    set(name, py::tuple(py::cast(std::vector<double>(v, v + count))));
  }
  void pixels(flame::FieldName name, glm::ivec2 v, unsigned) {
    set(name, py::make_tuple(v.x, v.y));
  }
  template <class E>
  void word(flame::FieldName name, E v, std::span<const std::string_view> words, unsigned) {
    set(name, std::string(words[std::size_t(v)]));
  }
  void triple(const std::array<const char*, 3>&, const char* name, const glm::dvec3& v, unsigned) {
    set(name, py::make_tuple(v.x, v.y, v.z));
  }
  template <class Members>
  void group(const char* name, Members&& members) {
    ToDict inner;
    members(inner);
    set(name, inner.out);
  }
  void affine(const char* name, const flame::Affine& a) {
    set(name, py::make_tuple(a.a, a.d, a.b, a.e, a.c, a.f));
  }
  template <class T>
  void value(const char* name, const T& v) {
    set(name, v);
  }
};

/// Takes them back, with the dict's own names in what is wrong.
struct FromDict {
  py::dict in;
  template <class T>
  T get(flame::FieldName field) {
    const std::string name(field.plain);
    try {
      return in[name.c_str()].cast<T>();
    } catch (const py::cast_error&) {
      failUsage("genome: {}: expected another kind of value, found {}", name,
                brief(in[name.c_str()]));
    } catch (const py::error_already_set&) {
      failUsage("genome: expected a field {}, found none", name);
    }
  }
  static double finite(flame::FieldName name, double v) {
    if (!std::isfinite(v))
      failUsage("genome: {}: expected a finite number, found {}", name.plain, v);
    return v;
  }
  void text(flame::FieldName name, std::string& v) { v = get<std::string>(name); }
  void real(flame::FieldName name, double& v, unsigned) { v = finite(name, get<double>(name)); }
  void integer(flame::FieldName name, int& v, unsigned) { v = get<int>(name); }
  void reals(flame::FieldName name, double* v, int count, unsigned) {
    const auto given = get<std::vector<double>>(name);
    if (int(given.size()) != count)
      failUsage("genome: {}: expected another kind of value, found {}", name.plain,
                brief(in[std::string(name.plain).c_str()]));
    for (int i = 0; i < count; ++i) v[i] = finite(name, given[std::size_t(i)]);
  }
  void pixels(flame::FieldName name, glm::ivec2& v, unsigned) {
    const auto two = get<std::array<int, 2>>(name);
    v = {two[0], two[1]};
  }
  template <class E>
  void word(flame::FieldName name, E& v, std::span<const std::string_view> words, unsigned) {
    const auto text = get<std::string>(name);
    const auto at = std::find(words.begin(), words.end(), text);
    if (at == words.end())
      failUsage("genome: {}: expected {}, found \"{}\"", name.plain, fmt::join(words, ", "),
                text.c_str());
    v = E(at - words.begin());
  }
  void triple(const std::array<const char*, 3>&, const char* name, glm::dvec3& v, unsigned use) {
    reals(name, glm::value_ptr(v), 3, use);
  }
  template <class Members>
  void group(const char* name, Members&& members) {
    FromDict inner{get<py::dict>(name)};
    members(inner);
  }
  void affine(const char* name, flame::Affine& a) {
    const auto v = get<std::array<double, 6>>(name);
    for (const double number : v) finite(name, number);
    a = {v[0], v[1], v[2], v[3], v[4], v[5]};
  }
  template <class T>
  void value(const char* name, T& v) {
    v = get<T>(name);
  }
};

template <class Io, class Xform>
void xformFields(Io& io, Xform& x) {
  io.real("weight", x.weight, 0), io.real("color", x.color, 0);
  flame::visitXformFields(x, io);
  io.affine("coefs", x.coefs), io.affine("post", x.post);
  io.value("chaos", x.chaos), io.value("other", x.other);
}

template <class Io, class Settings>
void layerFields(Io& io, Settings& layer) {
  io.text("name", layer.name), io.real("weight", layer.weight, 0);
  io.real("density", layer.density, 0), io.value("visible", layer.visible);
  io.value("other", layer.other);
}

template <class Io, class Genome>
void genomeFields(Io& io, Genome& g) {
  io.word("dialect", g.dialect, flame::kDialects, 0);
  flame::visitGenomeFields(g, io);
  io.group("layer", [&](auto& inner) { layerFields(inner, g.layerSettings); });
  io.value("other", g.other), io.value("children", g.children);
}

py::dict tableOf(const flame::Xform& xform) {
  ToDict io;
  xformFields(io, xform);
  py::dict weights, parameters;
  for (const flame::VariationUse& use : xform.variations) {
    const flame::VariationInfo& info = flame::variations()[std::size_t(use.index)];
    weights[py::str(std::string(info.name))] = use.weight;
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
      parameters[py::str(fmt::format("{}_{}", info.name, info.parameters[p].name))] =
          use.parameters[p];
  }
  io.out["variations"] = weights, io.out["parameters"] = parameters;
  py::list motions;
  for (const flame::Xform::Motion& motion : xform.motions) {
    py::dict table;
    table["frequency"] = motion.frequency;
    table["function"] = int(motion.function), table["fields"] = motion.fields;
    motions.append(table);
  }
  io.out["motions"] = motions;
  return io.out;
}

py::dict tableOf(const flame::ToneCurve& curve) {
  py::list points, spline;
  for (const glm::dvec3& p : curve.points) points.append(py::make_tuple(p.x, p.y, p.z));
  for (const glm::dvec2& p : curve.spline) spline.append(py::make_tuple(p.x, p.y));
  py::dict table;
  table["points"] = points, table["spline"] = spline;
  return table;
}

/// What a genome and each of its layers have: xforms and a palette.
template <class Flame>
void tableXforms(py::dict& table, const Flame& flame) {
  py::list xforms, further;
  for (const flame::Xform& xform : flame.xforms) xforms.append(tableOf(xform));
  for (const flame::Xform& xform : flame.furtherFinals) further.append(tableOf(xform));
  table["xforms"] = xforms, table["further_finals"] = further;
  table["final_xform"] =
      flame.finalXform ? py::object(tableOf(*flame.finalXform)) : py::object(py::none());
  py::array_t<float> palette({256, 4});
  std::memcpy(palette.mutable_data(), flame.palette.data(), sizeof(flame::Palette));
  table["palette"] = palette;
}

py::dict tableOf(const flame::Genome& genome) {
  ToDict io;
  genomeFields(io, genome);
  py::list curves, lost, layers;
  for (const flame::ToneCurve& curve : genome.curves) curves.append(tableOf(curve));
  for (const flame::UnsupportedFeature& one : genome.lost)
    lost.append(py::make_tuple(one.name, one.xforms));
  for (const flame::Layer& layer : genome.layers) {
    ToDict own;
    own.group("settings", [&](auto& inner) { layerFields(inner, layer.layerSettings); });
    tableXforms(own.out, layer);
    layers.append(own.out);
  }
  io.out["curves"] = curves, io.out["lost"] = lost, io.out["layers"] = layers;
  tableXforms(io.out, genome);
  return io.out;
}

[[noreturn]] void refuseVariation(const std::string& name, bool parameter) {
  std::vector<std::string> names;
  for (const flame::VariationInfo& info : flame::variations()) {
    if (!parameter) names.emplace_back(info.name);
    if (!parameter) continue;
    for (const flame::ParameterInfo& one : info.parameters)
      names.push_back(fmt::format("{}_{}", info.name, one.name));
  }
  const std::string nearest = nearestName(name, names);
  failUsage("genome: no {} \"{}\"{}", parameter ? "parameter of a variation" : "variation",
            name.c_str(), nearest.empty() ? "" : fmt::format(", did you mean \"{}\"?", nearest));
}

void setParameter(flame::Xform& xform, const std::string& name, double value) {
  for (flame::VariationUse& use : xform.variations) {
    const flame::VariationInfo& info = flame::variations()[std::size_t(use.index)];
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
      if (name == fmt::format("{}_{}", info.name, info.parameters[p].name)) {
        use.parameters[p] = FromDict::finite("parameters", value);
        return;
      }
  }
  // Of a variation that the xform has no weight of: kept by the format too, but then it has no use.
  for (const flame::VariationInfo& info : flame::variations())
    for (const flame::ParameterInfo& one : info.parameters)
      if (name == fmt::format("{}_{}", info.name, one.name)) return;
  refuseVariation(name, true);
}

flame::Xform xformFrom(const py::dict& table) {
  flame::Xform xform;
  FromDict io{table};
  xformFields(io, xform);
  for (const auto& [name, weight] : io.get<std::map<std::string, double>>("variations")) {
    const int index = flame::variationNamed(name);
    if (index < 0) refuseVariation(name, false);
    flame::VariationUse use{index, FromDict::finite("variations", weight), {}};
    const flame::VariationInfo& info = flame::variations()[std::size_t(index)];
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
      use.parameters[p] = info.parameters[p].fallback;
    xform.variations.push_back(use);
  }
  std::sort(xform.variations.begin(), xform.variations.end(),
            [](const auto& a, const auto& b) { return a.index < b.index; });
  for (const auto& [name, value] : io.get<std::map<std::string, double>>("parameters"))
    setParameter(xform, name, value);
  for (const py::handle& motion : io.get<py::list>("motions")) {
    FromDict one{motion.cast<py::dict>()};
    const int function = one.get<int>("function");
    if (function < 0 || function > 2)
      failUsage("genome: function: expected 0, 1 or 2, found {}", function);
    xform.motions.push_back({one.get<double>("frequency"), flame::MotionFunction(function),
                             one.get<flame::Attributes>("fields")});
  }
  return xform;
}

flame::ToneCurve curveFrom(const py::dict& table) {
  flame::ToneCurve curve;
  FromDict io{table};
  const auto points = io.get<std::array<std::array<double, 3>, 4>>("points");
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int c = 0; c < 3; ++c)
      curve.points[i][c] = FromDict::finite("curves", points[i][std::size_t(c)]);
  for (const auto& [x, y] : io.get<std::vector<std::array<double, 2>>>("spline"))
    curve.spline.emplace_back(FromDict::finite("curves", x), FromDict::finite("curves", y));
  return curve;
}

template <class Flame>
void xformsFrom(FromDict& io, Flame& flame) {
  for (const py::handle& xform : io.get<py::list>("xforms"))
    flame.xforms.push_back(xformFrom(xform.cast<py::dict>()));
  if (const auto last = io.get<py::object>("final_xform"); !last.is_none())
    flame.finalXform = xformFrom(last.cast<py::dict>());
  for (const py::handle& xform : io.get<py::list>("further_finals"))
    flame.furtherFinals.push_back(xformFrom(xform.cast<py::dict>()));
  const auto palette =
      io.get<py::array_t<float, py::array::c_style | py::array::forcecast>>("palette");
  if (palette.ndim() != 2 || palette.shape(0) != 256 || palette.shape(1) != 4)
    failUsage("genome: palette: expected shape (256, 4), found {}", described(palette));
  std::memcpy(static_cast<void*>(flame.palette.data()), palette.data(), sizeof(flame::Palette));
}

flame::Genome genomeFrom(const py::dict& table) {
  flame::Genome genome;
  FromDict io{table};
  genomeFields(io, genome);
  const auto curves = io.get<py::list>("curves");
  if (curves.size() != genome.curves.size() && !curves.empty())
    failUsage("genome: curves: expected 4 (all, red, green, blue), found {}", curves.size());
  for (std::size_t i = 0; i < curves.size(); ++i)
    genome.curves[i] = curveFrom(curves[i].cast<py::dict>());
  for (const auto& [name, xforms] : io.get<std::vector<std::pair<std::string, int>>>("lost"))
    genome.lost.push_back({name, xforms});
  xformsFrom(io, genome);
  for (const py::handle& layer : io.get<py::list>("layers")) {
    FromDict own{layer.cast<py::dict>()};
    flame::Layer& made = genome.layers.emplace_back();
    own.group("settings", [&](auto& inner) { layerFields(inner, made.layerSettings); });
    xformsFrom(own, made);
  }
  return genome;
}

py::list readGenomeFile(const fs::path& path) {
  flame::GenomeFile file;
  Worker::instance().run([&](Progress&) { file = flame::readGenomes(path); });
  py::list genomes;
  for (const flame::Genome& genome : file.genomes) genomes.append(tableOf(genome));
  return genomes;
}

/// Checked by the rules of files: what could not be read again is refused.
std::vector<flame::Genome> genomesFrom(const py::list& tables) {
  std::vector<flame::Genome> genomes;
  for (const py::handle& table : tables) genomes.push_back(genomeFrom(table.cast<py::dict>()));
  if (genomes.empty()) throw UsageError("genomes: expected at least one, found none");
  flame::parseGenomes(flame::genomesXml(genomes), "genome");
  return genomes;
}

}  // namespace

void bindModels(py::module_& module) {
  module.attr("component_type") = componentType();
  module.def("read_model", readModelFile, py::arg("path"), py::arg("progress") = py::none());
  module.def("check_model",
             [](const py::dict& table) { smoe::validate(modelFrom(table), "model"); });
  module.def("write_model", writeModelFile, py::arg("model"), py::arg("path"), py::arg("encoding"));
  module.def("read_icet", readIcetFile, py::arg("path"));
  module.def("icet_from", icetFrom, py::arg("words"));
  module.def("write_icet", writeIcetFile, py::arg("words"), py::arg("path"));
  module.def("read_genomes", readGenomeFile, py::arg("path"));
  module.def("genomes_xml",
             [](const py::list& tables) { return flame::genomesXml(genomesFrom(tables)); });
  module.def("write_genomes", [](const py::list& tables, const fs::path& path) {
    flame::writeGenomes(path, genomesFrom(tables));
  });
}

}  // namespace fathom::python
