//! Responses, and the headers that all of them have.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use klondike_service::{Fault, Refusal};

/// Sets headers with fixed values.
pub(crate) fn with_headers(response: &mut Response<Body>, headers: &[(HeaderName, &'static str)]) {
    for (name, value) in headers {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
}

/// Headers of every response: browsers guess no types, show no page in a frame, and name no page
/// to other sites.
pub(crate) fn guard(mut response: Response<Body>) -> Response<Body> {
    with_headers(
        &mut response,
        &[
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (
                HeaderName::from_static("cross-origin-resource-policy"),
                "same-origin",
            ),
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                "same-origin",
            ),
        ],
    );
    response
}

/// JSON that is an answer.
pub(crate) fn json(status: StatusCode, text: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    with_headers(
        &mut response,
        &[
            (header::CONTENT_TYPE, "application/json"),
            (header::CACHE_CONTROL, "no-store"),
        ],
    );
    response
}

/// An error that no part of the service has found.
pub(crate) fn refused(status: StatusCode, message: impl std::fmt::Display) -> Response<Body> {
    json(status, Refusal::request(message).to_json())
}

/// An error of the service.
pub(crate) fn refusal(refusal: &Refusal) -> Response<Body> {
    let status = match refusal.fault {
        Fault::Request => StatusCode::BAD_REQUEST,
        Fault::Data => StatusCode::UNPROCESSABLE_ENTITY,
        Fault::Program => StatusCode::INTERNAL_SERVER_ERROR,
    };
    json(status, refusal.to_json())
}
