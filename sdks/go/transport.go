package souk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// longestRetryAfter is the longest Retry-After to wait for. A longer one is left to the caller.
const longestRetryAfter = 30 * time.Second

// operation is an operation of the contract. place says where its parameters are sent (query, form, multipart or
// json); retry which failed attempts may be repeated (idempotent, sameSignature or ifNotExecuted); resultField is a
// field that every result has, empty if the result is a boolean; secrets are parameters that errors do not show.
type operation struct {
	name, method, path, place, retry, resultField string
	signed                                        bool
	secrets                                       []string
}

// isResult returns whether JSON is a result. Other programs may answer with JSON, too.
func (op operation) isResult(body []byte) bool {
	if op.resultField == "" {
		var result *bool
		return json.Unmarshal(body, &result) == nil && result != nil
	}
	var fields map[string]json.RawMessage
	return json.Unmarshal(body, &fields) == nil && fields[op.resultField] != nil
}

// userAgent is shown in the server's request log.
var userAgent = "souk-go/" + version + " (" + runtime.Version() + ")"

// connections are those of all clients without a client of their own. The default keeps only two idle ones, so that
// other concurrent requests would connect each time. Souk closes idle ones after 20 seconds at the earliest.
var connections = newConnections()

func newConnections() http.RoundTripper {
	standard, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	own := standard.Clone()
	own.MaxIdleConnsPerHost = 100
	own.IdleConnTimeout = 15 * time.Second
	return own
}

// transport sends requests, and repeats them where that is safe.
type transport struct {
	// May contain a password.
	baseURL    secret
	client     *http.Client
	timeout    time.Duration
	maxRetries int
	onAttempt  func(context.Context, Attempt) func(AttemptResult)
}

func newTransport(baseURL, prefix string, client *http.Client, timeout time.Duration, maxRetries *int) (transport, error) {
	if err := requireText("BaseURL", baseURL); err != nil {
		return transport{}, err
	}
	parsed, err := url.Parse(baseURL)
	wrong := err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" ||
		parsed.RawQuery != "" || parsed.Fragment != "" || strings.Contains(parsed.Path, prefix)
	if wrong {
		return transport{}, fmt.Errorf("souk: BaseURL must be the http or https URL before %s, such as http://localhost:7070, not %s", prefix, shownURL(baseURL))
	}
	if client == nil {
		client = &http.Client{Transport: connections}
	}
	// Signed requests do not follow redirects.
	own := *client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	retries := 2
	if maxRetries != nil {
		retries = *maxRetries
	}
	if timeout == 0 {
		timeout = 10 * time.Second
	}
	return transport{baseURL: newSecret(strings.TrimRight(baseURL, "/")), client: &own, timeout: timeout, maxRetries: retries}, nil
}

// CallOptions are settings of some calls that differ from those of their client.
type CallOptions struct {
	// Timeout is the timeout of one attempt, for an export how long the server may be silent; that of the client if it is
	// zero. The context of a call limits all its attempts.
	Timeout time.Duration
	// MaxRetries is the maximum number of retries where retrying is safe; that of the client if it is nil.
	MaxRetries *int
}

// with returns a copy with other options, which shares the connections.
func (t transport) with(options CallOptions) transport {
	if options.Timeout != 0 {
		t.timeout = options.Timeout
	}
	if options.MaxRetries != nil {
		t.maxRetries = *options.MaxRetries
	}
	return t
}

func requireText(name, value string) error {
	if value == "" {
		return fmt.Errorf("souk: %s is empty; check the setting that it is read from", name)
	}
	if strings.TrimSpace(value) != value {
		return fmt.Errorf("souk: %s has surrounding white space or a line break; trim it where it is read", name)
	}
	return nil
}

// requireHeader checks a setting that is sent in a header. net/http would report it as a failed connection.
func requireHeader(name, value string) error {
	if err := requireText(name, value); err != nil {
		return err
	}
	if strings.IndexFunc(value, func(r rune) bool { return r < '!' || r > '~' }) >= 0 {
		return fmt.Errorf("souk: %s contains a character that cannot be sent in a header", name)
	}
	return nil
}

// repeat calls attempt, and again after failures that the operation's rule allows to repeat. The same signed request
// is repeated for at most lifetime.
func (t transport) repeat(ctx context.Context, op operation, lifetime time.Duration, attempt func() error) error {
	started := time.Now()
	for n := 1; ; n++ {
		err := attempt()
		if err == nil || ctx.Err() != nil || n > t.maxRetries || !mayRetry(err, op.retry) {
			return err
		}
		delay, ok := retryDelay(n, err)
		if !ok || (op.retry == "sameSignature" && time.Since(started)+delay > lifetime) {
			return err
		}
		timer := time.NewTimer(delay)
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
	}
}

func isTemporary(err error) bool {
	var connection *ConnectionError
	if errors.As(err, &connection) {
		return true
	}
	var api *APIError
	if !errors.As(err, &api) {
		return false
	}
	// A conflict without a code comes from a proxy.
	return isOverload(api.Status) || api.Status == http.StatusConflict && (api.Code == "" || retriedConflicts[api.Code])
}

// isOverload returns whether a status says that a server, or a proxy in front of it, cannot respond now.
func isOverload(status int) bool {
	return status == http.StatusTooManyRequests || status >= 500
}

func mayRetry(err error, rule string) bool {
	if rule != "ifNotExecuted" {
		return isTemporary(err)
	}
	var connection *ConnectionError
	if errors.As(err, &connection) {
		return connection.NotSent
	}
	var api *APIError
	return errors.As(err, &api) && api.Status == http.StatusTooManyRequests
}

