// SPDX-License-Identifier: BSD-3-Clause
// write_variants FOLDER: the shaders of shader_variants.h as files, and FOLDER/names, a line FILE,
// tab and name for each.
#include "tests/shaders/shader_variants.h"

int main(int argc, char** argv) try {
  if (argc != 2) {
    fmt::print(stderr, "usage: write_variants FOLDER\n");
    return 2;
  }
  using namespace fathom::test;
  constexpr int kStep = 24;  // of 320 variants of accumulation
  const std::filesystem::path folder = argv[1];
  std::ofstream names(folder / "names");
  int number = 0;
  for (const auto& variants : {fileVariants(), accumulateVariants(kStep), iterateVariants(true)})
    for (const ShaderVariant& variant : variants) {
      const std::string ending = std::filesystem::path(variant.text.name).extension().string();
      const std::string file = fmt::format("{}{}", number++, ending);
      std::ofstream(folder / file) << variant.text.text;
      names << file << '\t' << variant.name << '\n';
    }
  names.close();
  if (!names) throw std::runtime_error(folder.string() + ": expected a folder to write to");
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "write_variants: {}\n", error.what());
  return 1;
}
