//! Recursion as deep as a network has variables.

/// What one level of recursion needs at most, in bytes.
const LEVEL: usize = 4096;
/// What any thread has at least.
const USUAL: usize = 1 << 20;

/// Does `work`, which recurses up to `n_levels` deep, with a stack that is large enough. `None` if the
/// system does not give one.
pub(crate) fn with_stack_for<T: Send>(
    n_levels: usize,
    work: impl FnOnce() -> T + Send,
) -> Option<T> {
    let size = n_levels.saturating_mul(LEVEL).saturating_add(USUAL);
    if size <= 2 * USUAL {
        return Some(work());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, work);
        match thread.ok()?.join() {
            Ok(result) => Some(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
