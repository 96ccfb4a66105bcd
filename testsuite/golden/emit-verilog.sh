# $ $NFACC --emit=verilog --overlay table8-4; $NFACC --emit=verilog --overlay 4,1,1,0 --protocol bytes | tail -n 12; $NFACC --emit=verilog --overlay table8-4 --protocol eci
