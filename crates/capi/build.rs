//! Gives the shared library its name: without one a program that is linked with the path of the
//! file asks for that path when it starts.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libklondike_c.so");
    }
}
