// The words of the embedded corpus, English and Japanese, with what the grammar (data/grammar.h)
// must know about them: which objects a verb takes (people eat food and read books), how a noun is
// counted, which pronoun refers to a person.
//
// Invariant: the translation of a word depends only on English context in the same sentence, so
// that a source sentence has exactly one translation.
#pragma once

#include <vector>

namespace tt::toy {

// Kinds of nouns; the mask of a verb or adjective says which nouns go with it.
enum Kind : unsigned {
  kPerson = 1,
  kAnimal = 2,
  kFeed = 4,
  kFood = 8,
  kDrink = 16,
  kText = 32,
  kShow = 64,
  kWear = 128,
  kVehicle = 256,
  kTool = 512,
  kFurniture = 1024,
  kInstrument = 2048,
  kPlant = 4096,
  kOpen = 8192,
  kMusic = 16384,
  kSubject = 32768,
  kPlace = 65536,
  kMade = 1 << 17,
  kLetter = 1 << 18,
  kFruit = 1 << 19,
  kRidden = 1 << 20,
  kTidy = 1 << 21,
  kGoods = 1 << 22,
  kLap = 1 << 23,
  kSong = 1 << 25,
  kTree = 1 << 24,
};

// The places of an action.
enum Site : unsigned {
  kHome = 1,
  kEatery = 2,
  kDesk = 4,
  kOutdoors = 8,
  kWater = 16,
  kShop = 32,
  kJob = 64
};

// plural "": a mass noun, counted with `unit` ("cup", "pair") or not at all. gender: h he, s she, n
// either, i it.
struct Noun {
  const char *en, *plural, *ja;
  unsigned kind;
  const char* counter = "";
  const char* unit = "";
  char gender = 'i';
};

inline const std::vector<Noun> kNouns = {
    {"teacher", "teachers", "先生", kPerson, "人", "", 'n'},
    {"student", "students", "学生", kPerson, "人", "", 'n'},
    {"doctor", "doctors", "医者", kPerson, "人", "", 'n'},
    {"child", "children", "子供", kPerson, "人", "", 'n'},
    {"boy", "boys", "男の子", kPerson, "人", "", 'h'},
    {"girl", "girls", "女の子", kPerson, "人", "", 's'},
    {"man", "men", "男の人", kPerson, "人", "", 'h'},
    {"woman", "women", "女の人", kPerson, "人", "", 's'},
    {"nurse", "nurses", "看護師", kPerson, "人", "", 'n'},
    {"singer", "singers", "歌手", kPerson, "人", "", 'n'},
    {"cook", "cooks", "料理人", kPerson, "人", "", 'n'},
    {"writer", "writers", "作家", kPerson, "人", "", 'n'},
    {"engineer", "engineers", "技師", kPerson, "人", "", 'n'},
    {"dog", "dogs", "犬", kAnimal, "匹"},
    {"cat", "cats", "猫", kAnimal, "匹"},
    {"monkey", "monkeys", "猿", kAnimal, "匹"},
    {"mouse", "mice", "ねずみ", kAnimal, "匹"},
    {"rabbit", "rabbits", "うさぎ", kAnimal, "羽"},
    {"bird", "birds", "鳥", kAnimal, "羽"},
    {"horse", "horses", "馬", kAnimal | kRidden, "頭"},
    {"cow", "cows", "牛", kAnimal, "頭"},
    {"elephant", "elephants", "象", kAnimal | kRidden, "頭"},
    {"apple", "apples", "りんご", kFood | kFeed | kFruit | kGoods, "個"},
    {"orange", "oranges", "みかん", kFood | kFruit | kGoods, "個"},
    {"egg", "eggs", "卵", kFood | kGoods, "個"},
    {"carrot", "carrots", "人参", kFood | kFeed | kGoods, "本"},
    {"banana", "bananas", "バナナ", kFood | kFeed | kFruit | kGoods, "本"},
    {"cake", "cakes", "ケーキ", kFood | kMade | kGoods, "個"},
    {"sandwich", "sandwiches", "サンドイッチ", kFood | kMade | kGoods, "個"},
    {"bread", "", "パン", kFood | kFeed | kMade | kGoods, "枚", "slice"},
    {"fish", "", "魚", kFood | kFeed | kGoods},
    {"meat", "", "肉", kFood | kFeed | kGoods},
    {"soup", "", "スープ", kFood | kMade, "杯", "bowl"},
    {"rice", "", "ご飯", kFood | kMade, "杯", "bowl"},
    {"coffee", "", "コーヒー", kDrink, "杯", "cup"},
    {"tea", "", "お茶", kDrink, "杯", "cup"},
    {"water", "", "水", kDrink | kLap, "杯", "glass"},
    {"milk", "", "牛乳", kDrink | kLap | kGoods, "杯", "glass"},
    {"juice", "", "ジュース", kDrink | kGoods, "杯", "glass"},
    {"book", "books", "本", kText | kGoods, "冊"},
    {"novel", "novels", "小説", kText | kLetter | kGoods, "冊"},
    {"magazine", "magazines", "雑誌", kText | kGoods, "冊"},
    {"dictionary", "dictionaries", "辞書", kText | kTool | kGoods, "冊"},
    {"letter", "letters", "手紙", kText | kLetter, "通"},
    {"postcard", "postcards", "葉書", kLetter | kGoods, "枚"},
    {"newspaper", "newspapers", "新聞", kText | kGoods, "部"},
    {"movie", "movies", "映画", kShow, "本"},
    {"picture", "pictures", "絵", kShow | kGoods, "枚"},
    {"photograph", "photographs", "写真", kShow, "枚"},
    {"shirt", "shirts", "シャツ", kWear | kGoods, "枚"},
    {"sweater", "sweaters", "セーター", kWear | kMade | kGoods, "枚"},
    {"coat", "coats", "コート", kWear | kGoods, "着"},
    {"kimono", "kimonos", "着物", kWear | kGoods, "着"},
    {"car", "cars", "車", kVehicle | kGoods, "台"},
    {"truck", "trucks", "トラック", kVehicle, "台"},
    {"bicycle", "bicycles", "自転車", kRidden | kTool | kGoods, "台"},
    {"camera", "cameras", "カメラ", kTool | kGoods, "台"},
    {"computer", "computers", "パソコン", kTool | kGoods, "台"},
    {"umbrella", "umbrellas", "傘", kTool | kGoods, "本"},
    {"pencil", "pencils", "鉛筆", kTool | kGoods, "本"},
    {"knife", "knives", "ナイフ", kTool | kGoods, "本"},
    {"key", "keys", "鍵", kTool, "本"},
    {"ticket", "tickets", "切符", kTool, "枚"},
    {"watch", "watches", "時計", kTool | kGoods, "個"},
    {"box", "boxes", "箱", kFurniture | kOpen, "個"},
    {"bag", "bags", "鞄", kFurniture | kOpen | kMade | kGoods, "個"},
    {"desk", "desks", "机", kFurniture | kMade, "台"},
    {"chair", "chairs", "椅子", kFurniture | kMade | kGoods, "脚"},
    {"door", "doors", "ドア", kOpen, "枚"},
    {"window", "windows", "窓", kOpen, "枚"},
    {"piano", "pianos", "ピアノ", kInstrument, "台"},
    {"guitar", "guitars", "ギター", kInstrument | kGoods, "本"},
    {"violin", "violins", "バイオリン", kInstrument | kGoods, "本"},
    {"flower", "flowers", "花", kPlant | kGoods, "本"},
    {"tree", "trees", "木", kTree, "本"},
    {"song", "songs", "歌", kMusic | kSong, "曲"},
    {"music", "", "音楽", kMusic},
    {"English", "", "英語", kSubject},
    {"Japanese", "", "日本語", kSubject},
    {"history", "", "歴史", kSubject},
    {"mathematics", "", "数学", kSubject},
};

// Members of a family: `own` is what one calls one's own, `other` what one calls other people's.
struct Kin {
  const char *en, *own, *other;
  char gender;
};
inline const std::vector<Kin> kKin = {
    {"mother", "母", "お母さん", 's'},          {"father", "父", "お父さん", 'h'},
    {"grandmother", "祖母", "おばあさん", 's'}, {"grandfather", "祖父", "おじいさん", 'h'},
    {"older brother", "兄", "お兄さん", 'h'},   {"older sister", "姉", "お姉さん", 's'},
    {"younger brother", "弟", "弟さん", 'h'},   {"younger sister", "妹", "妹さん", 's'},
};

struct Name {
  const char *en, *ja;
  char gender;
};
inline const std::vector<Name> kNames = {
    {"Tom", "トム", 'h'},          {"Mary", "メアリー", 's'},       {"Ken", "健", 'h'},
    {"Yumi", "由美", 's'},         {"Anna", "アンナ", 's'},         {"Mr. Tanaka", "田中さん", 'h'},
    {"Ms. Sato", "佐藤さん", 's'}, {"Mr. Suzuki", "鈴木さん", 'h'},
};

// A place: with its preposition, what can be done there, and whether one cleans it.
struct Place {
  const char *in, *en, *ja;
  unsigned site;
  bool tidy = false;
};
inline const std::vector<Place> kPlaces = {
    {"in", "park", "公園", kOutdoors},
    {"in", "garden", "庭", kOutdoors, true},
    {"on", "beach", "浜辺", kOutdoors},
    {"in", "kitchen", "台所", kHome | kEatery, true},
    {"in", "room", "部屋", kHome | kDesk, true},
    {"in", "library", "図書館", kDesk | kJob},
    {"at", "school", "学校", kDesk | kJob},
    {"at", "university", "大学", kDesk | kJob},
    {"at", "restaurant", "レストラン", kEatery | kJob},
    {"at", "hotel", "ホテル", kEatery | kJob | kHome},
    {"at", "hospital", "病院", kJob},
    {"at", "station", "駅", kShop | kJob},
    {"at", "market", "市場", kShop},
    {"at", "supermarket", "スーパー", kShop | kJob},
    {"at", "bank", "銀行", kJob},
    {"in", "river", "川", kWater},
    {"in", "sea", "海", kWater},
    {"in", "pool", "プール", kWater},
};

enum Trait : unsigned {
  kLasting = 1,     // has a progressive, and lasts for hours
  kState = 2,       // said with ている in the present
  kGoing = 4,       // takes a destination, a vehicle, company
  kGiving = 8,      // takes a receiver
  kSudden = 16,     // happens at a moment: "when the teacher came"
  kOne = 32,        // with one object, or several that are not counted
  kOwned = 64,      // with things that are somebody's: "washed his car"
  kUnwilled = 128,  // happens to one: nobody wants to or must
  kOthers = 256,    // with somebody else's things
};

// group: 1 drops る, 5 changes its last sound, s ends in する. `particle` marks the object. Masks
// of objects (0: none), subjects and sites (0: none is said). manners: letters of kManners.
struct Verb {
  const char *en, *past, *ing, *prep;
  const char* ja;
  char group;
  const char* particle;
  unsigned object, subject, site, traits;
  const char* manners = "";
};

inline const std::vector<Verb> kVerbs = {
    {"eat", "ate", "eating", "", "食べる", '1', "を", kFood, kPerson, kEatery | kOutdoors, kLasting,
     "sq"},
    {"eat", "ate", "eating", "", "食べる", '1', "を", kFeed, kAnimal, kOutdoors, kLasting, "q"},
    {"drink", "drank", "drinking", "", "飲む", '5', "を", kLap, kAnimal, kOutdoors, kLasting},
    {"drink", "drank", "drinking", "", "飲む", '5', "を", kDrink, kPerson, kEatery, kLasting, "s"},
    {"read", "read", "reading", "", "読む", '5', "を", kText, kPerson, kDesk | kOutdoors, kLasting,
     "tc"},
    {"write", "wrote", "writing", "", "書く", '5', "を", kLetter, kPerson, kDesk, kLasting, "c"},
    {"buy", "bought", "buying", "", "買う", '5', "を", kGoods, kPerson, kShop, 0},
    {"sell", "sold", "selling", "", "売る", '5', "を", kGoods, kPerson, kShop, kOwned},
    {"watch", "watched", "watching", "", "見る", '1', "を", kShow, kPerson, kHome, kLasting, "t"},
    {"look", "looked", "looking", "at", "見る", '1', "を", kPlant | kTree | kAnimal, kPerson,
     kOutdoors, kLasting},
    {"make", "made", "making", "", "作る", '5', "を", kMade, kPerson, kHome, kLasting, "cq"},
    {"wash", "washed", "washing", "", "洗う", '5', "を", kWear | kVehicle, kPerson, 0,
     kLasting | kOwned, "cq"},
    {"clean", "cleaned", "cleaning", "", "掃除する", 's', "を", kTidy, kPerson, 0, kLasting, "cq"},
    {"open", "opened", "opening", "", "開ける", '1', "を", kOpen, kPerson, 0,
     kSudden | kOne | kOwned, "ts"},
    {"close", "closed", "closing", "", "閉める", '1', "を", kOpen, kPerson, 0,
     kSudden | kOne | kOwned, "ts"},
    {"lose", "lost", "losing", "", "なくす", '5', "を", kTool, kPerson, kShop | kJob,
     kOwned | kUnwilled},
    {"find", "found", "finding", "", "見つける", '1', "を", kTool, kPerson, kHome | kOutdoors,
     kSudden | kOwned},
    {"look", "looked", "looking", "for", "探す", '5', "を", kTool | kAnimal, kPerson,
     kHome | kOutdoors, kLasting | kOne | kOwned},
    {"use", "used", "using", "", "使う", '5', "を", kTool, kPerson, kJob, kLasting | kOne | kOwned,
     "c"},
    {"carry", "carried", "carrying", "", "運ぶ", '5', "を", kFurniture, kPerson, 0,
     kLasting | kOwned, "s"},
    {"borrow", "borrowed", "borrowing", "", "借りる", '1', "を", kText | kTool, kPerson, 0,
     kOwned | kOthers},
    {"play", "played", "playing", "", "弾く", '5', "を", kInstrument, kPerson, kHome | kOutdoors,
     kLasting | kOne | kOwned, "tw"},
    {"listen", "listened", "listening", "to", "聞く", '5', "を", kMusic, kPerson, kHome | kOutdoors,
     kLasting, "t"},
    {"sing", "sang", "singing", "", "歌う", '5', "を", kSong, kPerson, kOutdoors, kLasting | kOne,
     "wtl"},
    {"study", "studied", "studying", "", "勉強する", 's', "を", kSubject, kPerson, kDesk, kLasting,
     "t"},
    {"drive", "drove", "driving", "", "運転する", 's', "を", kVehicle, kPerson, 0,
     kLasting | kOne | kOwned, "sw"},
    {"ride", "rode", "riding", "", "乗る", '5', "に", kRidden, kPerson, kOutdoors, kOne | kOwned,
     "w"},
    {"put", "put", "putting", "on", "着る", '1', "を", kWear, kPerson, 0, kOne | kOwned, "q"},
    {"wait", "waited", "waiting", "for", "待つ", '5', "を", kPerson, kPerson, kShop | kJob,
     kLasting | kOne | kOwned, "t"},
    {"meet", "met", "meeting", "", "会う", '5', "に", kPerson, kPerson, kShop | kOutdoors, kOwned},
    {"help", "helped", "helping", "", "手伝う", '5', "を", kPerson, kPerson, kHome | kJob,
     kLasting | kOne | kOwned},
    {"call", "called", "calling", "", "電話する", 's', "に", kPerson, kPerson, 0,
     kSudden | kOne | kOwned},
    {"know", "knew", "knowing", "", "知る", '5', "を", kPerson, kPerson, 0, kState | kOne},
    {"have", "had", "having", "", "持つ", '5', "を", kTool | kInstrument | kVehicle | kText,
     kPerson, 0, kState},
    {"take care of", "took care of", "taking care of", "", "世話をする", 's', "の",
     kAnimal | kPlant, kPerson, 0, kLasting | kOwned, "w"},
    {"chase", "chased", "chasing", "", "追いかける", '1', "を", kAnimal, kAnimal, kOutdoors,
     kLasting | kOne},
    {"sleep", "slept", "sleeping", "", "寝る", '1', "", 0, kPerson | kAnimal, kHome | kOutdoors,
     kLasting, "t"},
    {"swim", "swam", "swimming", "", "泳ぐ", '5', "", 0, kPerson, kWater, kLasting, "sfw"},
    {"run", "ran", "running", "", "走る", '5', "", 0, kPerson | kAnimal, kOutdoors, kLasting, "sf"},
    {"walk", "walked", "walking", "", "歩く", '5', "", 0, kPerson | kAnimal, kOutdoors, kLasting,
     "st"},
    {"dance", "danced", "dancing", "", "踊る", '5', "", 0, kPerson, kOutdoors | kHome, kLasting,
     "w"},
    {"laugh", "laughed", "laughing", "", "笑う", '5', "", 0, kPerson, 0, kLasting, "lt"},
    {"cry", "cried", "crying", "", "泣く", '5', "", 0, kPerson, kHome | kOutdoors,
     kLasting | kUnwilled, "lt"},
    {"work", "worked", "working", "", "働く", '5', "", 0, kPerson, kJob, kLasting, "t"},
    {"rest", "rested", "resting", "", "休む", '5', "", 0, kPerson | kAnimal, kOutdoors | kHome,
     kLasting, "t"},
    {"play", "played", "playing", "", "遊ぶ", '5', "", 0, kPerson | kAnimal, kOutdoors, kLasting,
     "t"},
    {"go", "went", "going", "to", "行く", '5', "に", kPlace, kPerson, 0, kGoing},
    {"come", "came", "coming", "to", "来る", '1', "に", kPlace, kPerson, 0, kGoing | kSudden},
    {"return", "returned", "returning", "to", "戻る", '5', "に", kPlace, kPerson, 0,
     kGoing | kSudden},
    {"arrive", "arrived", "arriving", "at", "着く", '5', "に", kPlace, kPerson, 0,
     kSudden | kUnwilled},
    {"give", "gave", "giving", "", "あげる", '1', "を", kFruit | kText | kLetter | kTool | kMade,
     kPerson, 0, kGiving},
    {"show", "showed", "showing", "", "見せる", '1', "を", kShow | kText | kWear, kPerson, 0,
     kGiving | kOwned},
    {"send", "sent", "sending", "", "送る", '5', "を", kLetter | kText, kPerson, 0, kGiving},
    {"lend", "lent", "lending", "", "貸す", '5', "を", kText | kTool, kPerson, 0, kGiving | kOwned},
    {"teach", "taught", "teaching", "", "教える", '1', "を", kSubject, kPerson, 0, kGiving},
};

struct Phrase {
  const char *en, *ja;
};
struct Manner {
  char letter;
  const char *en, *ja;
};
inline const std::vector<Manner> kManners = {
    {'q', "quickly", "急いで"},   {'f', "fast", "速く"},      {'s', "slowly", "ゆっくり"},
    {'c', "carefully", "丁寧に"}, {'t', "quietly", "静かに"}, {'l', "loudly", "大きな声で"},
    {'w', "well", "上手に"}};
inline const std::vector<Phrase> kByVehicle = {
    {"by bus", "バスで"},       {"by train", "電車で"},    {"by car", "車で"},
    {"by bicycle", "自転車で"}, {"by taxi", "タクシーで"}, {"on foot", "歩いて"}};
inline const std::vector<Phrase> kPastTimes = {{"yesterday", "昨日"},
                                               {"last night", "昨夜"},
                                               {"last week", "先週"},
                                               {"this morning", "今朝"},
                                               {"last Sunday", "先週の日曜日に"},
                                               {"last month", "先月"}};
inline const std::vector<Phrase> kFutureTimes = {{"tomorrow", "明日"},
                                                 {"next week", "来週"},
                                                 {"tonight", "今夜"},
                                                 {"next month", "来月"},
                                                 {"next Sunday", "来週の日曜日に"}};
inline const std::vector<Phrase> kHabitTimes = {{"every day", "毎日"},
                                                {"every morning", "毎朝"},
                                                {"every evening", "毎晩"},
                                                {"every week", "毎週"}};
inline const std::vector<Phrase> kOften = {
    {"often", "よく"}, {"sometimes", "時々"}, {"usually", "たいてい"}, {"always", "いつも"}};
inline const std::vector<Phrase> kWhere = {
    {"on", "上"}, {"under", "下"}, {"behind", "後ろ"}, {"next to", "隣"}, {"in front of", "前"}};

// group: い or な. `attribute` replaces the form before nouns where it is another. `more`: the
// comparative.
struct Adjective {
  const char *en, *more, *ja;
  char group;
  unsigned kind;
  const char* attribute = "";
};
inline const std::vector<Adjective> kAdjectives = {
    {"big", "bigger", "大きい", 'i',
     kAnimal | kFurniture | kPlant | kTree | kFruit | kVehicle | kPlace},
    {"small", "smaller", "小さい", 'i',
     kAnimal | kFurniture | kPlant | kFruit | kVehicle | kPlace | kTool},
    {"red", "", "赤い", 'i', kWear | kVehicle | kPlant | kFurniture},
    {"white", "", "白い", 'i', kWear | kVehicle | kAnimal | kFurniture},
    {"black", "", "黒い", 'i', kWear | kVehicle | kAnimal | kFurniture},
    {"new", "newer", "新しい", 'i',
     kText | kWear | kVehicle | kTool | kFurniture | kInstrument | kPlace},
    {"old", "older", "古い", 'i',
     kText | kWear | kVehicle | kTool | kFurniture | kInstrument | kPlace | kShow | kMusic},
    {"expensive", "more expensive", "高い", 'i', kWear | kVehicle | kTool | kInstrument},
    {"cheap", "cheaper", "安い", 'i', kWear | kVehicle | kTool | kInstrument | kFruit},
    {"beautiful", "more beautiful", "美しい", 'i', kPlant | kPlace | kShow | kMusic},
    {"heavy", "heavier", "重い", 'i', kTool | kFurniture | kInstrument},
    {"interesting", "more interesting", "面白い", 'i', kText | kShow | kSubject},
    {"difficult", "more difficult", "難しい", 'i', kText | kSubject | kMusic},
    {"delicious", "more delicious", "美味しい", 'i', kFood | kDrink},
    {"fresh", "fresher", "新鮮な", 'n', kFruit | kFeed},
    {"sweet", "sweeter", "甘い", 'i', kFruit},
    {"kind", "kinder", "親切な", 'n', kPerson},
    {"famous", "more famous", "有名な", 'n', kPerson | kPlace | kText | kShow},
    {"young", "younger", "若い", 'i', kPerson},
    {"tall", "taller", "背が高い", 'i', kPerson, "背の高い"},
    {"strong", "stronger", "強い", 'i', kPerson | kAnimal},
    {"quiet", "quieter", "静かな", 'n', kPlace},
    {"cute", "cuter", "かわいい", 'i', kAnimal},
    {"useful", "more useful", "便利な", 'n', kTool},
};

// States that are reasons: be + en. ja is the predicate in front of nouns; cures: what one does
// about it, dictionary forms.
struct State {
  const char *en, *ja;
  char group;  // i and n as adjectives; t: a verb in ている
  unsigned who;
  const char* cures;
};
inline const std::vector<State> kStates = {
    {"busy", "忙しい", 'i', kPerson, ""},
    {"sleepy", "眠い", 'i', kPerson | kAnimal, "寝る"},
    {"sick", "病気な", 'n', kPerson | kAnimal, "寝る 休む"},
    {"tired", "疲れている", 't', kPerson | kAnimal, "寝る 休む 戻る"},
    {"hungry", "お腹が空いている", 't', kPerson | kAnimal, "食べる"},
    {"thirsty", "喉が渇いている", 't', kPerson | kAnimal, "飲む"},
};

}  // namespace tt::toy
