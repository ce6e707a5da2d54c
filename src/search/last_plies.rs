//! The last plies, looked up line by line.
