package souk

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// Attempt is an attempt of a call, before its request is sent.
type Attempt struct {
	// Operation is the name of the operation in the contract, such as tradedetail.
	Operation string
	// Method is the HTTP method.
	Method string
	// Server has scheme, host and port, and the path before that of the API if BaseURL has one.
	Server string
	// Path is the path as in the contract, such as /api/v1/datasets/{datasetId}.
	Path string
	// Number is the number of the attempt in its call, from 1.
	Number int
	// RetryReason is the Error of the previous attempt; empty for the first one.
	RetryReason string
	// Header takes headers to send, such as traceparent; they are not signed. Those that the client sends itself stay as
	// they are.
	Header http.Header
}

// AttemptResult says how an attempt ended.
type AttemptResult struct {
	// Status is the HTTP status; 0 without a response.
	Status int
	// Duration is the time until the response was read, or until it began for an export.
	Duration time.Duration
	// RequestID is the request id of the server, under which its log has the request.
	RequestID string
	// Error is the code of the error, or the HTTP status as text if the response did not come from Souk; connection_error
	// without a response, canceled if the context was canceled, empty if Souk answered with a result.
	Error string
}

// attempts reports the attempts of one call.
type attempts struct {
	transport transport
	op        operation
	number    int
	failure   string
}

// run adds the headers of the function OnAttempt to a request, makes the attempt, and reports it.
func (a *attempts) run(ctx context.Context, request *http.Request, redaction redaction, once func() (*http.Response, error)) error {
	a.number++
	attempt := Attempt{
		Operation: a.op.name, Method: a.op.method, Path: a.op.path,
		Server: shownURL(a.transport.baseURL.reveal()),
		Number: a.number, RetryReason: a.failure,
		Header: http.Header{},
	}
	var end func(AttemptResult)
	if a.transport.onAttempt != nil {
		end = a.transport.onAttempt(ctx, attempt)
	}
	for name, values := range attempt.Header {
		if len(request.Header.Values(name)) == 0 {
			request.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	started := time.Now()
	response, err := once()
	a.failure = failureOf(ctx, err)
	if end != nil {
		result := AttemptResult{Duration: time.Since(started), Error: a.failure}
		if response != nil {
			result.Status = response.StatusCode
			result.RequestID = redaction.text(response.Header.Get("X-Request-Id"))
		}
		end(result)
	}
	return err
}

func failureOf(ctx context.Context, err error) string {
	var api *APIError
	var connection *ConnectionError
	switch {
	case errors.As(err, &api) && api.Code != "":
		return api.Code
	case errors.As(err, &api):
		return strconv.Itoa(api.Status)
	case errors.As(err, &connection) && errors.Is(ctx.Err(), context.Canceled):
		return "canceled"
	case errors.As(err, &connection):
		return "connection_error"
	}
	return ""
}
