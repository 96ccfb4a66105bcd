// A parameter is set that no file has.
param budget = 3;
filter f = true{budget};
