//! Tables of cases: every row is checked, and all rows that fail are named.

#![allow(dead_code)] // every test program uses its own part of this

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks every row. A row that panics does not keep the others from being checked.
pub(crate) fn each_row<R>(
    rows: impl IntoIterator<Item = R>,
    name: impl Fn(&R) -> String,
    mut check: impl FnMut(&R),
) {
    let (mut count, mut failed) = (0, Vec::new());
    for row in rows {
        count += 1;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(&row))) {
            failed.push(format!("row {count}, {}: {}\n", name(&row), words(&*panic)));
        }
    }
    assert!(count > 0, "the table is empty");
    assert!(
        failed.is_empty(),
        "{} of {count} rows fail:\n{}",
        failed.len(),
        failed.concat()
    );
}

/// Damages a good text: each row says what is replaced, by what, and how the error begins that the
/// damaged text gives.
pub(crate) fn each_fault(good: &str, rows: &[(&str, &str, &str)], error: impl Fn(&str) -> String) {
    each_row(
        rows,
        |(from, to, _)| format!("{from:?} becomes {to:?}"),
        |&&(from, to, wanted)| {
            let damaged = good.replacen(from, to, 1);
            assert_ne!(damaged, good);
            let found = error(&damaged);
            assert!(found.starts_with(wanted), "{found}");
        },
    );
}

/// What a panic says.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words")
}

#[test]
fn all_rows_that_fail_are_named() {
    let table = [("one", 1), ("two", 2), ("three", 3)];
    let odd = |row: &(&str, i32)| assert!(row.1 % 2 == 0, "{} is odd", row.1);
    let check = || each_row(table, |row| row.0.to_owned(), odd);
    let panic = catch_unwind(AssertUnwindSafe(check)).unwrap_err();
    assert_eq!(
        words(&*panic),
        "2 of 3 rows fail:\nrow 1, one: 1 is odd\nrow 3, three: 3 is odd\n"
    );
    each_row(&table[1..2], |row| row.0.to_owned(), |row| odd(row));
}
