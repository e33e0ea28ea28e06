package souk

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

const appID = "a1b2c3d4e5f6g7h"

func readVectors(t *testing.T, name string, into any) {
	t.Helper()
	content, err := os.ReadFile("../../packages/contract/vectors/" + name)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(content)))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
}

func TestSignVectors(t *testing.T) {
	var file struct {
		Vectors []struct {
			Name, Secret, Canonical, Sign string
			Parameters                    [][2]any
		}
	}
	readVectors(t, "sign.json", &file)
	for _, vector := range file.Vectors {
		t.Run(vector.Name, func(t *testing.T) {
			parameters := values{}
			for _, pair := range vector.Parameters {
				value := pair[1]
				if list, ok := value.([]any); ok {
					texts := []string{}
					for _, item := range list {
						texts = append(texts, text(item))
					}
					value = texts
				}
				parameters[pair[0].(string)] = value
			}
			if got := CanonicalString(parameters.texts(), vector.Secret); got != vector.Canonical {
				t.Errorf("canonical string\n got %s\nwant %s", got, vector.Canonical)
			}
			if got := Sign(parameters.texts(), vector.Secret); got != vector.Sign {
				t.Errorf("sign %s, want %s", got, vector.Sign)
			}
		})
	}
}

func TestFormEncodesWhatOtherEncodingsLeave(t *testing.T) {
	got := encodeForm(values{"a": "b c+d~/", "e": nil, "f": []string{"1", "2"}}.texts())
	if want := "a=b%20c%2Bd~%2F&e=&f=1%2C2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

type callbackVector struct {
	Name, Secret, Body, Code string
	Now, Tolerance           int64
	OtherSecrets             []string
	Headers                  map[string]string
	Callback                 json.RawMessage
}

func (v callbackVector) verify() (PaymentEvent, error) {
	callbacks := NewCallbacks(appID, v.Secret).WithSecrets(v.OtherSecrets...)
	callbacks.now = func() time.Time { return time.UnixMilli(v.Now) }
	if v.Tolerance != 0 {
		callbacks = callbacks.WithTolerance(time.Duration(v.Tolerance) * time.Millisecond)
	}
	header := http.Header{}
	for name, value := range v.Headers {
		header.Set(name, value)
	}
	return callbacks.Verify([]byte(v.Body), header)
}

func TestCallbackVectors(t *testing.T) {
	var file struct{ Vectors, Refused, Settings []callbackVector }
	readVectors(t, "callback.json", &file)
	for _, vector := range file.Vectors {
		t.Run(vector.Name, func(t *testing.T) {
			got, err := vector.verify()
			if err != nil {
				t.Fatal(err)
			}
			var want PaymentEvent
			if err := json.Unmarshal(vector.Callback, &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	for _, vector := range file.Settings {
		t.Run(vector.Name, func(t *testing.T) {
			_, err := vector.verify()
			var refused *CallbackError
			errors.As(err, &refused)
			if (err == nil) != (vector.Code == "") || (err != nil && refused.Reason != vector.Code) {
				t.Errorf("got %v, want %s", err, vector.Code)
			}
		})
	}
	for _, vector := range file.Refused {
		t.Run(vector.Name, func(t *testing.T) {
			_, err := vector.verify()
			var refused *CallbackError
			if !errors.As(err, &refused) || refused.Reason != vector.Code {
				t.Errorf("got %v, want %s", err, vector.Code)
			}
		})
	}
}

func TestHeadersVouchForTheOtherActiveSecret(t *testing.T) {
	callbacks := NewCallbacks(appID, strings.Repeat("f", 48))
	body, header := callbacks.SignTestCallback(nil)
	other := strings.Replace(string(body), "sign=", "sign=0", 1)
	if _, err := callbacks.Verify([]byte(other), nil); err == nil {
		t.Error("a changed sign was accepted without headers")
	}
	header.Set("Webhook-Signature", "v1,AAAA "+webhookSignature(header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"), other, callbacks.secret.reveal()))
	if _, err := callbacks.Verify([]byte(other), header); err != nil {
		t.Error(err)
	}
}

func TestEachTestCallbackHasItsOwnNotifyID(t *testing.T) {
	callbacks := NewCallbacks(appID, strings.Repeat("f", 48))
	_, first := callbacks.SignTestCallback(nil)
	_, second := callbacks.SignTestCallback(nil)
	if first.Get("Webhook-Id") == second.Get("Webhook-Id") {
		t.Errorf("both have %s", first.Get("Webhook-Id"))
	}
}

func TestCallbacksNeedASecret(t *testing.T) {
	callbacks := NewCallbacks(appID, "")
	body, header := callbacks.SignTestCallback(nil)
	if event, err := callbacks.Verify(body, header); err == nil {
		t.Errorf("%+v was accepted without a secret", event)
	}
}

func TestStaleCallbackSaysIfTheClockIsBehind(t *testing.T) {
	callbacks := NewCallbacks(appID, strings.Repeat("f", 48))
	for side, ahead := range map[string]time.Duration{"before": -time.Hour, "after": time.Hour} {
		signedAt := time.Now().Add(ahead).UnixMilli()
		body, header := callbacks.SignTestCallback(func(event *PaymentEvent) { event.Timestamp = signedAt })
		_, err := callbacks.Verify(body, header)
		if want := "signed 3600 s " + side + " the current time"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestHandler(t *testing.T) {
	callbacks := NewCallbacks(appID, strings.Repeat("0", 48))
	var received []string
	handler := callbacks.Handler(func(event PaymentEvent) error {
		if event.OutTradeNo == "unknown" {
			return errors.New("no such order")
		}
		received = append(received, event.OutTradeNo)
		return nil
	})
	post := func(method string, body []byte, header http.Header) (int, string) {
		request := httptest.NewRequest(method, "/souk/callback", strings.NewReader(string(body)))
		request.Header = header
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		return recorder.Code, strings.TrimSpace(recorder.Body.String())
	}
	body, header := callbacks.SignTestCallback(func(event *PaymentEvent) { event.OutTradeNo = "order-1" })
	if status, text := post("POST", body, header); status != 200 || text != "success" || len(received) != 1 {
		t.Errorf("a payment got %d %s", status, text)
	}
	forged := []byte(strings.Replace(string(body), "amount=100", "amount=1", 1))
	if status, text := post("POST", forged, header); status != 400 || !strings.Contains(text, "sign_mismatch") {
		t.Errorf("a forgery got %d %s", status, text)
	}
	unknown, header := callbacks.SignTestCallback(func(event *PaymentEvent) { event.OutTradeNo = "unknown" })
	if status, text := post("POST", unknown, header); status != 500 || text != "fail" {
		t.Errorf("a failing handler got %d %s", status, text)
	}
	if status, _ := post("GET", nil, http.Header{}); status != 405 {
		t.Errorf("a GET got %d", status)
	}
}

func TestDelaysOfManyRetries(t *testing.T) {
	for attempt := 1; attempt <= 100; attempt++ {
		delay, ok := retryDelay(attempt, &ConnectionError{})
		if !ok || delay < 250*time.Millisecond || delay > 8*time.Second {
			t.Errorf("attempt %d: %v", attempt, delay)
		}
	}
}

func TestExportsTimeOutWhenTheServerIsSilent(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		if strings.Contains(request.URL.Path, "silent") {
			<-request.Context().Done()
			return
		}
		writer.Header().Set("Content-Type", "text/csv")
		writer.(http.Flusher).Flush()
		for n := 0; n < 4; n++ {
			time.Sleep(50 * time.Millisecond)
			_, _ = io.WriteString(writer, "a")
			writer.(http.Flusher).Flush()
		}
		if strings.Contains(request.URL.Path, "stalled") {
			<-request.Context().Done()
		}
	}))
	defer server.Close()
	retries := 0
	platform, err := NewPlatform(PlatformOptions{
		BaseURL: server.URL, APIKey: "key", Timeout: 100 * time.Millisecond, MaxRetries: &retries,
	})
	if err != nil {
		t.Fatal(err)
	}
	export := func(datasetID string) (io.ReadCloser, error) {
		return platform.ExportRecords(context.Background(), ExportRecordsParams{DatasetID: datasetID})
	}
	var failure *ConnectionError
	if _, err := export("silent"); !errors.As(err, &failure) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a silent server: %v", err)
	}
	read := func(datasetID string) (string, error) {
		stream, err := export(datasetID)
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Close()
		body, err := io.ReadAll(stream)
		return string(body), err
	}
	if body, err := read("slow"); body != "aaaa" || err != nil {
		t.Errorf("a slow export: %q, %v", body, err)
	}
	if body, err := read("stalled"); body != "aaaa" || !errors.As(err, &failure) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a stalled export: %q, %v", body, err)
	}
}

func TestKeysThatCannotBeSentAreRefused(t *testing.T) {
	for _, options := range []PlatformOptions{{APIKey: "souk_a\nsouk_b"}, {Token: "souk_…"}, {APIKey: "souk_a "}} {
		options.BaseURL = "http://localhost:7070"
		platform, err := NewPlatform(options)
		if platform != nil || err == nil || strings.Contains(err.Error(), "souk_") {
			t.Errorf("%+v: %v", options, err)
		}
	}
}

func TestTimestampsFollowAClockThatWasSetBack(t *testing.T) {
	stamps := newTimestamps()
	now := time.Now().UnixMilli()
	start := now - stamps.offset
	got := []int64{
		stamps.next(appID, now+time.Hour.Milliseconds()) - start,
		stamps.next(appID, now) - start,
		stamps.next(appID, now) - start,
		stamps.next("other", now) - start,
		stamps.next(appID, now) - start,
	}
	if want := []int64{time.Hour.Milliseconds(), 0, 1, 0, 2}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestInvalidOptions(t *testing.T) {
	valid := Options{BaseURL: "http://localhost:7070", AppID: appID, Secret: strings.Repeat("0", 48)}
	for _, change := range []func(*Options){
		func(o *Options) { o.BaseURL = "localhost:7070" },
		func(o *Options) { o.BaseURL += "/neuopenapi" },
		func(o *Options) { o.AppID = "" },
		func(o *Options) { o.Secret += "\n" },
	} {
		options := valid
		change(&options)
		if _, err := New(options); err == nil {
			t.Errorf("%+v was accepted", options)
		}
	}
	if _, err := New(valid); err != nil {
		t.Error(err)
	}
	withPassword := valid
	for _, url := range []string{
		"http://user:hidden@a/neuopenapi", "ftp://user:hidden@a", "http://user:hid/den@a", "http://user:hid%zz@a",
	} {
		withPassword.BaseURL = url
		if _, err := New(withPassword); err == nil || strings.Contains(err.Error(), "hid") {
			t.Errorf("a BaseURL with a password: %v", err)
		}
	}
}
