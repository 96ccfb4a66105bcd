// What the command line sets.
param budget;
filter f = true{budget};
