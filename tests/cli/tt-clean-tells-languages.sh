# Lines in another language than that of their side are dropped; those of which nobody can be sure are kept.
tt-clean --version | grep -q "libcld2: yes" || { echo "this tt was built without libcld2" >&2; exit 77; }
printf '%s\t%s\n' \
  "The committee will publish its report next week." "Der Ausschuss wird seinen Bericht nächste Woche veröffentlichen." \
  "Le comité publiera son rapport la semaine prochaine." "Der Ausschuss wird seinen Bericht nächste Woche veröffentlichen." \
  "The committee will publish its report next week." "El comité publicará su informe la próxima semana." \
  "Menu" "Menü" >pairs
tt-clean --languages en,de --language on pairs 2>&1
tt-clean --languages eng,deu --only language pairs 2>&1 | tail -n 1
printf 'The committee will publish its report next week.\t%s\n' 委員會將於下週公佈其報告，並將在記者會上說明詳細內容。 'Der Ausschuss wird seinen Bericht nächste Woche veröffentlichen.' \
  >pairs
for code in zh-TW cmn-Hant; do tt-clean --languages en,$code --only language pairs 2>&1; done
tt-clean --languages en,qaa --only language pairs 2>&1; echo "exit status $?"
