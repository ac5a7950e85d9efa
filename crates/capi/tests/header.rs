//! The header is the one that cbindgen makes of the source.

use std::path::Path;

#[test]
fn the_header_is_that_of_the_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = builder.with_src(folder.join("src/lib.rs"));
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let path = folder.join("include/klondike.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == made,
        "the header is not that of the source: \
         UPDATE_HEADER=1 cargo test --release -p klondike-capi --test header makes it anew"
    );
}
