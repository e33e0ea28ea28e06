package souk

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Limits of one append, below those of the server.
const (
	batchRecords = 1000
	batchBytes   = 4 << 20
)

// Record is a record of a dataset: field values by name, nil if absent.
type Record = map[string]any

// Page is a page of a list. Pass Next as Cursor to get the following one; it is nil on the last page.
type Page[T any] struct {
	// Items are those of this page.
	Items []T `json:"items"`
	// Next is the Cursor of the following page.
	Next *string `json:"next"`
}

// PlatformOptions are the settings of a [Platform]: either an API key or a token.
type PlatformOptions struct {
	// BaseURL is the URL of Souk before /api/v1, such as http://localhost:7070.
	BaseURL string
	// APIKey is the API key of an account (open-api §5.1). Use it on trusted servers only.
	APIKey string
	// Token is a token of an account or service account.
	Token string
	// Timeout is the timeout of one attempt, for an export how long the server may be silent; 10 seconds if it is zero.
	Timeout time.Duration
	// MaxRetries is the maximum number of retries where retrying is safe; 2 if it is nil.
	MaxRetries *int
	// HTTPClient is used for requests; a new one if it is nil.
	HTTPClient *http.Client
	// OnAttempt is called before each attempt of a call, as that of [Options].
	OnAttempt func(context.Context, Attempt) func(AttemptResult)
}

// Platform is a client of the platform data API (open-api §4.2) with exactly the permissions of an account.
type Platform struct {
	transport transport
	header    string
	prefix    string
	value     secret
}

// NewPlatform returns a client, or an error for a missing or invalid option.
func NewPlatform(options PlatformOptions) (*Platform, error) {
	transport, err := newTransport(options.BaseURL, "/api/v1", options.HTTPClient, options.Timeout, options.MaxRetries)
	if err != nil {
		return nil, err
	}
	transport.onAttempt = options.OnAttempt
	if (options.APIKey == "") == (options.Token == "") {
		return nil, errors.New("souk: give either APIKey or Token")
	}
	name, header, value, prefix := "APIKey", "X-API-Key", options.APIKey, ""
	if options.Token != "" {
		name, header, value, prefix = "Token", "Authorization", options.Token, "Bearer "
	}
	if err := requireHeader(name, value); err != nil {
		return nil, err
	}
	return &Platform{transport, header, prefix, newSecret(value)}, nil
}

// WithOptions returns a client with other options, for some calls. It shares the connections of c.
func (c *Platform) WithOptions(options CallOptions) *Platform {
	changed := *c
	changed.transport = c.transport.with(options)
	return &changed
}

// Append appends any number of records in batches, and returns how many. Each batch is stored completely or not at
// all, and only once. It returns [*AppendInterruptedError] if earlier batches were stored before one failed.
func (c *Platform) Append(ctx context.Context, datasetID string, records []Record) (int64, error) {
	var appended int64
	for len(records) > 0 {
		batch, err := firstBatch(records)
		if err == nil {
			var result Appended
			result, err = c.AppendRecords(ctx, AppendRecordsParams{DatasetID: datasetID, Records: batch, BatchID: newID()})
			appended += result.Appended
		}
		if err != nil && appended > 0 {
			return appended, &AppendInterruptedError{Appended: appended, Cause: err}
		}
		if err != nil {
			return 0, err
		}
		records = records[len(batch):]
	}
	return appended, nil
}

func firstBatch(records []Record) ([]Record, error) {
	size := 0
	for n, record := range records {
		encoded, err := json.Marshal(record)
		if err != nil {
			return nil, err
		}
		size += len(encoded)
		if n == batchRecords || (n > 0 && size > batchBytes) {
			return records[:n], nil
		}
	}
	return records, nil
}

func newID() string {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		panic(err) // The system has no source of random numbers.
	}
	return hex.EncodeToString(id[:])
}

