//! Any text as a network in XCSP3: it is read or refused, and what was read is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use scsp::Network;

fn written(network: &Network) -> String {
    network.to_xcsp3().expect("nothing that is read is computed")
}

fn read(text: &str) -> Network {
    Network::from_xcsp3(text).expect("what was written can be read")
}

fuzz_target!(|text: &str| {
    let Ok(network) = Network::from_xcsp3(text) else { return };
    // Parts of arrays get other names when they are written first, and keep them.
    let renamed = read(&written(&network));
    assert_eq!(read(&written(&renamed)), renamed);
});
