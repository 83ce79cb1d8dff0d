# Two trees as a treebank has them.
trees() {
  cat <<END
( (S
    (NP-SBJ-1 (DT The) (JJ old) (NN dog) )
    (VP (VBZ tries)
      (S
        (NP-SBJ (-NONE- *-1) )
        (VP (TO to)
          (VP (VB bark) ))))
    (. .) ))
( (S (-LRB- -LRB-) (NP-SBJ (PRP It) )
    (VP (VBD gave) (PRT (RP up) )) (-RRB- -RRB-) (. .) ))
END
}
