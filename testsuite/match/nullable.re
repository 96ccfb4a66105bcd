// what can be empty: the empty prefix is never output
filter a = R12*;
filter b = (R12? R13?){0,3}*;
filter c = eps | (eps eps) R12{0}+;
filter d = ((R12 | eps)+ R13*)?;
