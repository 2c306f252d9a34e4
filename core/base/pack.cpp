// SPDX-License-Identifier: Apache-2.0
// Layout: 16 hex digits of the SHA-256 of all that follows, one letter for what it is, one byte of version, the members in order.
// Numbers are 8 bytes, little-endian; texts and lists begin with their length.
#include "poslab/base/pack.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

#include "poslab/base/hash.hpp"

namespace poslab::base {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr char outcome_letter = 'O', cell_letter = 'C', version = 1;
constexpr std::size_t checksum_size = 16;  // hex digits

std::string sealed(const std::string& body) { return sha256(body).substr(0, checksum_size) + body; }

class Writer {
 public:
  explicit Writer(char letter) : bytes_{letter, version} {}
  void number(std::uint64_t x) { bytes_.append(reinterpret_cast<const char*>(&x), sizeof x); }
  void signed_number(std::int64_t x) { number(static_cast<std::uint64_t>(x)); }
  void real(double x) { number(std::bit_cast<std::uint64_t>(x)); }
  void text(const std::string& text) {
    number(text.size());
    bytes_ += text;
  }
  template <class T, class Write>
  void list(const std::vector<T>& items, Write write) {
    number(items.size());
    for (const T& item : items) write(item);
  }
  void reals(const std::vector<double>& items) {
    number(items.size());
    bytes_.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(double));
  }
  void texts(const std::vector<std::string>& items) {
    list(items, [&](const std::string& item) { text(item); });
  }
  void value(const Value& value) {
    number(value.index());
    std::visit(
        [&](const auto& x) {
          using X = std::decay_t<decltype(x)>;
          if constexpr (std::is_same_v<X, bool> || std::is_same_v<X, std::int64_t>) signed_number(x);
          if constexpr (std::is_same_v<X, double>) real(x);
          if constexpr (std::is_same_v<X, std::string>) text(x);
          if constexpr (std::is_same_v<X, std::vector<double>>) reals(x);
        },
        value);
  }
  void values(const Values& values) {
    number(values.size());
    for (const auto& [name, value_of] : values) text(name), value(value_of);
  }
  std::string finish() const { return sealed(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  Reader(std::string_view bytes, char letter) {
    if (bytes.size() < checksum_size + 2) throw NotPacked("too short to be a packed record");
    rest_ = bytes.substr(checksum_size);
    if (sha256(rest_).compare(0, checksum_size, bytes.substr(0, checksum_size)) != 0)
      throw NotPacked("the checksum of a packed record is wrong: it was changed or cut short");
    if (rest_[0] != letter) throw NotPacked("a packed record is of another kind");
    if (rest_[1] != version)
      throw NotPacked("a packed record has version " + std::to_string(rest_[1]) + ", this program reads " +
                      std::to_string(version));
    rest_.remove_prefix(2);
  }

  std::uint64_t number() {
    std::uint64_t x = 0;
    std::memcpy(&x, take(sizeof x).data(), sizeof x);
    return x;
  }
  std::int64_t signed_number() { return static_cast<std::int64_t>(number()); }
  double real() { return std::bit_cast<double>(number()); }
  std::string text() { return std::string(take(number())); }
  std::vector<double> reals() {
    const std::uint64_t count = counted(sizeof(double));
    std::vector<double> items(count);
    if (count > 0) std::memcpy(items.data(), take(count * sizeof(double)).data(), count * sizeof(double));
    return items;
  }
  template <class T, class Read>
  std::vector<T> list(Read read) {
    std::vector<T> items(counted(1));
    for (T& item : items) item = read();
    return items;
  }
  std::vector<std::string> texts() {
    return list<std::string>([&] { return text(); });
  }
  Value value() {
    switch (number()) {
      case 0: return std::monostate{};
      case 1: return signed_number() != 0;
      case 2: return signed_number();
      case 3: return real();
      case 4: return text();
      case 5: return reals();
      default: throw NotPacked("a packed value is of an unknown kind");
    }
  }
  Values values() {
    Values all;
    for (std::uint64_t i = counted(1); i > 0; --i) {
      const std::string name = text();
      all.set(name, value());
    }
    return all;
  }
  /// A number that must be one of 0 .. most.
  template <class E>
  E one_of(E most) {
    const std::uint64_t x = number();
    if (x > static_cast<std::uint64_t>(most)) throw NotPacked("a packed number is out of its range");
    return static_cast<E>(x);
  }
  void finish() const {
    if (!rest_.empty()) throw NotPacked("a packed record is longer than what it says");
  }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) throw NotPacked("a packed record ends too soon");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  // A count of items of at least `each` bytes: refused before memory is asked for if so many cannot follow.
  std::uint64_t counted(std::uint64_t each) {
    const std::uint64_t count = number();
    if (count > rest_.size() / each) throw NotPacked("a packed record ends too soon");
    return count;
  }
  std::string_view rest_;
};

void write_placement(Writer& out, const Placement& placement) {
  out.number(static_cast<std::uint64_t>(placement.policy));
  out.signed_number(placement.by), out.signed_number(placement.range);
  out.list(placement.extents, [&](std::int64_t extent) { out.signed_number(extent); });
  out.reals(placement.values);
}

Placement read_placement(Reader& in) {
  Placement placement;
  placement.policy = in.one_of(Placement::Policy::at);
  placement.by = in.signed_number(), placement.range = in.signed_number();
  placement.extents = in.list<std::int64_t>([&] { return in.signed_number(); });
  placement.values = in.reals();
  return placement;
}

}  // namespace

