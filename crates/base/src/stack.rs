//! Recursion as deep as a problem is long.

/// What one level of recursion needs at most, in bytes.
const LEVEL: usize = 4096;
/// What any thread has at least.
const USUAL: usize = 1 << 20;

/// Does `work`, which recurses up to `n_levels` deep, with a stack that is large enough. `None` if the
/// system does not give one.
///
/// ```
/// fn depth(n: u32) -> u32 {
///     if n == 0 { 0 } else { 1 + depth(n - 1) }
/// }
/// assert_eq!(base::with_stack_for(100_000, || depth(100_000)), Some(100_000));
/// ```
pub fn with_stack_for<T: Send>(n_levels: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
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
