// The driver executes calls for the tests of all clients: a JSON object per line, answered by one per line.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"souk.dev/souk"
)

var ctx = context.Background()

// call decodes the parameters of a call, and makes it.
type call func(parameters json.RawMessage) (any, error)

// with returns a call of a method that takes a struct.
func with[P, R any](method func(context.Context, P) (R, error)) call {
	return func(parameters json.RawMessage) (any, error) {
		var params P
		if err := json.Unmarshal(parameters, &params); err != nil {
			return nil, err
		}
		return method(ctx, params)
	}
}

// withText returns a call of a method that takes the parameter name.
func withText[R any](name string, method func(context.Context, string) (R, error)) call {
	return func(parameters json.RawMessage) (any, error) {
		params := map[string]string{}
		if err := json.Unmarshal(parameters, &params); err != nil {
			return nil, err
		}
		return method(ctx, params[name])
	}
}

func main() {
	client, other := newClient(), newClient()
	platform, err := souk.NewPlatform(souk.PlatformOptions{
		BaseURL: os.Getenv("SOUK_URL"), APIKey: os.Getenv("SOUK_API_KEY"), Timeout: timeout(),
	})
	if err != nil {
		panic(err)
	}
	calls := map[string]call{
		"accessToken":        with(client.AccessToken),
		"userInfo":           withText("accessToken", client.UserInfo),
		"trade":              with(client.Trade),
		"tradedetail":        withText("tradeNo", client.Tradedetail),
		"tradeclose":         withText("tradeNo", client.Tradeclose),
		"refund":             with(client.Refund),
		"refunddetail":       withText("refundNo", client.Refunddetail),
		"waitForTrade":       with(waitForTrade(client)),
		"notDelivered":       reported,
		"sendNotify":         recovering(with(client.SendNotify)),
		"sendActivity":       with(client.SendActivity),
		"failOnNotDelivered": with(failOnNotDelivered),
		"whoAmI":             func(json.RawMessage) (any, error) { return platform.WhoAmI(ctx) },
		"pageProjects":       with(platform.PageProjects),
		"readProject":        withText("projectId", platform.ReadProject),
		"listDatasets":       with(platform.ListDatasets),
		"createDataset":      with(platform.CreateDataset),
		"getDataset":         withText("datasetId", platform.GetDataset),
		"deleteDataset":      withText("datasetId", platform.DeleteDataset),
		"listRecords":        with(platform.ListRecords),
		"deleteRecords":      with(platform.DeleteRecords),
		"fileUpload":         with(fileUpload(client)),
		"append":             with(appendTo(platform)),
		"exportRecords":      with(export(platform)),
		"queryAndClose":      with(queryAndClose(client, other)),
		"notifyTwice":        with(notifyTwice(client, other)),
		"verifyCallback":     with(verifier(client.Callbacks.Verify)),
		"verifyRefund":       with(verifier(client.Callbacks.VerifyRefund)),
		"atOnce":             with(atOnce),
		"cancel":             with(cancel),
		"secured":            with(secured),
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var request struct {
			Call       string
			Parameters json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			panic(err)
		}
		answer, err := json.Marshal(answerOf(calls[request.Call](request.Parameters)))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(answer))
	}
}

func timeout() time.Duration {
	if duration, err := time.ParseDuration(os.Getenv("SOUK_TIMEOUT") + "s"); err == nil {
		return duration
	}
	return 5 * time.Second
}

// notDelivered is what the clients have reported since the last call of it.
var notDelivered = []souk.NotDelivered{}

var failsOnNotDelivered bool

func reported(json.RawMessage) (any, error) {
	found := notDelivered
	notDelivered = []souk.NotDelivered{}
	return found, nil
}

func failOnNotDelivered(_ context.Context, params struct{ Fails bool }) (bool, error) {
	failsOnNotDelivered = params.Fails
	return true, nil
}

func onNotDelivered(found souk.NotDelivered) {
	notDelivered = append(notDelivered, found)
	if failsOnNotDelivered {
		// A failure that the client would retry.
		panic(&souk.ConnectionError{Operation: "sendNotify", NotSent: true, Cause: errors.New("the callback failed")})
	}
}

// recovering returns a call that returns the failure with which the method panics.
func recovering(made call) call {
	return func(parameters json.RawMessage) (result any, err error) {
		defer func() {
			if failure, ok := recover().(*souk.ConnectionError); ok {
				err = failure
			}
		}()
		return made(parameters)
	}
}

