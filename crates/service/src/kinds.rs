//! The kinds of requests, a file for each.

pub(crate) mod analyse;
pub(crate) mod convert;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod grade;
pub(crate) mod hidden;
pub(crate) mod lists;
pub(crate) mod position;
pub(crate) mod prove;
pub(crate) mod solve;
