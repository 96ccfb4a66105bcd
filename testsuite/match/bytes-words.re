// words in a text; ranges, escapes, repetition with bounds
protocol bytes;
let letter = Any('a'..'z', 'A'..'Z');
filter number = true* (None('0'..'9') | eps) '0'..'9'{3} None('0'..'9');
filter word = true* ' ' letter{2,4} ' ';
filter line = true* '\n' None('\n'){0,3} '\x2e' '\n';
