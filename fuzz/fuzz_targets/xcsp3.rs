//! Any text as a network in XCSP3: it is read or refused, and what was read is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use scsp::Network;

fuzz_target!(|text: &str| {
    let Ok(network) = Network::from_xcsp3(text) else { return };
    let written = network.to_xcsp3().expect("nothing that is read is computed");
    let again = Network::from_xcsp3(&written).expect("what was written can be read");
    assert_eq!(again.to_xcsp3().expect("nothing that is read is computed"), written);
});
