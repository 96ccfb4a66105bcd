filter f = "MREQ;
filter g = /* no end