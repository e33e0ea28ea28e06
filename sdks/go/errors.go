package souk

import (
	"fmt"
	"strings"
	"time"
)

// APIError is an error response of Souk (open-api §2.2, open-api §7).
type APIError struct {
	// Operation is the called method.
	Operation string
	// Status is responseHeader.status, or the HTTP status if the response did not come from Souk.
	Status int
	// Code is the stable error code; empty if the response did not come from Souk.
	Code string
	// Msg is the server's message.
	Msg string
	// RequestID identifies the request in the server's request log.
	RequestID string
	// Data are machine-readable details, such as the differing fields of a conflict.
	Data map[string]any
	// RetryAfter is the delay that the server asks for.
	RetryAfter time.Duration
	advice     string
}

func (e *APIError) Error() string {
	facts := []string{fmt.Sprintf("status %d", e.Status)}
	if e.Code != "" {
		facts = append(facts, "code "+e.Code)
	}
	if e.RequestID != "" {
		facts = append(facts, "request "+e.RequestID)
	}
	message := strings.TrimSpace(e.Msg + " " + e.advice)
	return fmt.Sprintf("%s failed: %s (%s)", e.Operation, message, strings.Join(facts, ", "))
}

// ResponseError says that Souk answered with a result that the contract does not allow, such as text in place of an
// amount. The request has probably been executed. It contains none of the values.
type ResponseError struct {
	// Operation is the called method.
	Operation string
	// Path is the invalid field, such as items[0].ctime.
	Path   string
	reason string
}

func (e *ResponseError) Error() string {
	return fmt.Sprintf("%s returned an invalid result: %s %s.", e.Operation, e.Path, e.reason)
}

// ConnectionError says that there was no response: the connection failed or broke, or the attempt timed out.
type ConnectionError struct {
	// Operation is the called method.
	Operation string
	// NotSent says that the request was certainly not processed.
	NotSent bool
	// Cause is the error of net/http.
	Cause  error
	advice string
}

func (e *ConnectionError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("%s got no response: %v. %s", e.Operation, e.Cause, e.advice))
}

func (e *ConnectionError) Unwrap() error { return e.Cause }

// TradeStillProcessingError is returned by [Client.WaitForTrade] when its context ends. The trade continues.
type TradeStillProcessingError struct {
	// TradeNo is the number of the trade.
	TradeNo string
	// Trade is the last known state, or nil if it could not be queried.
	Trade *TradeDetail
	// Cause is the error of the context.
	Cause error
}

func (e *TradeStillProcessingError) Error() string {
	return fmt.Sprintf("trade %s is still processing; wait again, or handle its callback: %v", e.TradeNo, e.Cause)
}

func (e *TradeStillProcessingError) Unwrap() error { return e.Cause }

// AppendInterruptedError says that an append failed after some batches had been stored.
type AppendInterruptedError struct {
	// Appended is the number of records stored, counted from the first.
	Appended int64
	// Cause says why it failed.
	Cause error
}

func (e *AppendInterruptedError) Error() string {
	return fmt.Sprintf("the first %d records were stored, then the append failed: %v", e.Appended, e.Cause)
}

func (e *AppendInterruptedError) Unwrap() error { return e.Cause }

// CallbackError says why a callback could not be verified. It contains none of its values.
type CallbackError struct {
	// Reason is callback_malformed, sign_mismatch, callback_stale, other_app or body_missing.
	Reason string
	// Explanation is a sentence for developers.
	Explanation string
}

func (e *CallbackError) Error() string {
	return fmt.Sprintf("Callback verification failed: %s (%s)", e.Explanation, e.Reason)
}

// advice contains advice for developers about errors, where the server's message has none.
var advice = map[string]string{
	"sign_mismatch":           "Check that the secret belongs to this appid at this server, and that it was not rotated.",
	"appid_invalid":           "Check that the mini app exists and is enabled at this server.",
	"timestamp_out_of_window": "Synchronize the clock of this machine with NTP; 5 minutes of difference are allowed.",
	"code_used":               "Exchange each code once, and request a new code on the page with neu.login().",
	"code_expired":            "A code is valid for 5 minutes: exchange it at once.",
	"access_token_invalid":    "Exchange a new code instead of retrying.",
	"open_id_unknown":         "An openId is valid under one appid only: use the one that UserInfo returned.",
	"recipients_unknown":      "An openId is valid under one appid only: use those that UserInfo returned.",
	"api_key_invalid":         "An account has one key, which becomes invalid when it is refreshed.",
}
