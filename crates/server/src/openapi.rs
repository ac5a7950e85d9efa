//! The description of the interface, made from the schemas of requests and answers.

use klondike_contract::schema::{KindSchema, all};
use klondike_service::schema::requests;
use serde_json::{Map, Value, json};

/// The document (OpenAPI 3.1) as JSON.
pub(crate) fn document() -> String {
    let mut components = Map::new();
    for (kind, schema) in all() {
        add(&mut components, (kind, schema));
    }
    let mut paths = Map::new();
    for (kind, request) in requests() {
        paths.insert(format!("/api/{kind}"), path(kind, request));
    }
    paths.insert(
        "/api/hello".to_owned(),
        json!({"get": {
            "operationId": "hello",
            "summary": "What this server can do.",
            "responses": {"200": body("hello", "What this server can do."),
                "default": body("error", "Why there is no answer.")},
        }}),
    );
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "klondike",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Questions about Klondike solitaire. Every answer is an object of the \
                contract of `klondike --json` (docs/json.md).",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": components},
    })
    .to_string()
}

/// Adds the schema of a kind; what it refers to gets names of its own beside it.
fn add(components: &mut Map<String, Value>, (kind, schema): KindSchema) {
    let text = schema.to_string();
    let text = text.replace("\"#/$defs/", &format!("\"#/components/schemas/{kind}."));
    let mut schema: Value = serde_json::from_str(&text).expect("a schema that was JSON before");
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    fields.remove("$schema");
    fields.remove("$id");
    if let Some(Value::Object(parts)) = fields.remove("$defs") {
        for (name, part) in parts {
            components.insert(format!("{kind}.{name}"), part);
        }
    }
    components.insert(kind.to_owned(), schema);
}

fn body(kind: &str, description: &str) -> Value {
    let schema = json!({"$ref": format!("#/components/schemas/{kind}")});
    json!({"description": description, "content": {"application/json": {"schema": schema}}})
}

fn path(kind: &str, request: Value) -> Value {
    let answer = if kind == "generate" {
        "generate-list"
    } else {
        kind
    };
    let mut good = body(answer, "The answer.");
    good["content"]["text/event-stream"] = json!({"schema": {
        "type": "string",
        "description": "Events `progress` with answers of that kind, then one event `answer` or \
            `error`.",
    }});
    let mut full = body("error", "Too many requests wait.");
    full["headers"] = json!({"Retry-After": {
        "description": "Seconds until it is worth to try again.",
        "schema": {"type": "integer"},
    }});
    let error = |description: &str| body("error", description);
    json!({"post": {
        "operationId": kind,
        "summary": summary(kind),
        "requestBody": {
            "required": true,
            "content": {"application/json": {"schema": request}},
        },
        "responses": {
            "200": good,
            "400": error("The request is not one."),
            "403": error("A page of another site asks."),
            "405": error("Ask with POST."),
            "408": error("The request did not arrive in time."),
            "413": error("The request is too long."),
            "415": error("The request is no JSON."),
            "422": error("The question has no answer: the deal is none, or a move is illegal."),
            "429": full,
            "500": error("A bug."),
        },
    }})
}

/// What a kind of request asks for.
fn summary(kind: &str) -> &'static str {
    match kind {
        "position" => "The board, the legal moves, the moves played.",
        "solve" => "Whether the position can be won, and how.",
        "analyse" => "Each legal move with its verdict.",
        "explain" => "Why the position cannot be won: which card waits for which.",
        "prove" => "A certificate of the verdict.",
        "check" => "Whether a certificate proves what it says.",
        "grade" => "How hard the deal is.",
        "generate" => "Deals that can be won.",
        "advise" => "The next moves with hidden cards, with their chances.",
        "player-move" => "What the player `tree` does next, and why.",
        "convert" => "The deal and the moves as other programs write them.",
        "svg" => "A picture of the position.",
        "formats" => "The formats of deals.",
        "schemes" => "The schemes of deals by number.",
        "rule-sets" => "The named sets of rules.",
        other => unreachable!("{other} is no kind of request"),
    }
}
