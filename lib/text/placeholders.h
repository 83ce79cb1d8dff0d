// Placeholders of software in a line of text: what a program puts values in place of, as %s and
// {name}, and escapes, as \n.
//
// They are those of printf (%s, %-5.2f, %1$d, %<PRIu64>, %%; not with a space as a flag, as in "5 %
// of"), of Python (%(count)s), Ruby (%{x}, %<x>d), Qt (%1, %L1, %n), Boost (%1%, %|1$+5|), Pascal
// (%0:s), Java (%tY), Apple (%@, %#@files@) and LibreOffice (%PRODUCTNAME, $[x], $name$), variables
// as ${x}, $(x), #{x}, $name, %PATH%, %name% and $t(key); {name}, {0}, {}, {0:.2f}, {user.name} and
// {0, number}; Fluent's { $name } and { -term }; {{ x }} with any text, and braces with others
// inside, as ICU's plurals, and its quoted braces, '{'; and the escapes of C, as \n, \" and \u00e9.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tt {

// Where the placeholder that begins at `at` ends; `at` where there is none.
std::size_t placeholder_end(std::string_view text, std::size_t at);

// Whether a placeholder ends a line, as \n does, so that it parts sentences.
bool is_line_break(std::string_view placeholder);
// Whether its value depends on how many came before it, as that of %s and {}.
bool is_positional(std::string_view placeholder);
// A conversion of printf or Python, without what a translation may vary: flags, width, precision.
struct Conversion {
  std::size_t number;  // of the argument, from 1, as in %2$s, or Pascal's %1:s; 0: the next one
  std::string name;    // "(count)"
  std::string type;    // its length and conversion, "*" before it for each width or precision that
                       // is an argument; "d" also of %i
};
// None of other placeholders, nor of %%.
std::optional<Conversion> conversion_of(std::string_view placeholder);
// Whether it has text for readers inside, as a plural has.
bool has_message(std::string_view placeholder);

// The first thing that begins as a placeholder and does not end, as "%(count" and "{{ x"; empty
// where there is none.
std::string_view unfinished_placeholder(std::string_view text);

}  // namespace tt
