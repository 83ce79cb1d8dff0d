// Approval by a person is not said of a machine's translation.
#include "tests/checked_document.h"

namespace tt::document {
namespace {

// A document whose text "a" has the translation $, and a place @ for a word that stands behind a
// space, or for the contents of an element.
struct Place {
  std::string format, document;
};

const Place kFile1{"xliff",
                   "<xliff version=\"1.2\" xmlns:its=\"http://www.w3.org/2005/11/its\"><file "
                   "target-language=\"de\"@><body><trans-unit><source>a</source><target>$</target>"
                   "</trans-unit></body></file></xliff>"},
    kUnit1{"xliff",
           "<xliff version=\"1.2\" xmlns:its=\"http://www.w3.org/2005/11/its\"><file "
           "target-language=\"de\"><body><trans-unit id=\"1\"@><source>a</source><target>$</target>"
           "</trans-unit></body></file></xliff>"},
    kTarget1{"xliff",
             "<xliff version=\"1.2\"><file target-language=\"de\"><body><trans-unit><source>a"
             "</source><target id=\"1\"@>$</target></trans-unit></body></file></xliff>"},
    kOther1{"xliff",
            "<xliff version=\"1.2\"><file target-language=\"de\"><body><trans-unit><source>a"
            "</source><target>$</target><alt-trans id=\"1\"@><target>c</target></alt-trans>"
            "</trans-unit></body></file></xliff>"},
    kSeg1{"xliff",
          "<xliff version=\"1.2\"><file target-language=\"de\"><body><trans-unit><source>a"
          "</source><target>$</target><sdl:seg-defs><sdl:seg id=\"1\"@/></sdl:seg-defs>"
          "</trans-unit></body></file></xliff>"},
    kUnit2{"xliff",
           "<xliff version=\"2.1\" xmlns:i=\"http://www.w3.org/2005/11/its\" trgLang=\"de\"><file>"
           "<unit id=\"1\"@><segment><source>a</source><target>$</target></segment></unit></file>"
           "</xliff>"},
    kSegment2{"xliff",
              "<xliff version=\"2.1\" trgLang=\"de\"><file><unit><segment id=\"1\"@><source>a"
              "</source><target>$</target></segment></unit></file></xliff>"},
    kChanges2{"xliff",
              "<xliff version=\"2.0\" trgLang=\"de\"><file><unit><ctr:changeTrack><ctr:revisions "
              "appliesTo=\"target\"@/></ctr:changeTrack><segment><source>a</source><target>$"
              "</target></segment></unit></file></xliff>"},
    kVariant{"tmx",
             "<tmx version=\"1.4\"><header srclang=\"en\"/><body><tu><tuv xml:lang=\"en\"><seg>a"
             "</seg></tuv><tuv xml:lang=\"de\"@><seg>$</seg></tuv></tu></body></tmx>"},
    kMemory{"tmx",
            "<tmx version=\"1.4\"><header srclang=\"en\"/><body><tu tuid=\"1\"@><tuv "
            "xml:lang=\"en\"><seg>a</seg></tuv><tuv xml:lang=\"de\"><seg>$</seg></tuv></tu></body>"
            "</tmx>"},
    kPage{"html", "<html><body id=\"1\"@><p>a</p></body></html>"},
    kBlock{"html", "<p id=\"1\"@>a</p>"}, kAround{"html", "<p><b id=\"1\"@>a</b></p>"};

// A place for the contents of an element with an attribute.
Place contents(Place place, const std::string& tag) {
  const std::string name = tag.substr(0, tag.find(' ')),
                    in = place.format == "tmx"                                  ? "<tuv"
                         : place.document.find("<segment") != std::string::npos ? "<segment"
                                                                                : "</trans-unit";
  place.document.replace(place.document.find('@'), 1, "");
  place.document.insert(place.document.find(in), "<" + tag + ">@</" + name + ">");
  return place;
}

std::string filled(std::string text, const std::string& mark, const std::string& with) {
  if (const std::size_t at = text.find(mark); at != text.npos) text.replace(at, mark.size(), with);
  return text;
}

// The word, and what stands in its place beside a machine translation and beside a reviewed one.
struct Row {
  Place place;
  std::string word, machine = "", reviewed = "=";
};

std::vector<Row> rows() {
  std::vector<Row> all{
      {kUnit1, " approved=\"yes\"", " approved=\"no\""},
      {kUnit1, " phase-name=\"review\""},
      {kTarget1, " phase-name=\"review\""},
      {kTarget1, " state=\"final\"", " state=\"needs-review-translation\"",
       " state=\"translated\""},
      {kTarget1, " state='signed-off'", " state=\"needs-review-translation\"",
       " state=\"translated\""},
      {kTarget1, " state-qualifier=\"exact-match\"", " state-qualifier=\"mt-suggestion\"", ""},
      {kOther1, " alttranstype=\"accepted\"", " alttranstype=\"proposal\""},
      {kUnit1, " mq:status=\"Proofread\"", " mq:status=\"PreTranslated\""},
      {kUnit1, " mq:percent=\"101\""},
      {kUnit1, " mq:lastchanginguser=\"anna\""},
      {kUnit1, " mq:translatorcommitusername=\"anna\""},
      {kUnit1, " mq:reviewer1commitusername=\"anna\""},
      {kUnit1, " mq:reviewer2commitusername=\"anna\""},
      {kUnit1, " m:confirmed=\"1\"", " m:confirmed=\"0\""},
      {kUnit1, " m:trans-origin=\"tm\"", " m:trans-origin=\"mt\""},
      {kUnit1, " m:score=\"1.0\""},
      {kUnit1, " m:gross-score=\"1.0\""},
      {kSeg1, " conf=\"ApprovedSignOff\"", " conf=\"Draft\""},
      {kSeg1, " origin=\"interactive\"", " origin=\"mt\""},
      {kSeg1, " origin-system=\"Anna's\""},
      {kSeg1, " percent=\"100\""},
      {contents(kSeg1, "sdl:value key=\"last_modified_by\""), "anna"},
      {contents(kUnit1, "prop prop-type=\"approved\""), "by Anna"},
      {kSegment2, " state=\"final\"", " state=\"translated\"", " state=\"reviewed\""},
      {kSegment2, " subState=\"x:approved\"", "", ""},
      {kChanges2, " currentVersion=\"2\""},
      {contents(kUnit2, "mda:meta type=\"Status\""), "approved"}};
  for (const Place& place : {kVariant, kMemory}) {
    for (const char* word : {"creationdate", "creationtool", "creationtoolversion", "changeid",
                             "changedate", "usagecount", "lastusagedate"})
      all.push_back({place, " " + std::string(word) + "=\"Anna\""});
    for (const char* type : {"x-ConfirmationLevel", "Txt::Translator", "x-LastUsedBy", "reviewed",
                             "x-quality", "approved", "x-Origin", "state", "signed-off-by"})
      all.push_back({contents(place, "prop type=\"" + std::string(type) + "\""), "Anna"});
  }
  all.push_back({kVariant, " creationid=\"Anna\"", " creationid=\"MT!\""});
  all.push_back({kMemory, " creationid=\"Anna\""});
  const auto its = [&](const std::string& in_html, const std::string& in_xml) {
    for (const Place& place : {kFile1, kUnit1, kTarget1})
      all.push_back({place, " its:" + in_xml + "=\"Anna\""});
    all.push_back({kUnit2, " i:" + in_xml + "='Anna'"});
    for (const Place& place : {kPage, kBlock, kAround})
      all.push_back({place, " its-" + in_html + "=\"Anna\""});
  };
  its("person", "person");
  its("person-ref", "personRef");
  its("org", "org");
  its("org-ref", "orgRef");
  its("tool", "tool");
  its("tool-ref", "toolRef");
  its("rev-person", "revPerson");
  its("rev-person-ref", "revPersonRef");
  its("rev-org", "revOrg");
  its("rev-org-ref", "revOrgRef");
  its("rev-tool", "revTool");
  its("rev-tool-ref", "revToolRef");
  its("prov-ref", "provRef");
  its("provenance-records-ref", "provenanceRecordsRef");
  its("mt-confidence", "mtConfidence");
  its("loc-quality-rating-score", "locQualityRatingScore");
  its("loc-quality-rating-score-threshold", "locQualityRatingScoreThreshold");
  its("loc-quality-rating-vote", "locQualityRatingVote");
  its("loc-quality-rating-vote-threshold", "locQualityRatingVoteThreshold");
  its("loc-quality-rating-profile-ref", "locQualityRatingProfileRef");
  return all;
}

}  // namespace

TEST_CASE("what a person said of a translation is not said of a machine's") {
  for (const auto& [place, word, machine, reviewed] : rows())
    for (const bool all : {false, true}) {
      if (all && place.format == "html") continue;
      const std::string text = filled(place.document, "$", all ? "alt" : ""),
                        document = filled(text, "@", word);
      INFO(document);
      Settings settings{.to = place.format == "html" ? "" : "de", .all = all};
      const Lines asked = lines(place.format, document, settings);
      REQUIRE(asked.size() == 1);
      const std::size_t at = text.find('@');
      for (const bool vouched : {false, true}) {
        settings.reviewed = vouched;
        const std::string now =
            with(place.format, document, {filled(asked[0], "a", "neu")}, settings);
        const std::string said = !vouched ? machine : reviewed == "=" ? word : reviewed;
        CHECK(now.find("neu") != now.npos);
        if (said != word) CHECK(now.find(word) == now.npos);
        // Behind its own tag, up to which a document may change as well.
        const std::string tag = text.substr(text.rfind('<', at), at - text.rfind('<', at)) + said;
        CHECK(now.find(tag) != now.npos);
      }
    }
}

TEST_CASE("what is said of a source is not said of its translation") {
  const std::string source = "<mrk id=\"1\" its:person=\"Anna\">a</mrk>",
                    document =
                        "<xliff version=\"1.2\"><file target-language=\"de\"><body>"
                        "<trans-unit><source>" +
                        source +
                        "</source></trans-unit></body>"
                        "</file></xliff>";
  const std::string line = "<mrk id=\"1\" its:person=\"Anna\">neu</mrk>";
  const std::string now = with("xliff", document, {line});
  CHECK(now.find("<source>" + source) != now.npos);
  CHECK(now.find("<mrk id=\"1\">neu</mrk></target>") != now.npos);
  CHECK(with("xliff", document, {line}, {.reviewed = true}).find(line + "</target>") != now.npos);
}

TEST_CASE("what is said of other texts than the translation stays") {
  const auto stays = [](const std::string& format, const std::string& document,
                        const std::string& said, bool all = true) {
    INFO(document);
    const Settings settings{.to = format == "html" ? "" : "de", .all = all};
    const Extracted asked = extracted(format, document, settings);
    Lines german(asked.lines.size(), "neu");
    const std::string now = with(format, document, german, settings);
    CHECK(now.find("neu") != now.npos);
    CHECK(now.find(said) != now.npos);
  };
  const auto unit = [](const std::string& inside) {
    return "<xliff version=\"1.2\"><file target-language=\"de\"><header><phase-group><phase "
           "phase-name=\"review\" contact-name=\"Anna\"/></phase-group></header><body>" +
           inside + "</body></file></xliff>";
  };
  const std::string one = "<trans-unit><source>a</source><target>b</target></trans-unit>";
  stays("xliff", unit(one), "<phase phase-name=\"review\" contact-name=\"Anna\"/>");
  stays("xliff",
        unit("<trans-unit><source its:person=\"Anna\">a</source><target>b</target><note "
             "its:person=\"Anna\">c</note></trans-unit>"),
        "<note its:person=\"Anna\">");
  stays("xliff",
        unit("<trans-unit><source>a</source><target>b</target><alt-trans match-quality=\"100\" "
             "origin=\"Anna\"><target state=\"final\" phase-name=\"review\">c</target></alt-trans>"
             "</trans-unit>"),
        "<alt-trans match-quality=\"100\" origin=\"Anna\"><target state=\"final\" "
        "phase-name=\"review\">c</target>");
  const std::string approved =
      "<trans-unit approved=\"yes\" mq:status=\"Proofread\"><source>c</source><target "
      "state=\"final\" phase-name=\"review\">d</target><prop prop-type=\"approved\">Anna</prop>"
      "</trans-unit>";
  const std::string empty = "<trans-unit><source>a</source><target/></trans-unit>";
  stays("xliff", unit(approved + empty), approved, false);
  stays("xliff", unit(empty + approved), approved, false);
  // Units in units are wrong, and properties around them; each is changed once.
  stays("xliff",
        unit("<trans-unit><source>c</source><prop prop-type=\"status\"><trans-unit><source>a"
             "</source><target/></trans-unit></prop></trans-unit>"),
        "<trans-unit><source>c</source><prop prop-type=\"status\"><trans-unit><source>a</source>"
        "<target state=\"needs-review-translation\" state-qualifier=\"mt-suggestion\">neu</target>"
        "</trans-unit></prop></trans-unit></body></file></xliff>");
  // Of a text whose translation is refused, or is the text, all stays.
  const std::string before = unit("<group its:revPerson=\"Anna\">" + approved + "</group>");
  for (const char* line : {"c", "", "<b>"})
    CHECK(merged("xliff", before, {line}, {.all = true}).text == before);
  const std::string memory =
      "<tmx version=\"1.4\"><header srclang=\"en\" creationid=\"Anna\"/><body><tu><note>d</note>"
      "<prop type=\"x-filename\">Anna</prop><tuv xml:lang=\"en\" changeid=\"Anna\"><prop "
      "type=\"approved\">Anna</prop><seg>a</seg></tuv><tuv xml:lang=\"fr\" changeid=\"Anna\">"
      "<seg>b</seg></tuv>";
  stays("tmx", memory + "<tuv xml:lang=\"de\"><seg>c</seg></tuv></tu></body></tmx>", memory);
  stays("tmx", memory + "</tu></body></tmx>", memory);
  const std::string segments =
      "<xliff version=\"2.1\" trgLang=\"de\"><file><unit><mtc:matches><mtc:match "
      "its:mtConfidence=\"1\"><target>x</target></mtc:match></mtc:matches><segment state=\"final\" "
      "subState=\"x:y\"><source>a</source><target>b</target></segment>";
  stays("xliff", segments + "<segment><source>a</source></segment></unit></file></xliff>", segments,
        false);
  stays("html", "<div its-person=\"Anna\"><p></p></div><p its-org=\"Anna\">5</p><p>a</p>",
        "<div its-person=\"Anna\"><p></p></div><p its-org=\"Anna\">");
  stays("html", "<p><b its-person=\"Anna\">5</b><br>a</p>", "<b its-person=\"Anna\">");
}

TEST_CASE("words of approval in HTML within Markdown go with what they are of") {
  const Settings reviewed{.reviewed = true};
  const std::string span = "a <b its-person=\"Anna\">dog</b>\n", its = " its-person=\"Anna\"";
  const Lines lines{"ein <b its-person=\"Anna\">Hund</b>"};
  CHECK(with("markdown", span, lines) == "ein <b>Hund</b>\n");
  CHECK(with("markdown", span, lines, reviewed) == "ein <b its-person=\"Anna\">Hund</b>\n");
  const auto page = [](const std::string& words, const std::string& a, const std::string& b) {
    return "<div" + words + ">\n\n" + a + "\n\n</div>\n\n" + b + "\n";
  };
  CHECK(with("markdown", page(its, "a", "b"), {"c", "b"}) == page("", "c", "b"));
  CHECK(with("markdown", page(its, "a", "b"), {"a", "c"}) == page(its, "a", "c"));
  CHECK(with("markdown", page(its, "a", "b"), {"c", "d"}, reviewed) == page(its, "c", "d"));
}

}  // namespace tt::document
