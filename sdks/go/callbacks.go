package souk

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// callbackWindow is the default of the largest difference between a callback's timestamp and this machine's clock.
const callbackWindow = 5 * time.Minute

// maxCallback is the largest body in bytes; a callback has about 600.
const maxCallback = 64 << 10

// Callbacks verifies the results of payments (open-api §6) and refunds of a mini app.
type Callbacks struct {
	appID string
	// secret signs test callbacks.
	secret secret
	// others verify callbacks, too.
	others    []secret
	tolerance time.Duration
	now       func() time.Time
}

// NewCallbacks returns what verifies the callbacks of a mini app without a [Client]. Without a secret it accepts none.
func NewCallbacks(appID, secret string) Callbacks {
	return Callbacks{appID: appID, secret: newSecret(secret), tolerance: callbackWindow, now: time.Now}
}

// WithSecrets returns a copy that also accepts callbacks signed with other secrets, such as the previous one during a
// rotation.
func (c Callbacks) WithSecrets(others ...string) Callbacks {
	all := append([]secret{}, c.others...)
	for _, other := range others {
		all = append(all, newSecret(other))
	}
	c.others = all
	return c
}

// WithTolerance returns a copy with another maximum age of callbacks than 5 minutes, in either direction of the clock.
func (c Callbacks) WithTolerance(tolerance time.Duration) Callbacks {
	c.tolerance = tolerance
	return c
}

// secrets returns all secrets that verify callbacks.
func (c Callbacks) secrets() []secret {
	return append([]secret{c.secret}, c.others...)
}

// Verify returns the result if Souk sent it for this mini app, unchanged, within the last 5 minutes, or the
// tolerance. body is the raw
// body as it arrived; during a secret rotation, header allows verification with either secret, and may be nil.
// The error is a [*CallbackError], except for a missing secret.
func (c Callbacks) Verify(body []byte, header http.Header) (PaymentEvent, error) {
	return verify(c, body, header, func(event PaymentEvent) int64 { return event.Timestamp })
}

// VerifyRefund returns the result of a refund, verified like that of a payment.
func (c Callbacks) VerifyRefund(body []byte, header http.Header) (RefundEvent, error) {
	return verify(c, body, header, func(event RefundEvent) int64 { return event.Timestamp })
}

func verify[E any](c Callbacks, body []byte, header http.Header, timestampOf func(E) int64) (E, error) {
	var none E
	// Anyone can sign with an empty secret.
	for _, secret := range c.secrets() {
		if err := requireText("Secret", secret.reveal()); err != nil {
			return none, err
		}
	}
	fields, err := parseForm(body)
	if err != nil {
		return none, err
	}
	if fields["sign"] == "" {
		return none, &CallbackError{"callback_malformed", "the body has no sign"}
	}
	if !c.signed(fields) && !c.vouchedBy(header, body) {
		return none, c.mismatch(fields)
	}
	event, err := eventOf[E](fields)
	if err != nil {
		return none, err
	}
	// In milliseconds, of which every difference fits; Time.Sub is limited to 292 years.
	skew, side := c.now().UnixMilli()-timestampOf(event), "before"
	if skew < 0 {
		skew, side = -skew, "after"
	}
	if skew > c.tolerance.Milliseconds() {
		return none, &CallbackError{"callback_stale", fmt.Sprintf(
			"the callback was signed %d s %s the current time of this machine; more than %g s means a replayed body or a wrong clock",
			(skew+500)/1000, side, c.tolerance.Seconds())}
	}
	return event, nil
}

// Handler returns a handler of net/http that verifies callbacks and hands them to handle. It answers 200 after handle
// has returned nil, 400 if the verification fails, and 500 if handle returns an error, after which Souk sends the
// callback again.
func (c Callbacks) Handler(handle func(PaymentEvent) error) http.Handler {
	return handler(c.Verify, handle)
}

