// The program prints every public object and every error in every way that Go has, for the tests of all clients. The
// variable REDACTION has the settings as JSON. Each line of the output is a JSON object.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"

	"souk.dev/souk"
)

type settings struct {
	Marker, AppID, TradeNo string
	Number                 int64
	Secrets                map[string]string
	URLs                   map[string]string
	InvalidURLs            []string
	Timeouts               map[string]float64
	Models                 map[string][]string
	Callbacks              []string
}

var (
	ctx   = context.Background()
	given settings
)

// otherWays returns a value as packages of newer versions of Go print it, by their names.
var otherWays = func(value any) map[string]string { return nil }

var verbs = []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t", "%10v", "%.3v"}

func show(about string, value any) {
	texts := map[string]string{"Sprint": fmt.Sprint(value), "Sprintln": fmt.Sprintln(value)}
	for _, verb := range verbs {
		texts[verb] = fmt.Sprintf(verb, value)
		texts["nested "+verb] = fmt.Sprintf(verb, []any{value}) + fmt.Sprintf(verb, struct{ Value any }{value})
	}
	for way, text := range otherWays(value) {
		texts[way] = text
	}
	texts["hexadecimal"] = decoded(texts["%x"])
	if isConfiguration(value) {
		encoded, err := json.Marshal(value)
		texts["JSON"] = fmt.Sprint(string(encoded), err)
	}
	if err, ok := value.(error); ok {
		for err = errors.Unwrap(err); err != nil; err = errors.Unwrap(err) {
			for _, verb := range verbs {
				texts["chain"] += fmt.Sprintf(verb, err) + "\n"
			}
		}
	}
	name := reflect.Indirect(reflect.ValueOf(value)).Type().Name()
	name, _, _ = strings.Cut(name, "[")
	line, err := json.Marshal(map[string]any{"about": about, "type": name, "texts": texts})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

// decoded returns a text without the hexadecimal notation of %x.
func decoded(text string) string {
	var result []byte
	_, _ = fmt.Sscanf(text, "%x", &result)
	return string(result)
}

// isConfiguration returns whether JSON hides secrets, too. Results and parameters are data, which programs store.
func isConfiguration(value any) bool {
	switch value.(type) {
	case souk.Options, souk.PlatformOptions, *souk.Client, *souk.Platform, souk.Callbacks, error:
		return true
	}
	return false
}

func attempt(about string, err error) {
	if err != nil {
		show(about, err)
	}
}

func callAll(name, url string) {
	timeout := 20 * time.Second
	if seconds := given.Timeouts[name]; seconds != 0 {
		timeout = time.Duration(seconds * float64(time.Second))
	}
	none := 0
	options := souk.Options{
		BaseURL: url, AppID: given.AppID, Secret: given.Secrets["secret"], Timeout: timeout, MaxRetries: &none,
		CallbackSecrets: []string{given.Secrets["secret"]},
	}
	show("options "+name, options)
	show("options "+name, &options)
	client, err := souk.New(options)
	attempt("New "+name, err)
	if err == nil {
		show("client "+name, client)
		_, err = client.AccessToken(ctx, souk.AccessTokenParams{Code: given.Secrets["code"]})
		attempt("accessToken "+name, err)
		_, err = client.UserInfo(ctx, given.Secrets["accessToken"])
		attempt("userInfo "+name, err)
		_, err = client.Tradedetail(ctx, given.TradeNo)
		attempt("tradedetail "+name, err)
		_, err = client.Tradeclose(ctx, given.TradeNo)
		attempt("tradeclose "+name, err)
		_, err = client.FileUpload(ctx, "a.png", []byte("12345678"))
		attempt("fileUpload "+name, err)
	}
	if client != nil && name == "busy" {
		soon, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		_, err = client.WaitForTrade(soon, given.TradeNo)
		cancel()
		attempt("waitForTrade "+name, err)
	}
	for _, options := range []souk.PlatformOptions{
		{BaseURL: url, APIKey: given.Secrets["apiKey"], Timeout: timeout, MaxRetries: &none},
		{BaseURL: url, Token: given.Secrets["token"], Timeout: timeout, MaxRetries: &none},
	} {
		show("platform options "+name, options)
		platform, err := souk.NewPlatform(options)
		attempt("NewPlatform "+name, err)
		if err != nil {
			continue
		}
		show("platform "+name, platform)
		_, err = platform.WhoAmI(ctx)
		attempt("whoAmI "+name, err)
		records := make([]souk.Record, 1001)
		for i := range records {
			records[i] = souk.Record{"title": "tea"}
		}
		_, err = platform.Append(ctx, "d", records)
		attempt("append "+name, err)
		stream, err := platform.ExportRecords(ctx, souk.ExportRecordsParams{DatasetID: "d"})
		attempt("export "+name, err)
		if err == nil {
			_, err = io.ReadAll(stream)
			attempt("export "+name, err)
			stream.Close()
		}
	}
}

// filled returns a model whose secret fields are marked.
func filled(model any) any {
	value := reflect.New(reflect.TypeOf(model)).Elem()
	fill(value, false)
	return value.Interface()
}

// fill sets a value and what is in it, with markers if it is secret.
func fill(value reflect.Value, isSecret bool) {
	text, number := "text", int64(1)
	if isSecret {
		text, number = given.Marker+"text", given.Number
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(text)
	case reflect.Int64:
		value.SetInt(number)
	case reflect.Float64:
		value.SetFloat(float64(number))
	case reflect.Interface:
		value.Set(reflect.ValueOf(text))
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem(), isSecret)
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		fill(value.Index(0), isSecret)
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		value.SetMapIndex(reflect.ValueOf("name"), reflect.ValueOf(text))
	case reflect.Struct:
		secrets := map[string]bool{}
		for _, name := range given.Models[value.Type().Name()] {
			secrets[name] = true
		}
		for i := 0; i < value.NumField(); i++ {
			name, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
			fill(value.Field(i), isSecret || secrets[name])
		}
	}
}

