// Parts of office documents: paragraphs cut into runs.
#include "base/zip.h"
#include "document/package.h"
#include "tests/checked_document.h"
#include "tests/unit/text_fixture.h"

namespace tt::document {
namespace {

const std::string kBold = "<w:rPr><w:b/></w:rPr>";

std::string word(const std::string& paragraphs) {
  return "<?xml version=\"1.0\"?>\n<w:document><w:body>" + paragraphs + "</w:body></w:document>";
}
std::string run(const std::string& text, const std::string& properties = "") {
  return "<w:r w:rsidR=\"00A1\">" + properties + "<w:t>" + text + "</w:t></w:r>";
}
std::string spaced(const std::string& text, const std::string& properties = "") {
  return "<w:r w:rsidR=\"00A1\">" + properties + "<w:t xml:space=\"preserve\">" + text +
         "</w:t></w:r>";
}

}  // namespace

TEST_CASE("runs of the same format are one text") {
  const std::string page = word("<w:p><w:pPr/>" + run("A b") + "<w:proofErr w:type=\"x\"/>" +
                                run("lack dog", "<w:rPr><w:lang w:val=\"en\"/></w:rPr>") +
                                "<w:bookmarkEnd w:id=\"0\"/></w:p>");
  CHECK(lines("docx", page) == Lines{"A black dog"});
  const std::string plain = word("<w:p>" + run(" A b") + run("lack &amp; white dog ") + "</w:p>");
  CHECK(lines("docx", plain) == Lines{"A black &amp; white dog"});
  CHECK(with("docx", plain, {"A black &amp; white dog"}) == plain);
  CHECK(with("docx", plain, {"Ein <3 Hund"}) ==
        word("<w:p>" + spaced(" Ein &lt;3 Hund ") + "</w:p>"));
}

TEST_CASE("other formats, links, breaks and pictures of a paragraph are tags") {
  const std::string link = "<w:hyperlink r:id=\"rId1\">", picture = "<w:drawing><x/></w:drawing>";
  const std::string page =
      word("<w:p>" + run("The ") + run("black", kBold) + run(" dog, see ") + link + run("here") +
           "</w:hyperlink><w:r><w:t>.</w:t><w:br/><w:t>Next</w:t></w:r><w:r>" + picture +
           "</w:r></w:p>");
  CHECK(lines("docx", page) ==
        Lines{"The <g id=\"1\">black</g> dog, see <g id=\"2\">here</g>.<ph id=\"1\"/>Next"});
  CHECK(with("docx", page, {"<g id=\"2\">hier</g>: <g id=\"1\">der</g><ph id=\"1\"/> Hund"}) ==
        word("<w:p>" + link + spaced("hier") + "</w:hyperlink>" + spaced(": ") +
             spaced("der", kBold) + "<w:r><w:br/></w:r>" + spaced(" Hund") + "<w:r>" + picture +
             "</w:r></w:p>"));
  CHECK(merged("docx", page, {"der Hund"}).problems.size() == 1);
  const std::string two = word("<w:p>" + run("black", kBold) + run(" or white") + "</w:p>");
  CHECK(
      with("docx", two, {"<g id=\"1\">mehr oder weniger dunkel</g> oder hell"}) ==
      word("<w:p>" + spaced("mehr oder weniger dunkel", kBold) + spaced(" oder hell") + "</w:p>"));
}

TEST_CASE("paragraphs within a paragraph are texts before it, and copies of them stay") {
  const std::string inner = "<w:txbxContent><w:p>" + run("inner") + "</w:p></w:txbxContent>";
  const auto page = [&](const std::string& box, const std::string& outer) {
    return word("<w:p>" + outer + "<w:r><mc:AlternateContent><mc:Choice>" + box +
                "</mc:Choice><mc:Fallback>" + inner +
                "</mc:Fallback></mc:AlternateContent></w:r></w:p>");
  };
  const std::string box = "<w:txbxContent><w:p>" + spaced("innen") + "</w:p></w:txbxContent>";
  CHECK(lines("docx", page(inner, run("outer"))) == Lines{"inner", "outer"});
  CHECK(with("docx", page(inner, run("outer")), {"innen", "outer"}) == page(box, run("outer")));
  CHECK(with("docx", page(inner, run("outer")), {"innen", "außen"}) == page(box, spaced("außen")));
}

TEST_CASE("slides, cells and OpenDocument have their own names for runs") {
  const std::string slide =
      "<p:sld><a:p><a:r><a:rPr lang=\"en-US\" dirty=\"0\"/><a:t>One</a:t></a:r><a:br/>"
      "<a:r><a:rPr lang=\"en-US\"/><a:t>two</a:t></a:r><a:endParaRPr/></a:p></p:sld>";
  CHECK(lines("pptx", slide) == Lines{"One<ph id=\"1\"/>two"});
  CHECK(with("pptx", slide, {"Eins<ph id=\"1\"/> zwei"}) ==
        "<p:sld><a:p><a:r><a:rPr/><a:t>Eins</a:t></a:r><a:br/><a:r><a:rPr/><a:t> "
        "zwei</a:t></a:r><a:endParaRPr/></a:p></p:sld>");
  const std::string cells =
      "<sst><si><t>one</t><rPh sb=\"0\" eb=\"1\"><t>wan</t></rPh></si><si><t>3</t></si>"
      "<si><r><t>two </t></r><r><rPr><b/></rPr><t>three</t></r></si></sst>";
  CHECK(lines("xlsx", cells) == Lines{"one", "<g id=\"1\">two </g>three"});
  CHECK(with("xlsx", cells, {"eins", "<g id=\"1\">zwei </g>drei"}) ==
        "<sst><si><t xml:space=\"preserve\">eins</t></si><si><t>3</t></si>"
        "<si><r><t xml:space=\"preserve\">zwei </t></r><r><rPr><b/></rPr>"
        "<t xml:space=\"preserve\">drei</t></r></si></sst>");
  const std::string text =
      "<office:text><text:tracked-changes><text:p>old</text:p></text:tracked-changes>"
      "<text:p text:style-name=\"P1\">A <text:span a=\"b\">big</text:span>\n  dog<text:tab/>"
      "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p>"
      "</text:note-body></text:note></text:p></office:text>";
  CHECK(lines("odf", text) == Lines{"note", "A <g id=\"1\">big</g> dog"});
  CHECK(with("odf", text, {"Notiz", "Ein <g id=\"1\">großer</g> Hund"})
            .find("<text:p text:style-name=\"P1\">Ein <text:span a=\"b\">großer</text:span> "
                  "Hund<text:tab/><text:note>") != std::string::npos);
}

TEST_CASE("of a book its title and description, contents and pages are texts") {
  CHECK(lines("epub", "<package><dc:title>A dog</dc:title><dc:creator>B</dc:creator></package>") ==
        Lines{"A dog"});
  CHECK(lines("epub", "<ncx><text>A dog</text><meta content=\"x\"/></ncx>") == Lines{"A dog"});
  CHECK(with("epub", "<?xml?><html xml:lang=\"en\"><p>A dog</p></html>", {"כלב"}, {.to = "he"}) ==
        "<?xml?><html xml:lang=\"he\" dir=\"rtl\"><p>כלב</p></html>");
}

TEST_CASE("of ruby the base is text, and soft hyphens are not seen") {
  const auto ruby = [](const std::string& base) {
    return "<w:r><w:ruby><w:rubyPr/><w:rt>" + run("kan") + "</w:rt><w:rubyBase>" + run(base) +
           "</w:rubyBase></w:ruby></w:r>";
  };
  const std::string page = word("<w:p>" + run("Some ") + ruby("signs") +
                                "<w:r><w:t>, ma</w:t><w:softHyphen/><w:t>ny</w:t></w:r></w:p>");
  CHECK(lines("docx", page) == Lines{"Some signs, many"});
  CHECK(with("docx", page, {"Zeichen"}) == word("<w:p>" + spaced("Zeichen") + "</w:p>"));
  const std::string text =
      "<x><text:p>Some <text:ruby><text:ruby-base>signs</text:ruby-base><text:ruby-text>kan"
      "</text:ruby-text></text:ruby>, <text:meta>many</text:meta></text:p></x>";
  CHECK(lines("odf", text) == Lines{"Some signs, <g id=\"1\">many</g>"});
  CHECK(with("odf", text, {"<g id=\"1\">viele</g> Zeichen"}) ==
        "<x><text:p><text:meta>viele</text:meta> Zeichen</text:p></x>");
}

TEST_CASE("a cell of OpenDocument that shows a value stays, but for its comments") {
  const auto cell = [](const std::string& attributes) {
    return "<x><table:table-cell " + attributes +
           "><office:annotation><text:p>note</text:p></office:annotation><text:p>3 kg</text:p>"
           "</table:table-cell></x>";
  };
  CHECK(lines("odf", cell("office:value-type=\"string\"")) == Lines{"note", "3 kg"});
  CHECK(lines("odf", cell("office:value-type=\"float\" office:value=\"3\"")) == Lines{"note"});
  CHECK(lines("odf", cell("table:formula=\"of:=[.A1]\" office:value-type=\"string\"")) ==
        Lines{"note"});
}

TEST_CASE("a part that is not well-formed is refused, and so is one without end") {
  for (const std::string page : {"<a><w:p>", "<a><w:p></a>", "</a>", "<a><w:p"})
    CHECK_THROWS_WITH(extracted("docx", page), Contains("doc:1: not well-formed"));
  std::string deep, end;
  for (int i = 0; i < 10000; ++i) deep += "<w:p><w:x>", end += "</w:x></w:p>";
  CHECK_THROWS_WITH(extracted("docx", deep + end), Contains("nested too deeply"));
}

namespace {

// The lines of an archive of members.
std::string lines_of(const std::string& name,
                     const std::vector<std::pair<std::string, std::string>>& members) {
  const Scratch scratch;
  const std::string path = scratch.path(name);
  AtomicFile file(path);
  ZipWriter writer(file);
  for (const auto& [member, bytes] : members) writer.add(member, bytes);
  writer.finish();
  file.commit();
  const Package package(path, find_format("", path));
  std::string all;
  for (const std::string& part : package.parts()) {
    const std::string document = package.read(part);
    Editor editor(
        document, part,
        [&](const std::string& line) {
          all += line + "\n";
          return std::optional<std::string>();
        },
        nullptr);
    find_format("", path).pass(editor, package.with_headings({}));
  }
  return all;
}

}  // namespace

TEST_CASE("headings of tables stay, however they are written") {
  const std::string table =
      "<tableColumn name=\"Two_x000a_lines\"/><tableColumn name=\" Name \"/><tableColumn "
      "name=\"Big dog\"/>";
  CHECK(lines_of("a.xlsx",
                 {{"xl/tables/table1.xml", "<table>" + table + "</table>"},
                  {"xl/sharedStrings.xml",
                   "<sst><si><t>Two\nlines</t></si><si><t> Name </t></si><si><r><t>Big "
                   "</t></r><r><rPr><b/></rPr><t>dog</t></r></si><si><t>Cat</t></si></sst>"}}) ==
        "Cat\n");
}

TEST_CASE("members have texts by what they are, in any case") {
  const std::string page = "<?xml version=\"1.0\"?><html><body><p>Page</p></body></html>";
  CHECK(lines_of("a.epub", {{"META-INF/container.xml", "<?xml version=\"1.0\"?><a>No</a>"},
                            {"OPS/map.xml", "<?xml version=\"1.0\"?><a>No</a>"},
                            {"OPS/main.xml", page},
                            {"OPS/toc.ncx", "<ncx><text>Contents</text></ncx>"}}) ==
        "Page\nContents\n");
  CHECK(lines_of("a.xlsx", {{"xl\\worksheets\\Sheet1.xml", "<x><is><t>Cell</t></is></x>"},
                            {"xl/drawings/drawing1.xml", "<a:p><a:r><a:t>Box</a:t></a:r></a:p>"},
                            {"xl/comments1.xml", "<text><r><t>Note</t></r></text>"}}) ==
        "Note\nBox\nCell\n");
}

TEST_CASE("an archive keeps its other members, and all of itself where no text changes") {
  const Scratch scratch;
  const std::string path = scratch.path("a.docx"), out = scratch.path("b.docx"), picture(5000, 'x');
  {
    AtomicFile file(path);
    ZipWriter writer(file);
    writer.add("mimetype", "word");
    writer.add("word/header2.xml", word("<w:p>" + run("Page") + "</w:p>"));
    writer.add("word/document.xml", word("<w:p>" + run("A dog") + "</w:p>"));
    writer.add("word/media/picture.png", picture);
    writer.finish();
    file.commit();
  }
  const Format& format = find_format("", path);
  const auto merge_lines = [&](const std::string& lines) {
    return merge(path, scratch.file("lines", lines), out, format, {});
  };
  CHECK(merge_lines("A dog\nPage\n").problems == Lines{});
  CHECK(read_file(out) == read_file(path));
  const Outcome outcome = merge_lines("Ein Hund\n\n");
  CHECK(outcome.texts == 2);
  CHECK(outcome.problems ==
        Lines{path + "(word/header2.xml):2: translation 2 is empty; the text stays as it is"});
  const ZipFile zip(out);
  CHECK(zip.members().size() == 4);
  CHECK(zip.members().at("mimetype").begin < zip.members().at("word/document.xml").begin);
  CHECK(zip.read("word/document.xml") == word("<w:p>" + spaced("Ein Hund") + "</w:p>"));
  CHECK(zip.read("word/header2.xml") == word("<w:p>" + run("Page") + "</w:p>"));
  CHECK(zip.read("word/media/picture.png") == picture);
  CHECK_THROWS_WITH(merge_lines("Ein Hund\n"), Contains("has 2 texts, but"));
  CHECK_THROWS_WITH(merge(path, "-", out, find_format("pptx", ""), {}), Contains("no member"));
}

}  // namespace tt::document
