# n trees of a grammar of some words, with traces and function tags.
#
#   awk -v seed=S -v n=N -f grammar.awk
function pick(list,    all) { return all[1 + int(rand() * split(list, all, " "))] }
function np(depth) { return "(NP" (rand() < .3 ? "-SBJ" : "") " (DT " pick("the a this") ") " (rand() < .4 ? "(JJ " pick("old red small") ") " : "") \
  "(NN " pick("dog cat man house bird") ")" (depth < 2 && rand() < .3 ? " (PP (IN " pick("of in near") ") " np(depth + 1) ")" : "") ")" }
function vp(depth) { return rand() < .3 && depth < 2 ? "(VP (VBZ " pick("wants tries") ") (S (NP-SBJ (-NONE- *)) (VP (TO to) " vp(depth + 1) ")))" : \
  "(VP (VB " pick("see find leave") ") " np(1) ")" }
BEGIN { srand(seed); for (i = 0; i < n; ++i) print "( (S " np(0) " " vp(0) " (. .)))" }
