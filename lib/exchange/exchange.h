// Models of other programs, in and out: which format a path has, and its reader or writer.
#pragma once

#include <string>
#include <vector>

#include "exchange/format.h"

namespace tt {

// All formats; the names of those that can be written; that of a name on the command line. Throws
// Error.
std::vector<std::string> format_names();
std::vector<std::string> written_format_names();
const ForeignFormat& format_of(const std::string& name);

// The format of a path, by its files. Throws Error, with what would be one, if there are none.
const ForeignFormat& recognise(const std::string& path);

// Throws Error, naming the file and what was expected, or the option that cannot be imported.
PortableModel import_model(const ImportRequest& request, const ForeignFormat& format);
// Writes a folder. Throws Error, naming the setting, if the format cannot have such a model, or if
// a file cannot be written.
void export_model(PortableModel model, const ForeignFormat& format, const std::string& folder);

// The settings of search that the format has no place for, or has other names and no value for,
// where the program would search otherwise by itself: "length_penalty paper, alpha 0.6". But for
// beam, length_penalty and alpha, only those that are not the usual ones of tt.
std::string lost_search(const Config& config, const ForeignFormat& format);

// The settings of the model itself that the format's program has a value of its own for:
// "norm_epsilon 1e-06, which is always 1e-05 there"; empty if there are none. What it computes
// differs a little.
std::string replaced_settings(const Config& config, const ForeignFormat& format);

// How the format's program translates otherwise than such a model was trained to, and than it is
// translated with here: a sentence, or empty.
std::string departure(const Architecture& config, const ForeignFormat& format);

// A model that was found in a few words, on one line.
std::string summary(const PortableModel& model);

}  // namespace tt
