//! All kinds of answers: the type of each, its name, and what it is about.

use crate::envelope::{Answer, Subject};

/// Says of each type what kind of answer it is and what it is about, and lists their schemas.
macro_rules! kinds {
    ($($answer:ident => $kind:literal about $subject:ident,)+) => {
        $(impl Answer for crate::$answer {
            const KIND: &'static str = $kind;
            const SUBJECT: Subject = Subject::$subject;
        })+

        /// The schemas of all kinds, in the order of their names.
        #[cfg(feature = "schema")]
        pub(crate) fn schemas() -> Vec<crate::schema::KindSchema> {
            vec![$(crate::schema::of::<crate::$answer>(),)+]
        }
    };
}

kinds! {
    AdviceAnswer => "advise" about Deal,
    AnalyseAnswer => "analyse" about Deal,
    BoundAnswer => "bound" about Rules,
    CheckAnswer => "check" about Nothing,
    CompareAnswer => "compare" about Rules,
    ConvertAnswer => "convert" about Deal,
    CountAnswer => "count" about Nothing,
    DealAnswer => "deal" about Deal,
    ErrorAnswer => "error" about Nothing,
    EstimateAnswer => "estimate" about Rules,
    ExperimentAnswer => "experiment" about Nothing,
    ExplainAnswer => "explain" about Deal,
    ExportAnswer => "export" about Deal,
    FormatAnswer => "format" about Nothing,
    FormatsAnswer => "formats" about Nothing,
    GenerateAnswer => "generate" about Deal,
    GenerateListAnswer => "generate-list" about Rules,
    GradeAnswer => "grade" about Deal,
    HelloAnswer => "hello" about Nothing,
    MergeAnswer => "merge" about Rules,
    PatienceListAnswer => "patience-list" about Nothing,
    PatienceMctsAnswer => "patience-mcts" about Nothing,
    PatiencePublishedAnswer => "patience-published" about Nothing,
    PatienceSchemaAnswer => "patience-schema" about Nothing,
    PatienceShowAnswer => "patience-show" about Nothing,
    PatienceSweepAnswer => "patience-sweep" about Nothing,
    PlayerAnswer => "player" about Nothing,
    PlayerMoveAnswer => "player-move" about Deal,
    PositionAnswer => "position" about Deal,
    ProgressAnswer => "progress" about Nothing,
    ProveAnswer => "prove" about Deal,
    ReportAnswer => "report" about Nothing,
    ReproduceAnswer => "reproduce" about Nothing,
    RuleSetsAnswer => "rule-sets" about Nothing,
    RulesAnswer => "rules" about Rules,
    SchemaAnswer => "schema" about Nothing,
    SchemeAnswer => "scheme" about Nothing,
    SchemesAnswer => "schemes" about Nothing,
    ServeAnswer => "serve" about Nothing,
    SimulateAnswer => "simulate" about Rules,
    SimulateComparisonAnswer => "simulate-comparison" about Rules,
    SimulateTraceAnswer => "simulate-trace" about Deal,
    SiteAnswer => "site" about Nothing,
    SolveAnswer => "solve" about Deal,
    SvgAnswer => "svg" about Deal,
    SweepAnswer => "sweep" about Rules,
}
