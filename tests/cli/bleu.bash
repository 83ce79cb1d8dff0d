# Three segments, two references of which one lacks the second segment, two systems.
printf '%s\n' 'The cat sat on the mat.' 'It was late.' 'Nobody had seen the dog.' >ref.1
printf '%s\n' 'The cat was on the mat.' '' 'The dog had not been seen.' >ref.2
printf '%s\n' 'The cat sat on a mat.' 'It was very late.' 'Nobody saw the dog.' >a.txt
printf '%s\n' 'A cat is on the mat.' 'It was late.' 'No dog had been seen.' >b.txt