func newClient() *souk.Client {
	client, err := souk.New(souk.Options{
		BaseURL: os.Getenv("SOUK_URL"), AppID: os.Getenv("SOUK_APPID"), Secret: os.Getenv("SOUK_SECRET"),
		Timeout:        timeout(),
		OnNotDelivered: onNotDelivered,
	})
	if err != nil {
		panic(err)
	}
	return client
}

func queryAndClose(client, other *souk.Client) func(context.Context, waiting) (bool, error) {
	return func(ctx context.Context, params waiting) (bool, error) {
		return together(
			func() error { _, err := client.Tradedetail(ctx, params.TradeNo); return err },
			func() error { _, err := other.Tradeclose(ctx, params.TradeNo); return err },
		)
	}
}

func notifyTwice(client, other *souk.Client) func(context.Context, souk.SendNotifyParams) (bool, error) {
	return func(ctx context.Context, params souk.SendNotifyParams) (bool, error) {
		return together(
			func() error { _, err := client.SendNotify(ctx, params); return err },
			func() error { _, err := other.SendNotify(ctx, params); return err },
		)
	}
}

// together makes two calls at the same time.
func together(first, second func() error) (bool, error) {
	result := make(chan error)
	go func() { result <- first() }()
	if err := second(); err != nil {
		<-result
		return false, err
	}
	err := <-result
	return err == nil, err
}

type repeated struct {
	URL string
	// Timeout is in seconds.
	Timeout, Times int
	Call, ID       string
	// Options are those of the calls, in seconds.
	Options *struct {
		Timeout    float64
		MaxRetries *int
	}
}

// atOnce makes a call several times at once with a new client, and returns all answers.
func atOnce(ctx context.Context, params repeated) ([]map[string]any, error) {
	timeout := time.Duration(params.Timeout) * time.Second
	observed := observer{attempts: []map[string]any{}}
	client, err := souk.New(souk.Options{
		BaseURL: params.URL, AppID: os.Getenv("SOUK_APPID"), Secret: os.Getenv("SOUK_SECRET"), Timeout: timeout,
		OnAttempt: observed.onAttempt,
	})
	if err != nil {
		return nil, err
	}
	platform, err := souk.NewPlatform(souk.PlatformOptions{
		BaseURL: params.URL, APIKey: os.Getenv("SOUK_API_KEY"), Timeout: timeout,
		OnAttempt: observed.onAttempt,
	})
	if err != nil {
		return nil, err
	}
	if params.Options != nil {
		options := souk.CallOptions{
			Timeout:    time.Duration(params.Options.Timeout * float64(time.Second)),
			MaxRetries: params.Options.MaxRetries,
		}
		client, platform = client.WithOptions(options), platform.WithOptions(options)
	}
	once := func() (any, error) { return platform.DeleteDataset(ctx, params.ID) }
	if params.Call == "tradedetail" {
		once = func() (any, error) { return client.Tradedetail(ctx, params.ID) }
	}
	answers := make([]map[string]any, params.Times)
	var made sync.WaitGroup
	for i := range answers {
		made.Add(1)
		go func(i int) {
			defer made.Done()
			answers[i] = answerOf(once())
		}(i)
	}
	made.Wait()
	answers[0]["attempts"] = observed.attempts
	return answers, nil
}

// observer collects the attempts of calls.
type observer struct {
	mutex    sync.Mutex
	attempts []map[string]any
}

func (o *observer) onAttempt(_ context.Context, attempt souk.Attempt) func(souk.AttemptResult) {
	attempt.Header.Set("traceparent", fmt.Sprintf("00-%d", attempt.Number))
	// A header of the client, which stays as it is.
	attempt.Header.Set("Accept", "text/html")
	return func(result souk.AttemptResult) {
		o.mutex.Lock()
		defer o.mutex.Unlock()
		o.attempts = append(o.attempts, map[string]any{
			"operation": attempt.Operation, "method": attempt.Method, "server": attempt.Server, "path": attempt.Path,
			"number": attempt.Number, "retryReason": attempt.RetryReason,
			"status": result.Status, "durationMs": float64(result.Duration) / 1e6,
			"requestId": result.RequestID, "error": result.Error,
		})
	}
}

type securing struct {
	URL, ID, CA, Cert, Key, Proxy string
}

