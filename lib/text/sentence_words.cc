#include "text/sentence_words.h"

#include "text/words.h"

namespace tt {
namespace {

struct Row {
  std::string_view language;  // empty: all languages
  SentenceWords::Set SentenceWords::*kind;
  std::string_view words;
};

// Abbreviations that mostly end a sentence, as "etc.", and those that are words as well, are in no
// row.
constexpr Row kRows[] = {
    {"", &SentenceWords::within, "dr prof st mr mrs ms mt vs cf ca approx th ph chr"},
    {"en", &SentenceWords::within,
     "messrs mmes capt lt col maj sgt cpl pvt adm cmdr gov pres supt insp atty hon rev fr e.g i.e "
     "viz dept"},
    {"de", &SentenceWords::within,
     "z.b d.h u.a u.u z.t o.g i.d.r bzw sog hr fr frl ing dipl dipl.-ing rer priv doz bspw evtl "
     "ggf inkl exkl "
     "zzgl vgl s.o s.u o.ä mio mrd geb gest ev kath hl hrn univ.-prof"},
    {"fr", &SentenceWords::within, "mm mme mmes mlle mlles mgr me dre pr ste ch p.ex bd éd env"},
    {"es", &SentenceWords::within,
     "sr sra srta sres dra dña lic ing arq gral pdte ud uds vd vds dto dcha izq ee p.ej aprox "
     "avda"},
    {"it", &SentenceWords::within,
     "sig sigg sig.ra sig.na dott dott.ssa prof.ssa avv ing arch geom rag dir amm on mons psicol "
     "egr gent spett p.es es cfr"},
    {"pt", &SentenceWords::within, "sr sra srs sras srta exmo exma eng dra prof.a p.ex av"},
    {"nl", &SentenceWords::within,
     "dhr mevr mw jhr drs ds ir ing bijv d.w.z o.a m.b.t i.p.v blz t.a.v jl"},
    {"cs", &SentenceWords::within, "např tj tzv tzn mudr judr phdr rndr ing mgr bc doc sv plk kpt"},
    {"sk", &SentenceWords::within,
     "napr tj t.j tzv t.z mudr judr phdr rndr ing mgr bc doc sv plk kpt"},
    {"pl", &SentenceWords::within,
     "np tj tzw tzn zob mgr inż hab ul św ks abp bp kard płk mjr kpt cz sz ch"},
    {"ru", &SentenceWords::within,
     "вл ал ул пл пер пос пгт обл т.е т.к т.н см ср напр проф доц акад им св тов гр"},
    {"uk", &SentenceWords::within, "вул пл обл т.зв див напр проф доц акад ім св"},
    {"bg", &SentenceWords::within, "хр ив гр ул бул пл т.е т.нар напр вж проф доц акад инж св"},
    {"kk", &SentenceWords::within, "б.з.б б.з т.б проф акад"},
    {"sv", &SentenceWords::within, "hr fr dir f.d t.ex bl.a d.v.s dvs resp s.k kl"},
    {"da", &SentenceWords::within,
     "skt hr fr frk f.eks bl.a dvs d.v.s pga mht ifm vedr hhv s.k kl"},
    {"nb", &SentenceWords::within, "hr fr frk f.eks bl.a dvs pga mht ifm vedr s.k kl"},
    {"el", &SentenceWords::within, "π.χ δηλ βλ αρ άρ σελ κα δρ"},
    {"tr", &SentenceWords::within, "örn bkz bk doç av sn yrd öğr cad mah"},
    {"hu", &SentenceWords::within, "pl ún ill kb özv ifj id ld vö cs gy sz zs"},
    {"fi", &SentenceWords::within, "ks esim mm ns ts ent nyk tri toht maist toim"},
    {"ro", &SentenceWords::within, "dl dna d-na dvs d-voastră ing av sf str"},
    {"ar", &SentenceWords::within, "د أ م"},

    {"en", &SentenceWords::either, "jr sr gen sen rep"},
    {"de", &SentenceWords::either, "v.chr n.chr h.c mult jun sen med phil jur nat theol habil"},
    {"es", &SentenceWords::either, "uu ee.uu a.c d.c"},
    {"it", &SentenceWords::either, "ecc a.c d.c"},
    {"pl", &SentenceWords::either, "tys mln mld r gen por red"},
    {"ru", &SentenceWords::either, "гг т.д т.п др пр н.э руб коп тыс млн млрд стр"},
    {"uk", &SentenceWords::either, "рр т.д т.п ін н.е грн тис млн млрд"},
    {"bg", &SentenceWords::either, "т.н др хил млн млрд лв"},

    {"", &SentenceWords::before_numbers,
     "no nos nr nrn vol vols fig figs eq eqs art p pp pg pág págs núm núms num n° n.º n.o abs kap "
     "chap chapt sec "
     "secs sect tab ch str č tel fax ext max min jan feb mar mär apr jun jul aug sep sept oct okt "
     "nov dec "
     "dez st lt ed bd blz sid стр рис гл"},
    {"en", &SentenceWords::before_numbers, "ex par mon tue tues thu thurs fri"},
    {"de", &SentenceWords::before_numbers, "abb anm anl rn rz rdnr ziff zl"},
    {"es", &SentenceWords::before_numbers,
     "párr párrs párrf cap caps arts cra cl kr ene abr ago set dic lun mié jue vie sáb dom"},
    {"it", &SentenceWords::before_numbers,
     "pagg cap capp figg voll tabb nn artt gen mag giu lug ago set ott dic"},
    {"fr", &SentenceWords::before_numbers, "al janv févr avr juil déc tél"},
    {"pt", &SentenceWords::before_numbers, "cap caps arts"},
    {"nl", &SentenceWords::before_numbers, "afb hfdst"},
    {"pl", &SentenceWords::before_numbers, "rozdz rys poz ust zał"},
    {"cs", &SentenceWords::before_numbers, "čl obr odst"},
    {"sk", &SentenceWords::before_numbers, "čl obr ods"},
    {"da", &SentenceWords::before_numbers, "stk"},
    {"el", &SentenceWords::before_numbers, "άρθ κεφ"},
    {"ro", &SentenceWords::before_numbers, "et ap sc bl"},
    {"bg", &SentenceWords::before_numbers, "чл ал"},
    {"ru", &SentenceWords::before_numbers, "кв д стр корп оф тел п пп ст табл"},
    {"kk", &SentenceWords::before_numbers, "жыл бет сур"},

    {"en", &SentenceWords::starters,
     "the a an this that these those it its he she they we you i his her their our my your there "
     "here how what when where why who which while if as at in on for from by with after before "
     "since because although and but or then so yet now today yesterday did do does is are was "
     "were can could would should has have had not no yes please let nobody everyone some many "
     "most all one another each"},
    {"de", &SentenceWords::starters,
     "der die das den dem ein eine einer einem einen er sie es wir ich ihr du man mein meine sein "
     "seine ihre unser unsere dieser diese dieses diesen jeder alle einige viele in im am an auf "
     "aus bei beim mit nach vor von vom zu zum zur über unter für durch gegen ohne um seit während "
     "wenn als wie was wer wo warum wann weil da dort hier dann denn doch aber und oder so auch "
     "nur noch schon jetzt heute gestern nun ja nein nicht kein keine ist sind war waren hat haben "
     "dabei damit danach daher dazu"},
    {"fr", &SentenceWords::starters,
     "le la les l un une des du de il elle ils elles on nous vous je j ce c cet cette ces mon ma "
     "mes son sa ses leur notre votre et mais ou où donc or ni car que qu qui quand comment "
     "pourquoi si dans en sur à au aux avec pour par sans après avant depuis puis alors oui non"},
    {"es", &SentenceWords::starters,
     "el la los las lo un una unos unas él ella ellos ellas nosotros usted yo tú se su sus mi mis "
     "este esta estos estas ese esa eso y e o pero si no sí que qué quién cuándo cómo dónde cuando "
     "donde en a al con de del para por sin desde hasta tras según también ya hoy es son fue"},
    {"it", &SentenceWords::starters,
     "il lo la i gli le l un uno una egli lui lei essi loro noi voi io tu si ci questo questa "
     "questi queste quello quella e ed ma o se non sì che chi quando come dove perché in a al di "
     "del con per da dal su nel nella dopo prima poi anche oggi è sono era"},
    {"pt", &SentenceWords::starters,
     "o a os as um uma ele ela eles elas nós você eu se este esta isto esse essa e mas ou não sim "
     "que quem quando como onde em no na de do da com para por sem desde até também já hoje"},
    {"pl", &SentenceWords::starters,
     "on ona ono oni one my wy ja ty to ten ta te a ale lub albo jeśli nie tak co kto kiedy jak "
     "gdzie w we na z ze po przy od do dla i o jest są był była"},
    {"nl", &SentenceWords::starters,
     "de het een hij zij ze wij we ik jij je u dit dat deze die er en maar of als wat wie waar "
     "wanneer waarom hoe in op aan bij met na voor van naar door om toen dan nu ja nee niet geen"},
    {"ru", &SentenceWords::starters,
     "он она оно они мы вы я ты это этот эта эти тот та те и но а или если не да нет что кто когда "
     "как где почему куда в на с к по за из от для при после до у о об его её их потом тогда"},
    {"uk", &SentenceWords::starters,
     "він вона воно вони ми ви я ти це цей ця ці та той і й але або якщо не так ні що хто коли як "
     "де чому у в на з до від для при після його її їх потім тоді"},
    {"sv", &SentenceWords::starters,
     "den det de en ett han hon vi jag du i man och men eller om när var vad vem varför på med "
     "till för av efter så nu ja nej inte där här"},
    {"da", &SentenceWords::starters,
     "den det de en et han hun vi jeg du i man og men eller hvis når hvor hvad hvem hvorfor på med "
     "til fra for af efter så nu da ja nej ikke der her"},
    {"sk", &SentenceWords::starters,
     "on ona ono oni my vy ja ty to ten tá tento táto a ale alebo ak nie áno čo kto keď ako kde v "
     "na s z po pri od pre"},
    {"cs", &SentenceWords::starters,
     "on ona ono oni my vy já ty to ten ta tento tato a ale nebo jestli ne ano co kdo když jak kde "
     "v ve na s z po při od pro"},
};

}  // namespace

SentenceWords sentence_words(std::string_view language) {
  SentenceWords found;
  for (const Row& row : kRows)
    if (row.language.empty() || row.language == language)
      for (const TextRange& r : words_of(row.words)) (found.*row.kind).insert(r.in(row.words));
  return found;
}

}  // namespace tt
