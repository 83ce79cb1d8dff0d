// The rules of normalisation of our own, nmt_nfc.
#pragma once

#include <string>

namespace tt {

// Unicode's form NFC, which composes letters and their accents and changes nothing that a reader
// sees, unlike NFKC, which takes the width of ，, the size of ² and the joint of a Persian word.
// Beside it, control characters are removed, and white space becomes U+0020, but for U+3000, which
// is as wide as a letter. As lines of "code points TAB code points", in hexadecimal, from which
// SentencePiece makes its table. Source: ICU.
std::string canonical_rules();

}  // namespace tt
