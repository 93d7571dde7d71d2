#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wreath_fuzz::pgoutput(data));