// RefundHandler returns a handler of net/http for the results of refunds, like [Callbacks.Handler].
func (c Callbacks) RefundHandler(handle func(RefundEvent) error) http.Handler {
	return handler(c.VerifyRefund, handle)
}

func handler[E any](verify func([]byte, http.Header) (E, error), handle func(E) error) http.Handler {
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodPost {
			http.Error(writer, "Callbacks must be sent with POST.", http.StatusMethodNotAllowed)
			return
		}
		err := receive(request, verify, handle)
		var refused *CallbackError
		switch {
		case err == nil:
			_, _ = io.WriteString(writer, "success")
			return
		case errors.As(err, &refused):
			// Souk stores the response, so the developer sees the reason in the list of callbacks.
			http.Error(writer, err.Error(), http.StatusBadRequest)
		default:
			http.Error(writer, "fail", http.StatusInternalServerError)
		}
		log.Printf("souk: callback not acknowledged: %v", err)
	})
}

func receive[E any](
	request *http.Request, verify func([]byte, http.Header) (E, error), handle func(E) error,
) error {
	body, err := io.ReadAll(io.LimitReader(request.Body, maxCallback+1))
	if err != nil {
		return err
	}
	event, err := verify(body, request.Header)
	if err != nil {
		return err
	}
	return handle(event)
}

// SignTestCallback returns body and header of a callback signed with this secret, to test your own handler. Fields
// that change does not set are those of a succeeded trade. Each callback has its own NotifyID, since handlers process a
// NotifyID once.
func (c Callbacks) SignTestCallback(change func(*PaymentEvent)) ([]byte, http.Header) {
	now := c.now()
	payType, payMethod, payNo := PayTypeCardProcessorA, PayMethodCard, "test-payment"
	event := PaymentEvent{
		NotifyID:          newID(),
		NotifyTime:        now.UnixMilli(),
		Appid:             c.appID,
		MerchantID:        "1123456789abcdef0123456789abcdef",
		TradeNo:           "2123456789abcdef0123456789abcdef",
		OutTradeNo:        "test-order",
		TransactionStatus: TransactionStatusSucceeded,
		FailReasonType:    -1,
		Amount:            100,
		Currency:          "SAR",
		OpenID:            "3123456789abcdef0123456789abcdef",
		PayType:           &payType,
		PayMethod:         &payMethod,
		PayNo:             &payNo,
		Timestamp:         now.UnixMilli(),
	}
	if change != nil {
		change(&event)
	}
	return signTest(c, &event, event.NotifyID, now)
}

// SignTestRefund returns body and header of the callback of a refund, like [Callbacks.SignTestCallback].
func (c Callbacks) SignTestRefund(change func(*RefundEvent)) ([]byte, http.Header) {
	now := c.now()
	event := RefundEvent{
		NotifyID:     newID(),
		NotifyTime:   now.UnixMilli(),
		Appid:        c.appID,
		MerchantID:   "1123456789abcdef0123456789abcdef",
		TradeNo:      "2123456789abcdef0123456789abcdef",
		OutTradeNo:   "test-order",
		RefundNo:     "4123456789abcdef0123456789abcdef",
		OutRefundNo:  "test-refund",
		RefundStatus: RefundStatusSucceeded,
		Amount:       100,
		Currency:     "SAR",
		OpenID:       "3123456789abcdef0123456789abcdef",
		Timestamp:    now.UnixMilli(),
	}
	if change != nil {
		change(&event)
	}
	return signTest(c, &event, event.NotifyID, now)
}

func signTest[E any](c Callbacks, event *E, notifyID string, now time.Time) ([]byte, http.Header) {
	fields := map[string]string{}
	eachField(event, func(name string, field reflect.Value) {
		if field.Kind() == reflect.Pointer && field.IsNil() {
			fields[name] = ""
			return
		}
		fields[name] = text(reflect.Indirect(field).Interface())
	})
	fields["sign"] = Sign(fields, c.secret.reveal())
	body := encodeForm(fields)
	timestamp := strconv.FormatInt(now.Unix(), 10)
	header := http.Header{}
	header.Set("Content-Type", "application/x-www-form-urlencoded")
	header.Set("Webhook-Id", notifyID)
	header.Set("Webhook-Timestamp", timestamp)
	header.Set("Webhook-Signature", webhookSignature(notifyID, timestamp, body, c.secret.reveal()))
	return []byte(body), header
}

