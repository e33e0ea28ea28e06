package souk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"strings"
	"time"
)

// signLifetime is how long a signed request may be repeated: the window of 5 minutes, less the age of the timestamp and
// clock skew.
const signLifetime = 3 * time.Minute

// maxCollisions is how often a request is signed again because another process has used its timestamp.
const maxCollisions = 5

// Options are the settings of a [Client].
type Options struct {
	// BaseURL is the URL of Souk before /neuopenapi, such as http://localhost:7070.
	BaseURL string
	// AppID is the id of the mini app.
	AppID string
	// Secret is the app secret. It signs requests and verifies callbacks, and is never sent.
	Secret string
	// Timeout is the timeout of one attempt; 10 seconds if it is zero.
	Timeout time.Duration
	// MaxRetries is the maximum number of retries where retrying is safe; 2 if it is nil.
	MaxRetries *int
	// HTTPClient is used for requests; a new one if it is nil.
	HTTPClient *http.Client
	// OnAttempt is called before each attempt of a call, and what it returns when the attempt has ended, for logs and
	// traces. It may return nil. A panic reaches the caller of the method, also if the request has been executed.
	OnAttempt func(context.Context, Attempt) func(AttemptResult)
	// CallbackSecrets are further secrets with which callbacks may be signed, such as the previous one during a rotation.
	// Secret is always accepted.
	CallbackSecrets []string
	// CallbackTolerance is the maximum age of a callback, in either direction of the clock; 5 minutes if it is zero.
	CallbackTolerance time.Duration
	// OnNotDelivered is called once when SendNotify or SendActivity has succeeded, but does not reach all recipients. A
	// panic of it reaches the caller of the method; the message has been sent nevertheless.
	OnNotDelivered func(NotDelivered)
}

// NotDelivered describes the recipients whom a message does not reach (open-api §4.3).
type NotDelivered struct {
	// Count is their number.
	Count int `json:"count"`
	// Reasons has their numbers by reason, such as off: 2.
	Reasons map[string]int `json:"reasons"`
	// Operation is sendNotify or sendActivity.
	Operation string `json:"operation"`
}

// notDeliveredOf returns what the header of a response says about recipients, and nil if there are none. The message
// has been sent, so malformed fields are left out instead of failing the call. All clients follow the same rule.
func (op operation) notDeliveredOf(raw json.RawMessage) *NotDelivered {
	found := NotDelivered{Reasons: map[string]int{}, Operation: op.name}
	fields := fieldsOf(raw)
	sum := 0
	for reason, number := range fieldsOf(fields["reasons"]) {
		if count := countOf(number); count > 0 {
			found.Reasons[reason] = count
			sum += count
		}
	}
	if found.Count = countOf(fields["count"]); found.Count == 0 {
		found.Count = sum
	}
	if found.Count == 0 {
		return nil
	}
	return &found
}

// fieldsOf returns the fields of a JSON object, and none of other JSON.
func fieldsOf(raw json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	return fields
}

// countOf returns a number of recipients that every client can hold, and 0 for other JSON.
func countOf(raw json.RawMessage) int {
	number, isNumber := numberOf(raw)
	if !isNumber || number < 0 || number > math.MaxInt32 || number != math.Trunc(number) {
		return 0
	}
	return int(number)
}

// Client is a client of the open API for the backend of a mini app. Goroutines may share it.
//
// Methods return [*APIError] for an error response and [*ConnectionError] if there is no response.
type Client struct {
	// Callbacks verifies payment results.
	Callbacks      Callbacks
	transport      transport
	appID          string
	secret         secret
	onNotDelivered func(NotDelivered)
}

// New returns a client, or an error for a missing or invalid option.
func New(options Options) (*Client, error) {
	transport, err := newTransport(
		options.BaseURL, "/neuopenapi", options.HTTPClient, options.Timeout, options.MaxRetries)
	if err != nil {
		return nil, err
	}
	transport.onAttempt = options.OnAttempt
	if err := requireText("AppID", options.AppID); err != nil {
		return nil, err
	}
	if err := requireText("Secret", options.Secret); err != nil {
		return nil, err
	}
	for _, other := range options.CallbackSecrets {
		if err := requireText("CallbackSecrets", other); err != nil {
			return nil, err
		}
	}
	callbacks := NewCallbacks(options.AppID, options.Secret).WithSecrets(options.CallbackSecrets...)
	if options.CallbackTolerance != 0 {
		callbacks = callbacks.WithTolerance(options.CallbackTolerance)
	}
	return &Client{
		Callbacks:      callbacks,
		transport:      transport,
		appID:          options.AppID,
		secret:         newSecret(options.Secret),
		onNotDelivered: options.OnNotDelivered,
	}, nil
}

// WithOptions returns a client with other options, for some calls. It shares the connections of c.
//
//	client.WithOptions(souk.CallOptions{Timeout: 2 * time.Second}).Tradedetail(ctx, tradeNo)
func (c *Client) WithOptions(options CallOptions) *Client {
	changed := *c
	changed.transport = c.transport.with(options)
	return &changed
}

// FileUpload uploads an image of up to 2 MB: PNG, JPEG and the like. See open-api §4.1.
func (c *Client) FileUpload(ctx context.Context, name string, content []byte) (UploadedFile, error) {
	var result UploadedFile
	err := c.callWith(ctx, operations["fileUpload"], values{}, &file{name, content}, &result)
	return result, err
}

