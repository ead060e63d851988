//! Any bytes as a rule sheet in infix form.

#![no_main]

use gdl::Form;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| round_trip::examine(bytes, Form::Infix));
