filter f = R12 R13
