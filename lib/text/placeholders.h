// Placeholders of software in a line of text: what a program puts values in place of, as %s and
// {name}, and escapes, as \n. Each dialect is a row of one table: those that gettext has flags for,
// and those that are known in any text.
//
// In any text they are those of printf (%s, %-5.2f, %1$d, %<PRIu64>, %%; not with a space as a
// flag, as in "5 % of"), of Python (%(count)s), Ruby (%{x}, %<x>d), Qt (%1, %L1, %n), Boost (%1%,
// %|1$+5|), Pascal (%0:s), Java (%tY), Apple (%@, %#@files@) and LibreOffice (%PRODUCTNAME, $[x],
// $name$), variables as ${x}, $(x), #{x}, $name, %PATH%, %name% and $t(key); {name}, {0}, {},
// {0:.2f}, {user.name} and {0, number}; Fluent's { $name } and { -term }; {{ x }} with any text,
// and braces with others inside, as ICU's plurals, and its quoted braces, '{'; and the escapes of
// C, as \n, \" and \u00e9.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt {

// The end of the placeholder that begins at `at`; `at` where there is none.
std::size_t placeholder_end(std::string_view text, std::size_t at);

// Whether a placeholder ends a line, as \n does, so that it parts sentences.
bool is_line_break(std::string_view placeholder);
// Whether its value depends on how many came before it, as that of %s and {}.
bool is_positional(std::string_view placeholder);
// Whether it has text for readers inside, as a plural has.
bool has_message(std::string_view placeholder);

// The first thing that begins as a placeholder and does not end, as "%(count" and "{{ x"; empty
// where there is none.
std::string_view unfinished_placeholder(std::string_view text);

// A dialect is given as gettext calls it, "c-format"; in dialects that are not known there are no
// placeholders. "": those of any text.

// The places of placeholders in a text, from left to right.
std::vector<TextRange> placeholders_in(std::string_view text, std::string_view format);

// The error in the placeholders of a translation: "lacks %s"; empty if there is none. Both texts
// must have the same arguments, of the same types, as "msgfmt -c" asks; their order, flags, widths
// and how often one comes may differ, and arguments may be numbered on one side alone, as in %2$s.
// A source that is wrong by itself is compared with nothing. In any text, escapes and placeholders
// that has_message() do not count.
std::string wrong_placeholders(std::string_view source, std::string_view translation,
                               std::string_view format);

}  // namespace tt
