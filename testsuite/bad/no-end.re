protocol eci;
filter f = true* (R12 // not yet