// WaitForTrade polls a trade until its TransactionStatus is final, or ctx ends: set a deadline of two minutes or so.
// Temporary failures do not end the wait. It returns [*TradeStillProcessingError] when ctx ends.
func (c *Client) WaitForTrade(ctx context.Context, tradeNo string) (TradeDetail, error) {
	interval := time.Second
	var last *TradeDetail
	for {
		trade, err := c.Tradedetail(ctx, tradeNo)
		if err == nil && trade.TransactionStatus != TransactionStatusProcessing {
			return trade, nil
		}
		if err == nil {
			last = &trade
		}
		if err != nil && ctx.Err() == nil && !isTemporary(err) {
			return trade, err
		}
		select {
		case <-ctx.Done():
			return trade, &TradeStillProcessingError{TradeNo: tradeNo, Trade: last, Cause: ctx.Err()}
		case <-time.After(interval):
		}
		if interval = interval * 3 / 2; interval > 10*time.Second {
			interval = 10 * time.Second
		}
	}
}

// file is the part of a multipart body that is not signed (open-api §4.1).
type file struct {
	name    string
	content []byte
}

func (c *Client) call(ctx context.Context, op operation, parameters values, result any) error {
	return c.callWith(ctx, op, parameters, nil, result)
}

func (c *Client) callWith(ctx context.Context, op operation, parameters values, part *file, result any) error {
	var sent map[string]string
	var notDelivered *NotDelivered
	collisions := 0
	attempts := &attempts{transport: c.transport, op: op}
	err := c.transport.repeat(ctx, op, signLifetime, func() error {
		for ; ; collisions++ {
			isRepetition := sent != nil && op.retry == "sameSignature"
			if !isRepetition {
				sent = c.signed(op, parameters)
			}
			isReplayed, found, err := c.attempt(ctx, attempts, sent, part, result)
			// A repetition may get the result of its own first attempt.
			isForeign := isReplayed && op.retry == "sameSignature" && !isRepetition
			if collisions == maxCollisions || !(isForeign || isSignReused(err)) {
				notDelivered = found
				return err
			}
			// Souk did not execute it, since a request of another process has the same sign (ADR 411).
			issued.skip(c.appID)
			sent = nil
		}
	})
	if err == nil && notDelivered != nil && c.onNotDelivered != nil {
		c.onNotDelivered(*notDelivered)
	}
	return err
}

func isSignReused(err error) bool {
	var api *APIError
	return errors.As(err, &api) && api.Code == "sign_reused"
}

// signed returns the parameters with the common ones (open-api §4.1), if the operation is signed.
func (c *Client) signed(op operation, parameters values) map[string]string {
	sent := parameters.texts()
	if op.signed {
		sent["appid"] = c.appID
		sent["timestamp"] = text(issued.next(c.appID, time.Now().UnixMilli()))
		sent["sign"] = Sign(sent, c.secret.reveal())
	}
	return sent
}

// attempt reads the result, and returns whether it is that of an earlier request with the same sign, and whom it does
// not reach.
func (c *Client) attempt(ctx context.Context, attempts *attempts, sent map[string]string, part *file, result any) (isReplayed bool, found *NotDelivered, err error) {
	redaction := redactionOf(attempts.op, sent, c.secret)
	request, err := c.request(attempts.op, sent, part)
	if err != nil {
		return false, nil, redaction.cause(err)
	}
	err = attempts.run(ctx, request, redaction, func() (*http.Response, error) {
		response, body, err := c.transport.exchange(ctx, attempts.op, request, redaction, "")
		if err == nil {
			isReplayed, found, err = readEnvelope(attempts.op, response, body, redaction, result)
		}
		return response, err
	})
	return isReplayed, found, err
}

// readEnvelope reads the result from a response, like attempt.
func readEnvelope(op operation, response *http.Response, body []byte, redaction redaction, result any) (isReplayed bool, found *NotDelivered, err error) {
	var envelope struct {
		ResponseHeader *struct {
			refusal
			NotDelivered json.RawMessage `json:"notDelivered"`
		} `json:"responseHeader"`
		Response json.RawMessage `json:"response"`
	}
	if json.Unmarshal(body, &envelope) != nil || envelope.ResponseHeader == nil || envelope.ResponseHeader.Status == 0 {
		return false, nil, errorOf(op, response, body, nil, redaction)
	}
	if envelope.ResponseHeader.Status != http.StatusOK {
		return false, nil, errorOf(op, response, body, &envelope.ResponseHeader.refusal, redaction)
	}
	if !op.isResult(envelope.Response) {
		return false, nil, errorOf(op, response, body, nil, redaction)
	}
	isReplayed = response.Header.Get("Idempotent-Replayed") == "true"
	return isReplayed, op.notDeliveredOf(envelope.ResponseHeader.NotDelivered), op.decode(envelope.Response, result)
}

func (c *Client) request(op operation, sent map[string]string, part *file) (*http.Request, error) {
	url := c.transport.baseURL.reveal() + op.path
	contentType := ""
	var body io.Reader
	switch {
	case op.place == "query":
		url += "?" + encodeForm(sent)
	case part != nil:
		var err error
		if contentType, body, err = multipartBody(sent, part); err != nil {
			return nil, err
		}
	default:
		contentType, body = "application/x-www-form-urlencoded", strings.NewReader(encodeForm(sent))
	}
	request, err := http.NewRequest(op.method, url, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", userAgent)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	return request, nil
}

func multipartBody(sent map[string]string, part *file) (string, io.Reader, error) {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	for name, value := range sent {
		if err := writer.WriteField(name, value); err != nil {
			return "", nil, err
		}
	}
	target, err := writer.CreateFormFile("fileData", part.name)
	if err != nil {
		return "", nil, err
	}
	if _, err := target.Write(part.content); err != nil {
		return "", nil, err
	}
	return writer.FormDataContentType(), &body, writer.Close()
}