// retryDelay returns the delay before the next attempt, and false if the server asks for too long a one.
func retryDelay(attempt int, err error) (time.Duration, bool) {
	var asked time.Duration
	var api *APIError
	if errors.As(err, &api) {
		asked = api.RetryAfter
	}
	if asked > longestRetryAfter {
		return 0, false
	}
	backoff := 8 * time.Second
	if attempt < 5 {
		backoff = 250 * time.Millisecond << attempt
	}
	backoff = backoff/2 + time.Duration(rand.Int63n(int64(backoff/2)+1))
	if asked > backoff {
		return asked, true
	}
	return backoff, true
}

// exchange makes one attempt within the timeout, and returns the response with its body.
func (t transport) exchange(ctx context.Context, op operation, request *http.Request, redaction redaction, lost string) (*http.Response, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	response, err := t.client.Do(request.WithContext(ctx))
	if err != nil {
		return nil, nil, connectionError(op, err, redaction, lost)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, connectionError(op, err, redaction, lost)
	}
	return response, body, nil
}

// open makes one attempt, and returns the response when its headers have arrived, within the timeout. Closing its body
// ends the request.
func (t transport) open(ctx context.Context, op operation, request *http.Request, redaction redaction) (*http.Response, error) {
	ctx, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(t.timeout, cancel)
	response, err := t.client.Do(request.WithContext(ctx))
	if timedOut := !timer.Stop(); timedOut {
		if err == nil {
			response.Body.Close()
		}
		err = context.DeadlineExceeded
	}
	if err != nil {
		cancel()
		return nil, connectionError(op, err, redaction, "")
	}
	response.Body = download{response.Body, cancel, t.timeout, op, redaction}
	return response, nil
}

// download is a body that is read as it arrives.
type download struct {
	io.ReadCloser
	cancel context.CancelFunc
	// timeout is how long the server may be silent.
	timeout   time.Duration
	op        operation
	redaction redaction
}

func (d download) Read(buffer []byte) (int, error) {
	timer := time.AfterFunc(d.timeout, d.cancel)
	n, err := d.ReadCloser.Read(buffer)
	if timedOut := !timer.Stop(); timedOut && err != io.EOF {
		err = context.DeadlineExceeded
	}
	if err != nil && err != io.EOF {
		err = connectionError(d.op, err, d.redaction, "")
	}
	return n, err
}

func (d download) Close() error {
	defer d.cancel()
	return d.ReadCloser.Close()
}

func connectionError(op operation, err error, redaction redaction, lost string) error {
	var dns *net.DNSError
	notSent := errors.As(err, &dns) || errors.Is(err, syscall.ECONNREFUSED) ||
		errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, syscall.ENETUNREACH)
	if notSent {
		lost = "Check that Souk is running and that BaseURL is correct."
	}
	// The URL of a request contains its parameters.
	var inURL *url.Error
	if errors.As(err, &inURL) {
		err = inURL.Err
	}
	return &ConnectionError{Operation: op.name, NotSent: notSent, Cause: redaction.cause(err), advice: lost}
}

// refusal is an error of the open API or of the platform data API.
type refusal struct {
	Status int            `json:"status"`
	Code   string         `json:"code"`
	Msg    string         `json:"msg"`
	Detail string         `json:"detail"`
	Data   map[string]any `json:"data"`
}

// errorOf returns the error of a response. found is nil if it did not come from Souk.
func errorOf(op operation, response *http.Response, body []byte, found *refusal, redaction redaction) error {
	result := &APIError{
		Operation:  op.name,
		Status:     response.StatusCode,
		RequestID:  redaction.text(response.Header.Get("X-Request-Id")),
		RetryAfter: retryAfter(response.Header),
	}
	if found == nil {
		result.Msg = describeForeign(response, body, redaction)
		address := *response.Request.URL
		address.User, address.RawQuery = nil, ""
		result.advice = fmt.Sprintf("Check BaseURL: the request went to %s.", &address)
		if isOverload(response.StatusCode) {
			result.advice = "A proxy in front of Souk limits requests or cannot reach it: retry later."
		}
		return result
	}
	if found.Status != 0 {
		result.Status = found.Status
	}
	result.Code, result.advice = redaction.text(found.Code), advice[found.Code]
	if found.Data != nil {
		result.Data = redaction.data(found.Data).(map[string]any)
	}
	result.Msg = redaction.text(found.Msg + found.Detail)
	return result
}

// retryAfter returns Retry-After from now. A date is one of the server's clock, which Date has.
func retryAfter(header http.Header) time.Duration {
	asked := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(asked, 10, 30); err == nil {
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(asked)
	if err != nil {
		return 0
	}
	sent, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		sent = time.Now()
	}
	if delay := until.Sub(sent); delay > 0 {
		return delay
	}
	return 0
}

// longestQuotable is how many bytes of a response are searched for secrets before its start is quoted.
const longestQuotable = 10_000

// describeForeign describes a response that does not come from Souk.
func describeForeign(response *http.Response, body []byte, redaction redaction) string {
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		target := redaction.text(shownURL(response.Header.Get("Location")))
		if target == "" {
			target = "another URL"
		}
		return "The server redirects to " + target + "; requests do not follow redirects."
	}
	if len(body) > longestQuotable {
		body = body[:longestQuotable]
	}
	// Redacted before it is cut, or the start of a secret would remain.
	start := redaction.text(strings.TrimSpace(string(body)))
	if len(start) > 80 {
		start = start[:80]
	}
	contentType := redaction.text(response.Header.Get("Content-Type"))
	if contentType == "" {
		contentType = "no content type"
	}
	beginning := "empty"
	if start != "" {
		beginning = fmt.Sprintf("starting with %q", start)
	}
	return fmt.Sprintf("The response does not come from Souk: %s, %s.", contentType, beginning)
}