std::string pack(const Outcome& outcome) {
  Writer out(outcome_letter);
  out.number(static_cast<std::uint64_t>(outcome.status));
  out.text(outcome.message);
  out.real(outcome.seconds);
  out.list(outcome.record.coordinates(), [&](const Coordinate& c) { out.text(c.dimension), out.reals(c.values); });
  out.list(outcome.record.places(),
           [&](const Place& p) { out.text(p.dimension), out.text(p.axis), out.reals(p.values); });
  out.list(outcome.record.measurements(),
           [&](const Measurement& m) { out.text(m.name), out.texts(m.dimensions), out.reals(m.values); });
  return out.finish();
}

Outcome unpack_outcome(std::string_view bytes) {
  Reader in(bytes, outcome_letter);
  Outcome outcome;
  outcome.status = in.one_of(Status::skipped);
  outcome.message = in.text();
  outcome.seconds = in.real();
  try {
    for (auto count = in.number(); count > 0; --count) {
      std::string dimension = in.text();
      outcome.record.coordinate(std::move(dimension), in.reals());
    }
    for (auto count = in.number(); count > 0; --count) {
      std::string dimension = in.text(), axis = in.text();
      outcome.record.place(std::move(dimension), std::move(axis), in.reals());
    }
    for (auto count = in.number(); count > 0; --count) {
      std::string name = in.text();
      std::vector<std::string> dimensions = in.texts();
      std::vector<double> values = in.reals();
      if (dimensions.empty() && values.size() == 1)
        outcome.record.scalar(std::move(name), values.front());
      else
        outcome.record.curve(std::move(name), std::move(dimensions), std::move(values));
    }
  } catch (const NotPacked&) {
    throw;
  } catch (const Error& mistake) {  // sizes that do not fit together
    throw NotPacked(std::string("a packed record contradicts itself: ") + mistake.what());
  }
  in.finish();
  return outcome;
}

std::string pack(const Cell& cell) {
  Writer out(cell_letter);
  out.text(cell.id), out.text(cell.experiment);
  out.text(cell.variant.scheme), out.text(cell.variant.label);
  out.values(cell.variant.parameters);
  out.texts(cell.variant.varied);
  out.values(cell.axes);
  out.number(cell.seed), out.signed_number(cell.repeat);
  out.text(cell.skip);
  write_placement(out, cell.placement);
  return out.finish();
}

Cell unpack_cell(std::string_view bytes) {
  Reader in(bytes, cell_letter);
  Cell cell;
  cell.id = in.text(), cell.experiment = in.text();
  cell.variant.scheme = in.text(), cell.variant.label = in.text();
  cell.variant.parameters = in.values();
  cell.variant.varied = in.texts();
  cell.axes = in.values();
  cell.seed = in.number(), cell.repeat = static_cast<int>(in.signed_number());
  cell.skip = in.text();
  cell.placement = read_placement(in);
  in.finish();
  return cell;
}

}  // namespace poslab::base
