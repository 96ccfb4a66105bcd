substream rreqidd from 0 count 1;
substream addr from 0 count 1;
substream rreqid from 32 count 1, from 3 count 0, from 30 count 3;
substream rreqid from 9 count 1, from 20 count 1, from 0 count 10;
substream cl from 0x10000000000 count 1;
substream cl from 0x80 count 1, from 0xff count 1;
substream from 3 count 1;
filter f = true;
