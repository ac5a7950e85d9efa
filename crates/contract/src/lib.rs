//! The contract: every answer of `klondike` as JSON.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! An answer is one object. It begins with an envelope ([`Envelope`]), the same for all: what kind
//! of answer it is, the version of its shape, the deal and the rules it is about. The fields of the
//! answer follow. The command line, the server, the bindings and the page all give these types, so
//! that what is read from one is read from all. With the feature `schema` every kind has a JSON
//! Schema; `schema/` in the repository holds them, and `docs/json.md` describes them.
//!
//! Within a version, fields are added and never change their meaning or go away.

mod certificate;
pub mod counts;
mod deal;
mod envelope;
mod hidden;
mod kinds;
mod line;
pub mod patience;
pub mod players;
pub mod report;
pub mod runs;
#[cfg(feature = "schema")]
pub mod schema;
mod search;
mod service;
mod solve;
mod strict;
mod words;

pub use certificate::{CheckAnswer, ProveAnswer, Proved};
pub use counts::CountAnswer;
pub use deal::{DealAnswer, FormatAnswer, RulesAnswer, SchemaAnswer, SchemeAnswer};
pub use envelope::{Answer, Envelope, Subject, VERSION};
pub use hidden::{AdviceAnswer, AdviceVerdict, AdvisedMove, Features, GradeAnswer};
pub use line::{Line, PlayedMove};
pub use patience::{
    PatienceListAnswer, PatienceMctsAnswer, PatiencePublishedAnswer, PatienceSchemaAnswer,
    PatienceShowAnswer, PatienceSweepAnswer,
};
pub use players::{
    ExperimentAnswer, PlayerAnswer, ReproduceAnswer, SimulateAnswer, SimulateComparisonAnswer,
    SimulateTraceAnswer, SweepAnswer,
};
pub use report::ReportAnswer;
pub use runs::{BoundAnswer, CompareAnswer, EstimateAnswer, ExportAnswer, MergeAnswer};
pub use search::{
    AnalyseAnswer, Critical, GenerateAnswer, JudgedGame, JudgedMove, LostShare, NumberedMove,
    Walked,
};
pub use service::{
    ConvertAnswer, ErrorAnswer, ErrorCode, ExplainAnswer, FormatsAnswer, GenerateListAnswer,
    HelloAnswer, PlayerMoveAnswer, PositionAnswer, ProgressAnswer, RuleSetsAnswer, SchemesAnswer,
    ServeAnswer, SiteAnswer, SvgAnswer, Waiting, Written,
};
pub use solve::{Fewest, Goal, Reason, Score, SolveAnswer};
pub use strict::Strict;
pub use words::{LimitName, Mean, VerdictName, grouped};
