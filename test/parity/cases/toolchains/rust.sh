# Cargo and rustc without a registry.
# project: rust
# needs: cargo
# ignore: times

#### builds and runs
# subset: yes
cargo build -q --offline && printf 'a b c\n' | cargo run -q --offline; rm -rf target

#### runs all tests
cargo test -q --offline 2>&1 | grep 'test result' | cut -d';' -f1,2 | sort | uniq -c; rm -rf target

#### fails a test with status 101
sed -i 's/"a b c"), 3/"a b c"), 4/' src/lib.rs && cargo test -q --offline >/dev/null 2>&1; echo "status $?"; rm -rf target

#### fails to compile and keeps the edit
sed -i 's/\.len()/.lenght()/' src/lib.rs && cargo check -q --offline 2>&1 | grep -o 'error\[E[0-9]*\]' | head -1; rm -rf target; git -C . status >/dev/null 2>&1; exit 101
# -- next command
grep -c lenght src/lib.rs

#### builds in separate commands with the build kept
cargo build --offline 2>&1 | tail -1
# -- next command
cargo build --offline 2>&1 | tail -1; ./target/debug/tally <<< 'x y'
# -- next command
cargo clean --offline -q 2>/dev/null || cargo clean -q; ls

#### starts a crate and adds a module
cargo new -q --vcs none hello 2>/dev/null && cd hello && cat Cargo.toml && cargo run -q --offline; rm -rf target

#### tells its versions and its tree
cargo --version | cut -d' ' -f1; rustc --version | cut -d' ' -f1; cargo tree --offline | sed 's| (.*||'; cargo metadata --offline --format-version 1 --no-deps | head -c 10

#### compiles one file by rustc
printf 'fn main() { println!("{}", (1..=5).product::<u32>()); std::process::exit(4) }\n' > one.rs && rustc -o one one.rs && ./one; echo "status $?"; rm one