// secured queries a trade with the certificates and the proxy that are given.
func secured(ctx context.Context, params securing) (any, error) {
	transport := &http.Transport{TLSClientConfig: &tls.Config{}}
	if params.CA != "" {
		pem, err := os.ReadFile(params.CA)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(pem)
	}
	if params.Cert != "" {
		certificate, err := tls.LoadX509KeyPair(params.Cert, params.Key)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig.Certificates = []tls.Certificate{certificate}
	}
	if params.Proxy != "" {
		proxy, err := url.Parse(params.Proxy)
		if err != nil {
			return nil, err
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	none := 0
	client, err := souk.New(souk.Options{
		BaseURL: params.URL, AppID: os.Getenv("SOUK_APPID"), Secret: os.Getenv("SOUK_SECRET"), MaxRetries: &none,
		HTTPClient: &http.Client{Transport: transport},
	})
	if err != nil {
		return nil, err
	}
	return client.Tradedetail(ctx, params.ID)
}

// cancel makes a call that gets no answer, cancels it, and returns whether it ended for this reason.
func cancel(ctx context.Context, params repeated) (bool, error) {
	client, err := souk.New(souk.Options{
		BaseURL: params.URL, AppID: os.Getenv("SOUK_APPID"), Secret: os.Getenv("SOUK_SECRET"), Timeout: 10 * time.Minute,
	})
	if err != nil {
		return false, err
	}
	ctx, end := context.WithCancel(ctx)
	time.AfterFunc(200*time.Millisecond, end)
	_, err = client.Tradedetail(ctx, params.ID)
	return errors.Is(err, context.Canceled), nil
}

func answerOf(result any, err error) map[string]any {
	var api *souk.APIError
	var response *souk.ResponseError
	var connection *souk.ConnectionError
	var callback *souk.CallbackError
	var processing *souk.TradeStillProcessingError
	var interrupted *souk.AppendInterruptedError
	failed := func(fields map[string]any) map[string]any {
		fields["message"], fields["type"] = err.Error(), fmt.Sprintf("%T", err)
		return map[string]any{"error": fields}
	}
	switch {
	case err == nil:
		return map[string]any{"result": result}
	case errors.As(err, &interrupted):
		return failed(map[string]any{"kind": "interrupted", "appended": interrupted.Appended})
	case errors.As(err, &processing):
		return failed(map[string]any{"kind": "processing", "trade": processing.Trade})
	case errors.As(err, &api):
		return failed(map[string]any{"kind": "api", "status": api.Status, "code": api.Code})
	case errors.As(err, &response):
		return failed(map[string]any{"kind": "response", "path": response.Path})
	case errors.As(err, &connection):
		return failed(map[string]any{"kind": "connection", "notSent": connection.NotSent})
	case errors.As(err, &callback):
		return failed(map[string]any{"kind": "callback", "code": callback.Reason})
	}
	panic(err)
}

type waiting struct {
	TradeNo string
	// Timeout is in seconds; two minutes if it is zero.
	Timeout int
}

func waitForTrade(client *souk.Client) func(context.Context, waiting) (souk.TradeDetail, error) {
	return func(ctx context.Context, params waiting) (souk.TradeDetail, error) {
		timeout := 2 * time.Minute
		if params.Timeout != 0 {
			timeout = time.Duration(params.Timeout) * time.Second
		}
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		return client.WaitForTrade(ctx, params.TradeNo)
	}
}

type upload struct {
	Name    string
	Content []byte
}

func fileUpload(client *souk.Client) func(context.Context, upload) (souk.UploadedFile, error) {
	return func(ctx context.Context, file upload) (souk.UploadedFile, error) {
		return client.FileUpload(ctx, file.Name, file.Content)
	}
}

type appending struct {
	DatasetID string
	Records   []souk.Record
	// Broken says that a record follows which is not JSON.
	Broken bool
}

func appendTo(platform *souk.Platform) func(context.Context, appending) (int64, error) {
	return func(ctx context.Context, params appending) (int64, error) {
		if params.Broken {
			params.Records = append(params.Records, souk.Record{"title": func() {}})
		}
		return platform.Append(ctx, params.DatasetID, params.Records)
	}
}

func export(platform *souk.Platform) func(context.Context, souk.ExportRecordsParams) (string, error) {
	return func(ctx context.Context, params souk.ExportRecordsParams) (string, error) {
		stream, err := platform.ExportRecords(ctx, params)
		if err != nil {
			return "", err
		}
		defer stream.Close()
		exported, err := io.ReadAll(stream)
		return string(exported), err
	}
}

type received struct {
	Body    string
	Headers map[string]string
}

func verifier[E any](verify func([]byte, http.Header) (E, error)) func(context.Context, received) (E, error) {
	return func(_ context.Context, callback received) (E, error) {
		header := http.Header{}
		for name, value := range callback.Headers {
			header.Set(name, value)
		}
		return verify([]byte(callback.Body), header)
	}
}
