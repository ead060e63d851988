//! From rule text to a checked program: the whole corpus, and texts of growing size.

use corpus::{Corpus, Sheet};
use divan::Bencher;
use divan::counter::BytesCount;
use gdl::{Form, Source};

fn main() {
    divan::main();
}

/// The sheets as they are in memory, so that the disk is no part of the figure.
fn sheets() -> Option<Vec<Sheet>> {
    Corpus::find().map(|corpus| corpus.sheets)
}

fn n_bytes(sheets: &[Sheet]) -> BytesCount {
    BytesCount::new(sheets.iter().map(|sheet| sheet.bytes.len()).sum::<usize>())
}

/// Decoding and parsing.
#[divan::bench(sample_count = 20)]
fn parse_corpus(bencher: Bencher<'_, '_>) {
    let Some(sheets) = sheets() else { return };
    bencher.counter(n_bytes(&sheets)).bench(|| {
        for sheet in &sheets {
            let source = sheet.source();
            let form = Form::guess(&sheet.file, source.text());
            divan::black_box(gdl::parse(source.text(), form));
        }
    });
}

/// Decoding, parsing, checking and rewriting: what `woodstock check` does.
#[divan::bench(sample_count = 20)]
fn check_corpus(bencher: Bencher<'_, '_>) {
    let Some(sheets) = sheets() else { return };
    bencher.counter(n_bytes(&sheets)).bench(|| {
        for sheet in &sheets {
            let source = sheet.source();
            let form = Form::guess(&sheet.file, source.text());
            divan::black_box(program::check(&gdl::parse(source.text(), form)));
        }
    });
}

/// One sheet with `n` rules; the bytes a second should not depend on `n`.
#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 10)]
fn check_growing_sheet(bencher: Bencher<'_, '_>, n: usize) {
    let rules = (0..n).map(|n| {
        format!("(<= (p{n} ?x ?y) (q ?x (f{n} ?y)) (not (p{} ?x ?y)) (distinct ?x ?y))\n", n + 1)
    });
    let text: String = rules.collect();
    let source = Source::new("growing", text);
    bencher
        .counter(BytesCount::new(source.text().len()))
        .bench(|| program::check(&gdl::parse_kif(source.text())));
}