// signed returns whether one of the secrets yields the sign.
func (c Callbacks) signed(fields map[string]string) bool {
	found := false
	for _, secret := range c.secrets() {
		found = equal(fields["sign"], Sign(fields, secret.reveal())) || found
	}
	return found
}

// vouchedBy returns whether the Standard Webhooks headers contain a signature with one of the secrets.
func (c Callbacks) vouchedBy(header http.Header, body []byte) bool {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	signatures := header.Get("Webhook-Signature")
	if id == "" || timestamp == "" || signatures == "" {
		return false
	}
	found := false
	for _, secret := range c.secrets() {
		expected := webhookSignature(id, timestamp, string(body), secret.reveal())
		for _, signature := range strings.Split(signatures, " ") {
			found = equal(signature, expected) || found
		}
	}
	return found
}

func (c Callbacks) mismatch(fields map[string]string) error {
	if fields["appid"] != c.appID {
		return &CallbackError{"other_app", "it is not for " + c.appID +
			"; use a separate notifyUrl per mini app, or select the client by the appid in the body"}
	}
	return &CallbackError{"sign_mismatch", "the secret does not yield the sign; either it belongs to another app, " +
		"or the body was changed in transit: verify the raw body as it arrived"}
}

func parseForm(body []byte) (map[string]string, error) {
	malformed := func(explanation string) error { return &CallbackError{"callback_malformed", explanation} }
	if len(body) == 0 {
		return nil, &CallbackError{"body_missing", "there is no body; it may have been read already: hand over the raw body"}
	}
	if len(body) > maxCallback {
		return nil, malformed("the body is larger than a callback")
	}
	if strings.HasPrefix(strings.TrimSpace(string(body)), "{") {
		return nil, malformed("the body is JSON; pass the raw body as it arrived, which is form-encoded")
	}
	fields := map[string]string{}
	for _, pair := range strings.Split(string(body), "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil {
			return nil, malformed("the body is not a form: a % is not followed by two hexadecimal digits")
		}
		value, err := url.QueryUnescape(rawValue)
		if err != nil || !utf8.ValidString(name) || !utf8.ValidString(value) {
			return nil, malformed("the body is not a form in UTF-8")
		}
		if _, repeated := fields[name]; repeated {
			return nil, malformed("a field is repeated")
		}
		fields[name] = value
	}
	return fields, nil
}

func eventOf[E any](fields map[string]string) (E, error) {
	var event E
	var failure error
	eachField(&event, func(name string, field reflect.Value) {
		value, present := fields[name]
		nullable := field.Kind() == reflect.Pointer
		switch {
		case failure != nil || (present && value == "" && nullable):
			return
		case value == "":
			failure = &CallbackError{"callback_malformed", name + " is missing"}
			return
		case nullable:
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		if field.Kind() == reflect.String {
			field.SetString(value)
			return
		}
		number, err := strconv.ParseInt(value, 10, 64)
		if err != nil || len(value) > 17 || value[0] == '+' {
			failure = &CallbackError{"callback_malformed", name + " is not an integer"}
			return
		}
		field.SetInt(number)
	})
	return event, failure
}

// eachField calls visit with the fields of an event and their names on the wire.
func eachField[E any](event *E, visit func(name string, field reflect.Value)) {
	value := reflect.ValueOf(event).Elem()
	for i := 0; i < value.NumField(); i++ {
		visit(value.Type().Field(i).Tag.Get("json"), value.Field(i))
	}
}

// webhookSignature returns the signature of Standard Webhooks; its key is the secret's bytes.
func webhookSignature(id, timestamp, body, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(mac, id+"."+timestamp+"."+body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func equal(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}
