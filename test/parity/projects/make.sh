# A C program built by make, and targets that fail.
mkdir -p app/src app/include
cd app
printf '#ifndef GREET_H\n#define GREET_H\nconst char *greet(int formal);\n#endif\n' >include/greet.h
printf '#include "greet.h"\nconst char *greet(int formal) { return formal ? "Good day" : "Hi"; }\n' >src/greet.c
printf '#include <stdio.h>\n#include "greet.h"\nint main(int argc, char **argv) {\n  (void)argv;\n  puts(greet(argc > 1));\n  return 0;\n}\n' >src/main.c
cat >Makefile <<'MAKE'
CC ?= gcc
CFLAGS += -Wall -Wextra -O1 -Iinclude
OBJECTS := $(patsubst src/%.c,build/%.o,$(wildcard src/*.c))

all: build/greet

build/greet: $(OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^

build/%.o: src/%.c include/greet.h | build
	$(CC) $(CFLAGS) -c -o $@ $<

build:
	mkdir -p $@

test: build/greet
	test "$$(./build/greet)" = Hi
	@echo passed

docs:
	@echo 'writing docs' && mkdir -p out && date +%Y >/dev/null && echo docs > out/index.txt

broken:
	@echo 'about to fail'
	@exit 3

clean:
	rm -rf build out

.PHONY: all test docs broken clean
MAKE
