//! Each diagnostic code has a sheet that shows it, and an entry in the documentation.
