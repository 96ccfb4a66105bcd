protocol eci;
filter f = true* R12
