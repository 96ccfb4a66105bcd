filter f = true+;
