package souk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// hidden is shown instead of a secret.
const hidden = "******"

// shortestSecret is the length of the shortest value that is masked. Shorter ones are no secrets of Souk, and masking
// them would garble texts.
const shortestSecret = 8

// secret is a value that package fmt does not print: it prints the address of a pointer in a struct, and calls no
// methods of unexported fields.
type secret struct{ text *string }

func newSecret(text string) secret { return secret{&text} }

func (s secret) reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// redaction masks what a request kept secret, in case something between client and Souk repeats it.
type redaction struct{ secrets func() []string }

// redactionOf returns the redaction of a request from the client's credentials and the parameters of its operation
// that are never logged.
func redactionOf(op operation, parameters map[string]string, credentials secret) redaction {
	secrets := []string{credentials.reveal()}
	for _, name := range op.secrets {
		secrets = append(secrets, parameters[name])
	}
	// Longest first, because one secret may contain another.
	sort.Slice(secrets, func(i, j int) bool { return len(secrets[i]) > len(secrets[j]) })
	return redaction{func() []string { return secrets }}
}

// text returns a text with the secrets masked, also percent-encoded ones, and with its URLs as shownURL returns them.
func (r redaction) text(text string) string {
	for _, secret := range r.secrets() {
		if len(secret) >= shortestSecret {
			pattern, err := anyNotation(secret)
			if err != nil {
				return hidden // The secret is too long for a pattern.
			}
			text = pattern.ReplaceAllLiteralString(text, hidden)
		}
	}
	return urlInText.ReplaceAllStringFunc(text, shownURL)
}

// anyNotation returns a pattern for a text in which each character may be percent-encoded, also repeatedly.
func anyNotation(text string) (*regexp.Regexp, error) {
	var pattern strings.Builder
	pattern.WriteString("(?i)")
	for _, character := range text {
		pattern.WriteString("(?:" + regexp.QuoteMeta(string(character)) + "|")
		for _, octet := range []byte(string(character)) {
			fmt.Fprintf(&pattern, "%%(?:25)*%02x", octet)
		}
		if character == ' ' {
			pattern.WriteString(`|\+`)
		}
		pattern.WriteString(")")
	}
	return regexp.Compile(pattern.String())
}

// data returns JSON data with the secrets masked in all texts.
func (r redaction) data(value any) any {
	switch value := value.(type) {
	case string:
		return r.text(value)
	case []any:
		for i := range value {
			value[i] = r.data(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = r.data(value[name])
		}
	}
	return value
}

// cause returns an error, or one with the redacted text if it contains a secret.
func (r redaction) cause(err error) error {
	if text := r.text(err.Error()); text != err.Error() {
		return &redactedError{text, func() error { return err }}
	}
	return err
}

// redactedError is an error whose text is redacted. It has no Unwrap, which would return the text.
type redactedError struct {
	text string
	err  func() error
}

func (e *redactedError) Error() string        { return e.text }
func (e *redactedError) Is(target error) bool { return errors.Is(e.err(), target) }
func (e *redactedError) As(target any) bool   { return errors.As(e.err(), target) }

var urlInText = regexp.MustCompile(`(?i)[a-z]{2,10}://[^\s"'<>]*`)

var validURL = regexp.MustCompile(
	`(?is)^(https?:)?//(?:[^/?#\\@]*@)?([^/?#\\@:\s\[\]]+|\[[0-9a-f:.]+\])(:\d{1,5})?(/[^?#\\@]*)?(?:[?#].*)?$`)

// shownURL returns a URL without user name, password, query and fragment, to show it in an error.
func shownURL(url string) string {
	if parts := validURL.FindStringSubmatch(url); parts != nil {
		return parts[1] + "//" + parts[2] + parts[3] + parts[4]
	}
	// Not a valid URL. A password may contain the characters that end it.
	shown := url
	if end := strings.IndexAny(url, "?#"); end >= 0 {
		if strings.Contains(url[end:], "@") {
			return "…"
		}
		shown = url[:end]
	}
	if at := strings.LastIndex(shown, "@"); at >= 0 {
		return "…" + shown[at:]
	}
	return shown
}

// hide returns what is shown instead of a value.
func hide(value string) string {
	if value == "" {
		return ""
	}
	return hidden
}

// printPlain prints a value whose secrets are hidden, for its method Format. plain is the value as a type without
// methods, named plain, and name the name of its type.
func printPlain(state fmt.State, verb rune, name string, plain any) {
	format := "%"
	for _, flag := range "+-# 0" {
		if state.Flag(int(flag)) {
			format += string(flag)
		}
	}
	if width, ok := state.Width(); ok {
		format += strconv.Itoa(width)
	}
	if precision, ok := state.Precision(); ok {
		format += "." + strconv.Itoa(precision)
	}
	text := fmt.Sprintf(format+string(verb), plain)
	_, _ = io.WriteString(state, strings.ReplaceAll(text, "souk.plain", "souk."+name))
}

// Format hides the secret from package fmt.
func (o Options) Format(state fmt.State, verb rune) {
	type plain Options
	printPlain(state, verb, "Options", plain(o.shown()))
}

// MarshalJSON hides the secret from loggers that write JSON.
func (o Options) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"BaseURL": o.shown().BaseURL, "AppID": o.AppID, "Secret": hide(o.Secret)})
}

func (o Options) shown() Options {
	o.BaseURL, o.Secret = shownURL(o.BaseURL), hide(o.Secret)
	others := []string{}
	for _, other := range o.CallbackSecrets {
		others = append(others, hide(other))
	}
	o.CallbackSecrets = others
	return o
}

// Format hides the key and the token from package fmt.
func (o PlatformOptions) Format(state fmt.State, verb rune) {
	type plain PlatformOptions
	printPlain(state, verb, "PlatformOptions", plain(o.shown()))
}

// MarshalJSON hides the key and the token from loggers that write JSON.
func (o PlatformOptions) MarshalJSON() ([]byte, error) {
	shown := o.shown()
	return json.Marshal(map[string]any{"BaseURL": shown.BaseURL, "APIKey": shown.APIKey, "Token": shown.Token})
}

func (o PlatformOptions) shown() PlatformOptions {
	o.BaseURL, o.APIKey, o.Token = shownURL(o.BaseURL), hide(o.APIKey), hide(o.Token)
	return o
}

// Format prints the address and the mini app, without the secret.
func (c *Client) Format(state fmt.State, _ rune) {
	if c == nil {
		_, _ = io.WriteString(state, "<nil>")
		return
	}
	fmt.Fprintf(state, "souk.Client{BaseURL: %q, AppID: %q}", shownURL(c.transport.baseURL.reveal()), c.appID)
}

// Format prints the address, without the key or token.
func (c *Platform) Format(state fmt.State, _ rune) {
	if c == nil {
		_, _ = io.WriteString(state, "<nil>")
		return
	}
	fmt.Fprintf(state, "souk.Platform{BaseURL: %q}", shownURL(c.transport.baseURL.reveal()))
}

// Format prints the mini app, without the secret.
func (c Callbacks) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "souk.Callbacks{AppID: %q}", c.appID)
}
