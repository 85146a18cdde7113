# Builds: C by hand, make, CMake, autotools, Go, Rust.
# project: make
# ignore: times addresses

#### compiles, warns, fails and runs by hand
cat > a.c <<'E'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) { int unused; char *p = getenv("WHO"); printf("%s %d\n", p ? p : "nobody", argc); return argc > 2 ? 3 : 0; }
E
gcc -Wall -Wextra -O2 -o a a.c 2>&1 | grep -c warning; ./a; WHO=me ./a x y; echo "status $?"; echo 'int main() { return x; }' > b.c; gcc b.c -o b 2>&1 | grep -c error; echo "status ${PIPESTATUS[0]}"; gcc -E a.c | tail -1 | cut -c1-20; gcc -S -o - a.c | grep -c main; gcc -c a.c && nm a.o | grep -c ' T main'; objdump -d a.o | grep -c ret; size a | wc -l; strip a && file a | grep -c stripped; ldd a | grep -c libc; readelf -h a | grep -c ELF; ./b; echo "status $?"

#### makes static and shared libraries and loads them
mkdir lib && echo 'int twice(int x) { return 2 * x; }' > lib/t.c && gcc -fPIC -c lib/t.c -o lib/t.o && ar rcs lib/libt.a lib/t.o && gcc -shared -o lib/libt.so lib/t.o && printf '#include <stdio.h>\nint twice(int);\nint main(void) { printf("%%d\\n", twice(21)); }\n' > m.c && gcc m.c -Llib -l:libt.a -o ms && ./ms && gcc m.c -Llib -lt -Wl,-rpath,'$ORIGIN/lib' -o md && ./md && gcc m.c -Llib -lt -o me && LD_LIBRARY_PATH=lib ./me; ./me; echo "status $?"; python3 -c 'import ctypes; print(ctypes.CDLL("./lib/libt.so").twice(4))'

#### crashes, dumps and is caught by sanitizers
printf 'int main(void) { int *p = 0; return *p; }\n' > s.c && gcc -g s.c -o s; ./s; echo "status $?"; printf '#include <stdlib.h>\nint main(void) { abort(); }\n' > ab.c && gcc ab.c -o ab; ./ab; echo "status $?"; printf 'int main(int c, char **v) { int a[2]; return a[c + 5]; }\n' > o.c && gcc -fsanitize=undefined -w o.c -o o 2>/dev/null && ./o 2>&1 | grep -c 'out of bounds'; printf '#include <stdlib.h>\nint main(void) { char *p = malloc(4); free(p); return p[0]; }\n' > u.c && gcc -w -fsanitize=address u.c -o u && ./u 2>&1 | grep -c 'heap-use-after-free' | head -1

#### debugs and traces a program of its own
# needs: gdb strace
printf 'int f(int x) { return x + 1; }\nint main(void) { return f(41); }\n' > g.c && gcc -g -O0 g.c -o g && gdb -q -batch -ex 'break f' -ex run -ex 'print x' -ex bt -ex continue ./g 2>/dev/null | grep -E '^\$1|exited'; strace -e trace=exit_group ./g 2>&1 | tail -1; strace -c -f sh -c true 2>&1 | grep -c total; ./g; echo "status $?"

#### finds leaks by valgrind
# needs: valgrind
printf '#include <stdlib.h>\nint main(void) { malloc(10); return 0; }\n' > l.c && gcc -g -w l.c -o l && valgrind -q --leak-check=full --error-exitcode=9 ./l 2>&1 | grep -c 'definitely lost'; valgrind -q --error-exitcode=9 ./l; echo "status $?"

#### rebuilds only what changed, in parallel
make -j2 >/dev/null && make; touch src/main.c && make | grep -c main.o; make -n clean; make -q; echo "status $?"; make CFLAGS='-O0 -Iinclude' -B 2>&1 | grep -c O0; make test; make nothing; echo "status $?"; make broken; echo "status $?"; make -s clean && ls; make -k broken test 2>&1 | tail -2 | wc -l; make -C . docs >/dev/null && cat out/index.txt

#### writes a Makefile with many features and runs it
printf 'SHELL := /bin/bash\n.ONESHELL:\nexport WHO ?= make\nFILES := $(wildcard src/*.c)\ndefine say\necho "say $(1)"\nendef\nall: a b\na: ; @$(call say,$@)\nb:\n\t@x=1\n\techo "x=$$x $$WHO"\nlist: ; @printf "%%s\\n" $(sort $(notdir $(FILES)))\nsub: ; @$(MAKE) --no-print-directory -f m.mk list\nfail: ; -@false; echo went on\nhelp: ## shows help\n\t@grep -E "^[a-z]+:.*##" m.mk | sed "s/:.*## / - /"\n%%.up: %%.txt ; @tr a-z A-Z < $< > $@\n' > m.mk; make -f m.mk; WHO=env make -f m.mk b WHO=arg; make -f m.mk list sub; make -f m.mk help; echo hi > t.txt; make -f m.mk t.up && cat t.up; make -f m.mk fail 2>&1 | tail -1; make -f m.mk -p nothing 2>/dev/null | grep -c '^WHO'; make -f none.mk; echo "status $?"

