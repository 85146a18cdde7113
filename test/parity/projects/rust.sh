# A crate with a library, a program, unit tests and a dependency by path.
mkdir -p app/src app/tests app/crates/words/src
cd app
printf '[package]\nname = "tally"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nwords = { path = "crates/words" }\n' >Cargo.toml
printf '[package]\nname = "words"\nversion = "0.1.0"\nedition = "2021"\n' >crates/words/Cargo.toml
printf 'pub fn split(text: &str) -> Vec<&str> {\n    text.split_whitespace().collect()\n}\n' >crates/words/src/lib.rs
printf 'pub fn count(text: &str) -> usize {\n    words::split(text).len()\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn counts() {\n        assert_eq!(super::count("a b c"), 3);\n    }\n}\n' >src/lib.rs
printf 'use std::io::Read;\n\nfn main() {\n    let mut text = String::new();\n    std::io::stdin().read_to_string(&mut text).unwrap();\n    println!("{}", tally::count(&text));\n}\n' >src/main.rs
printf '#[test]\nfn counts_nothing() {\n    assert_eq!(tally::count(""), 0);\n}\n' >tests/empty.rs
printf 'target/\n' >.gitignore