func main() {
	if err := json.Unmarshal([]byte(os.Getenv("REDACTION")), &given); err != nil {
		panic(err)
	}
	for name, url := range given.URLs {
		callAll(name, url)
	}
	for i, url := range given.InvalidURLs {
		callAll(fmt.Sprintf("invalid %d", i), url)
	}
	for _, wrong := range []string{given.Secrets["secret"] + "\n", " " + given.Secrets["secret"]} {
		_, err := souk.New(souk.Options{BaseURL: "http://localhost", AppID: given.AppID, Secret: wrong})
		attempt("New secret", err)
		_, err = souk.NewPlatform(souk.PlatformOptions{BaseURL: "http://localhost", APIKey: wrong})
		attempt("NewPlatform APIKey", err)
		_, err = souk.NewPlatform(souk.PlatformOptions{BaseURL: "http://localhost", Token: wrong})
		attempt("NewPlatform Token", err)
	}
	callbacks := souk.NewCallbacks(given.AppID, given.Secrets["secret"]).WithSecrets(given.Secrets["secret"])
	show("callbacks", callbacks)
	show("callbacks", &callbacks)
	for _, body := range given.Callbacks {
		_, err := callbacks.Verify([]byte(body), nil)
		attempt("callback "+body, err)
	}
	for _, model := range models {
		value := filled(model)
		show("model", value)
		show("model", &value)
	}
	page := souk.Page[souk.AccessToken]{Items: []souk.AccessToken{filled(souk.AccessToken{}).(souk.AccessToken)}}
	show("page", page)
	show("attempt", souk.Attempt{Operation: "trade"})
	show("attempt result", souk.AttemptResult{Status: 200})
	show("call options", souk.CallOptions{Timeout: time.Second})
	show("not delivered", souk.NotDelivered{Count: 1, Reasons: map[string]int{"off": 1}, Operation: "sendNotify"})
}