#### configures by autotools
# needs: autoconf automake
mkdir at && cd at && printf 'AC_INIT([demo],[1.0])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_CHECK_HEADERS([stdio.h])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n' > configure.ac && printf 'bin_PROGRAMS = demo\ndemo_SOURCES = demo.c\n' > Makefile.am && printf '#include <stdio.h>\nint main(void) { puts("demo " VERSION); }\n' > demo.c && autoreconf -i >/dev/null 2>&1; ./configure -q --prefix="$PWD/inst" && make -s >/dev/null && ./demo && make -s install >/dev/null && inst/bin/demo; make -s distclean; ls | sort | head -3; cd .. && rm -rf at

#### configures, builds and tests by CMake and Ninja
# project: cmake
# needs: cmake ninja ctest
cmake -S . -B out -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null && cmake --build out 2>&1 | tail -1 | cut -c1-5; (cd out && ctest 2>&1 | grep 'tests passed'); cmake --install out --prefix "$PWD/inst" | tail -1 | sed 's/.*inst/inst/'; inst/bin/area; sed -i 's/width \* height/width - height/' src/area.c && cmake --build out >/dev/null && ctest --test-dir out 2>&1 | grep 'tests passed'; cmake -B out -DX= -LA -N | grep -c CMAKE_BUILD; cmake -E sha256sum CMakeLists.txt | wc -c; cmake -P missing.cmake; echo "status $?"; rm -rf out inst

#### builds, tests and vets a Go module
# project: go
# needs: go
go build ./... && go test ./... | cut -f1,2; go vet ./... ; go run ./cmd/greet you; go build -o bin/greet ./cmd/greet && bin/greet me; gofmt -l .; go list ./...; go env GOFLAGS GO111MODULE; sed -i 's/Hello, %s/Bye, %s/' greet/greet.go && go test ./greet 2>&1 | grep -c FAIL | head -1; echo 'package x; func' > bad.go; go vet . 2>&1 | grep -c expected; rm bad.go; rm -rf bin
# -- next command
go test -run Nothing ./... | cut -f1,2; go test -count=1 -v ./greet 2>&1 | grep -c -- '--- FAIL'; go doc ./greet | head -1; go mod verify 2>&1 | tail -1; go mod tidy; git diff --no-index /dev/null go.mod | grep -c '^+module'

#### checks, builds, tests and runs a crate offline
# project: rust
# needs: cargo
cargo build --offline -q && echo 'a b c d' | cargo run --offline -q; cargo test --offline -q 2>&1 | grep -c 'test result: ok'; cargo check --offline -q; cargo tree --offline | sed 's/ (.*//'; cargo metadata --offline --format-version 1 --no-deps | jq -r '.packages[0].name'; sed -i 's/3);/4);/' src/lib.rs; cargo test --offline -q 2>&1 | grep -c FAILED | head -1; echo 'fn broken( {' >> src/lib.rs; cargo build --offline -q 2>&1 | grep -c '^error' | head -1; cargo clean --offline -q; ls target 2>&1 | head -1

#### starts a new crate and formats it
# project: rust
# needs: cargo rustfmt
cargo new --quiet --vcs none fresh 2>/dev/null && cd fresh && printf 'fn main(){println!("{}",1+1);}\n' > src/main.rs && cargo fmt && cat src/main.rs && cargo run --offline -q && cargo fmt --check && echo formatted; cargo clippy --offline -q -- -D warnings 2>&1 | head -1; rm -rf target

#### lints scripts by shellcheck and formats
# needs: shellcheck
printf '#!/bin/bash\necho $1\nfor f in $(ls); do echo "$f"; done\n' > s.sh; shellcheck -f gcc s.sh | cut -d: -f4-; echo "status ${PIPESTATUS[0]}"; shellcheck -S error s.sh; echo "status $?"; shellcheck - <<< 'echo "$1"' | head -3; shellcheck none.sh 2>&1 | head -1

#### caches objects of the compiler in the home
# needs: ccache
ccache -z >/dev/null; ccache gcc -c src/greet.c -Iinclude -o g.o && ccache gcc -c src/greet.c -Iinclude -o g.o && cmp g.o g.o && ls -d ~/.cache/ccache ~/.ccache 2>/dev/null | wc -l; rm g.o
# -- next command
ccache gcc -c src/greet.c -Iinclude -o g2.o && ccache -s | grep -ciE 'hit' | grep -c .; rm g2.o; git status --short 2>/dev/null; ls -A
