// SPDX-License-Identifier: BSD-3-Clause
// The numbers of a genome as a list, which is how genomes are mixed and compared.
#include "app/engine/flame/genome/fields.h"

#include "app/engine/core/error.h"

namespace fathom::flame {
namespace {

/// Calls `each` with every number, whole number and word of a use.
template <class Each>
struct NumberVisitor : EachField<NumberVisitor<Each>> {
  NumberVisitor(FieldUse asked, Each act) : use(asked), each(std::move(act)) {}
  void text(FieldName, const std::string&) {}
  void real(FieldName, auto& value, unsigned uses) {
    if (uses & use) each(value);
  }
  void integer(FieldName name, auto& value, unsigned uses) { real(name, value, uses); }
  void reals(FieldName name, auto* values, int count, unsigned uses) {
    for (int i = 0; i < count; ++i) real(name, values[i], uses);
  }
  void pixels(FieldName name, auto& size, unsigned uses) {
    for (int axis = 0; axis < 2; ++axis) real(name, size[axis], uses);
  }
  void word(FieldName name, auto& value, std::span<const std::string_view>, unsigned uses) {
    real(name, value, uses);
  }
  FieldUse use;
  Each each;
};

}  // namespace

std::vector<double> numbersOf(const Genome& genome, FieldUse use) {
  std::vector<double> numbers;
  NumberVisitor visitor(use, [&](const auto& value) { numbers.push_back(double(value)); });
  visitGenomeFields(genome, visitor);
  return numbers;
}

void setNumbers(Genome& genome, FieldUse use, std::span<const double> numbers) {
  std::size_t next = 0;
  NumberVisitor visitor(use, [&]<class Value>(Value& value) {
    FATHOM_CHECK_OP(next, <, numbers.size());
    const double number = numbers[next++];
    if constexpr (std::is_floating_point_v<Value>)
      value = number;
    else
      value = Value(std::lround(number));
  });
  visitGenomeFields(genome, visitor);
  FATHOM_CHECK_OP(next, ==, numbers.size());
}

}  // namespace fathom::flame
