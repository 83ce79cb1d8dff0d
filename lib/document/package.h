// Documents that are zip archives, with texts in some of their members.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/output.h"
#include "base/zip.h"
#include "document/format.h"

namespace tt::document {

class Package {
 public:
  // Throws Error if it is no such archive, or if the format reads no member of it.
  Package(const std::string& path, const Format& format);

  // The members that have texts, in the order of their numbers: slide2 before slide10.
  const std::vector<std::string>& parts() const { return parts_; }
  std::string name(const std::string& part) const { return zip_.path() + "(" + part + ")"; }
  std::string read(const std::string& part) const { return zip_.read(part); }

  // Settings with the headings of the tables of its sheets: formulas and other members name them.
  Settings with_headings(Settings settings) const;

  // Puts bytes in the place of a member's.
  void replace(const std::string& part, std::string_view bytes);
  // The archive with them; where nothing was replaced, as it was.
  void write(AtomicFile& file) const;

 private:
  struct Replaced {
    ZipFile::Member member;
    std::string packed;
  };
  ZipFile zip_;
  std::vector<std::string> parts_;
  std::map<std::string, Replaced> replaced_;
};

}  // namespace tt::document
