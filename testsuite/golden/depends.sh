# $ sh $SELF
# -MD writes what the output depends on, for make.
unset MAKEFLAGS MFLAGS MAKELEVEL
mkdir -p 'd e'
sed 's/protocol eci/protocol mine/' "$SRCDIR/protocols/eci.proto" >'d e/mine.proto'
cp "$SRCDIR/overlays/default.ov" my.ov
echo 'protocol mine; filter f = true* R12;' >a.re
cp a.re 'b#$.re'
sed -i 's/f =/g =/' 'b#$.re'
try() {
	echo
	echo "nfacc $*"
	$NFACC "$@" || echo "exit code $?"
}
try -MD -I 'd e' --overlay ./my.ov a.re 'b#$.re' -o out.bin
cat out.d
printf 'out.bin:\n\tfalse\ninclude out.d\n' >Makefile
make -q out.bin && echo 'up to date'
touch -d '1 hour ago' out.bin
make -q out.bin || echo 'out of date'
touch -d '2 hours ago' a.re 'b#$.re' 'd e/mine.proto' my.ov
make -q out.bin && echo 'up to date'
rm my.ov
make -q out.bin || echo 'out of date'
echo 'filter f = true* R12;' | try -MD - -o ./x/../plain
mkdir x
echo 'filter f = true* R12;' | try -MD - -o ./x/../plain
cat plain.d
try -MD --emit=dot a.re -I 'd e' -o a.dot
cat a.d
try -MD a.re -o a.d -I 'd e'
cp a.re in.d
try -MD in.d -I 'd e' -o in.bin
try -MD --check a.re
try -MD --emit=dot a.re
try -MD --fit a.re -o f.ov
try --diagnostics=sarif --fit a.re
