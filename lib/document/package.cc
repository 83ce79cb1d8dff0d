#include "document/package.h"

#include <algorithm>
#include <tuple>

#include "base/capitals.h"
#include "base/error.h"
#include "markup/tags.h"

namespace tt::document {
namespace {

// A name as it is sorted: what is before its number, and that.
auto order_of(std::string_view name) {
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  std::size_t digits = dot;
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  return std::tuple(name.substr(0, digits), dot - digits, name);
}

// A name as formats know it: that of another case is the same, and some programs write \ for /.
std::string known(std::string_view name) {
  std::string small = ascii_small(name);
  std::ranges::replace(small, '\\', '/');
  return small;
}

ZipFile opened(const std::string& path) {
  if (path == "-") throw Error("(stdin): an archive is read from a file alone; give its path");
  return ZipFile(path);
}

}  // namespace

Package::Package(const std::string& path, const Format& format) : zip_(opened(path)) {
  for (const auto& [name, member] : zip_.members())
    if (format.reads(known(name))) parts_.push_back(name);
  if (parts_.empty()) throw Error(path, ": has no member with texts, as ", format.name, " has");
  std::ranges::sort(parts_, {}, order_of);
}

Settings Package::with_headings(Settings settings) const {
  for (const auto& [name, member] : zip_.members()) {
    if (!known(name).starts_with("xl/tables/")) continue;
    const std::string table = zip_.read(name);
    markup::Tokens tokens(table, markup::Syntax::xml, 0, table.size());
    for (markup::Token token; tokens.next(token);) {
      if (!token.is_tag() || !token.name.ends_with("tableColumn")) continue;
      settings.headings.insert(text_of_cell(markup::attribute_text(token.in(table), "name")));
    }
  }
  return settings;
}

void Package::replace(const std::string& part, std::string_view bytes) {
  Replaced& now = replaced_[part];
  now.member = zip_.members().at(part);
  now.packed = deflated(bytes, now.member);
}

void Package::write(AtomicFile& file) const {
  if (replaced_.empty()) return file.write(zip_.text());
  // The first member says what the archive is, and must stay the first.
  std::vector<std::pair<std::uint64_t, std::string>> names;
  for (const auto& [name, member] : zip_.members()) names.emplace_back(member.begin, name);
  std::ranges::sort(names);
  ZipWriter writer(file);
  for (const auto& [place, name] : names) {
    const auto replaced = replaced_.find(name);
    if (replaced != replaced_.end())
      writer.add_packed(name, replaced->second.member, replaced->second.packed);
    else writer.add_packed(name, zip_.members().at(name), zip_.packed(zip_.members().at(name)));
  }
  writer.finish();
}

}  // namespace tt::document
