let request = R12;
filter f = reqest R21 cpu.MREQ_RLDDD fpga.RA4 @many no_such_thing_at_all;
counter mny = request at 3;
filter g = @many;
