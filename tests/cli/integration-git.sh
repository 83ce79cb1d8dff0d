# The recipe of tt-integration(7) for Markdown in git: each commit has the translations of the pages that it changes, as they are committed.
. "$TT_ROOT/tests/cli/integration.bash"
needs git
recipe pre-commit
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost GIT_COMMITTER_NAME=a \
  GIT_COMMITTER_EMAIL=a@localhost
git init -q repository && cd repository && install -m 755 ../pre-commit .git/hooks/pre-commit
mkdir 'a folder'
printf '# The dog\n\nThe dog eats. The cat **sleeps**.\n' >page.md; cp page.md 'a folder/two.md'; echo text >other.txt
git add . && git commit -qm one && git ls-files
sed -n '1s/ .*//p' page.de.md; grep -c '\*\*.*\*\*' page.de.md; grep -c 'dog' page.de.md
echo 'The cat eats.' >>page.md; git add page.md; echo 'not yet' >>page.md
git commit -qm two && git show --format=%s --name-only; grep -c 'not yet' page.de.md; git diff --quiet HEAD -- page.de.md && echo "the translation is committed"
