# Make and the C compiler.
# project: make
# needs: make gcc

#### builds and runs a program
# subset: yes
make && ./build/greet && ./build/greet formally

#### builds abreast and tests
make -s -j2 && make -s test

#### edits, builds anew and sees only what changed
# subset: yes
make -s && sed -i 's/"Hi"/"Hey"/' src/greet.c
# -- next command
make && ./build/greet
# -- next command
make -q; echo "status $?"

#### keeps the edit when the build fails
# subset: yes
sed -i 's/return formal/retrun formal/' src/greet.c && make 2>/dev/null
# -- next command
grep -c retrun src/greet.c

#### tells the compiler's errors
make >/dev/null && printf 'int x = "text";\n' >> src/greet.c && make 2>&1 | grep -c 'warning\|error'

#### fails in a recipe
# subset: yes
make broken; echo "status $?"

#### ends with the status of make
make broken

#### names a target that does not exist
make nothing

#### goes on after failures
make -k broken docs; echo "status $?"; cat out/index.txt

#### passes variables
make -n CFLAGS=-O3 | head -2; make -s CC='gcc -g' && make -s clean && ls

#### prints the database and runs in another directory
make -p -n 2>/dev/null | grep -c '^OBJECTS'; cd src && make -C .. -s all && ../build/greet

#### compiles by hand with libraries
# subset: yes
printf '#include <math.h>\n#include <stdio.h>\n#include <pthread.h>\nvoid *f(void *p) { *(double *)p = sqrt(*(double *)p); return 0; }\nint main(void) { double d = 2; pthread_t t; pthread_create(&t, 0, f, &d); pthread_join(t, 0); printf("%%.3f\\n", d); return 3; }\n' > m.c; gcc -O2 -o m m.c -lm -lpthread && ./m; echo "status $?"

#### makes and uses a static and a shared library
mkdir build && gcc -c -fPIC -Iinclude src/greet.c -o build/greet.o && ar rcs build/libgreet.a build/greet.o && gcc -shared -o build/libgreet.so build/greet.o && gcc -Iinclude src/main.c -Lbuild -lgreet -o build/dyn && LD_LIBRARY_PATH=build ./build/dyn && nm build/libgreet.a | grep -c greet; gcc -Iinclude src/main.c build/libgreet.a -o build/sta && ./build/sta; rm -r build

#### fails to link
gcc -Iinclude src/main.c -o m 2>/dev/null; echo "status $?"; ls m

#### runs a program that crashes
# ignore: pids
printf 'int main(void) { volatile int *p = 0; return *p; }\n' > crash.c && gcc -o crash crash.c && ./crash; echo "status $?"; rm crash