// Each calls fetch with each cursor in turn, and visit with each item, until visit returns an error:
//
//	err := souk.Each(func(cursor string) (souk.Page[souk.Record], error) {
//		return platform.ListRecords(ctx, souk.ListRecordsParams{DatasetID: id, Cursor: cursor, Limit: 1000})
//	}, func(record souk.Record) error { … })
func Each[T any](fetch func(cursor string) (Page[T], error), visit func(T) error) error {
	for cursor := ""; ; {
		page, err := fetch(cursor)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			if err := visit(item); err != nil {
				return err
			}
		}
		if page.Next == nil {
			return nil
		}
		cursor = *page.Next
	}
}

func (c *Platform) call(ctx context.Context, op operation, parameters values, result any) error {
	lost := ""
	if op.retry == "ifNotExecuted" {
		lost = "It may have been processed: check before you retry."
	}
	redaction := redactionOf(op, parameters.texts(), c.value)
	attempts := &attempts{transport: c.transport, op: op}
	return c.transport.repeat(ctx, op, 0, func() error {
		request, err := c.request(ctx, op, parameters)
		if err != nil {
			return redaction.cause(err)
		}
		return attempts.run(ctx, request, redaction, func() (*http.Response, error) {
			response, body, err := c.transport.exchange(ctx, op, request, redaction, lost)
			if err != nil {
				return nil, err
			}
			if response.StatusCode != http.StatusOK || !op.isResult(body) {
				return response, problemOf(op, response, body, redaction)
			}
			return response, op.decode(body, result)
		})
	})
}

// stream returns the body of a response as it arrives. The caller closes it; ctx ends it.
func (c *Platform) stream(ctx context.Context, op operation, parameters values) (io.ReadCloser, error) {
	var result io.ReadCloser
	redaction := redactionOf(op, parameters.texts(), c.value)
	attempts := &attempts{transport: c.transport, op: op}
	err := c.transport.repeat(ctx, op, 0, func() error {
		request, err := c.request(ctx, op, parameters)
		if err != nil {
			return redaction.cause(err)
		}
		return attempts.run(ctx, request, redaction, func() (*http.Response, error) {
			response, err := c.transport.open(ctx, op, request, redaction)
			if err != nil {
				return nil, err
			}
			if response.StatusCode != http.StatusOK || !isExport(response) {
				defer response.Body.Close()
				body, _ := io.ReadAll(response.Body)
				return response, problemOf(op, response, body, redaction)
			}
			result = response.Body
			return response, nil
		})
	})
	return result, err
}

func isExport(response *http.Response) bool {
	contentType := response.Header.Get("Content-Type")
	return strings.HasPrefix(contentType, "application/x-ndjson") || strings.HasPrefix(contentType, "text/csv")
}

func problemOf(op operation, response *http.Response, body []byte, redaction redaction) error {
	var found refusal
	if json.Unmarshal(body, &found) != nil || found.Code == "" {
		return errorOf(op, response, body, nil, redaction)
	}
	return errorOf(op, response, body, &found, redaction)
}

func (c *Platform) request(ctx context.Context, op operation, parameters values) (*http.Request, error) {
	rest := values{}
	path := op.path
	for name, value := range parameters {
		place := "{" + name + "}"
		if !strings.Contains(path, place) {
			rest[name] = value
			continue
		}
		if err := requireText(name, text(value)); err != nil {
			return nil, err
		}
		path = strings.ReplaceAll(path, place, url.PathEscape(text(value)))
	}
	var body io.Reader
	if op.place == "json" {
		encoded, err := json.Marshal(rest)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(encoded)
	} else if len(rest) > 0 {
		path += "?" + encodeForm(rest.texts())
	}
	request, err := http.NewRequestWithContext(ctx, op.method, c.transport.baseURL.reveal()+path, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json, application/x-ndjson, text/csv")
	request.Header.Set("User-Agent", userAgent)
	request.Header.Set(c.header, c.prefix+c.value.reveal())
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}
