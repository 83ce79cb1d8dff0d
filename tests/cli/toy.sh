# The embedded corpus: sizes, no sentence twice, nothing of dev and test in any training set, the same text for the same seed.
set -e
toy --train 3000 --dev 100 --test 100 a
toy --train 3000 --dev 100 --test 100 --seed 2 b
wc -l a/*.en a/*.ja | awk '{ print $1, $2 }'
echo "twice: $(cat a/*.en | sort | uniq -d | wc -l)"
echo "leaked: $(cat a/dev.en a/test.en b/dev.en b/test.en | sort -u | comm -12 - <(cat a/train.en b/train.en | sort -u) | wc -l)"
echo "the same for both seeds: $(cmp -s a/train.en b/train.en && echo yes || echo no)"
toy --train 3000 - | cmp - <(paste a/train.en a/train.ja) && echo 'stdout has the same pairs'
toy --train 8 -
