package souk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
)

// values are the parameters of a request by their names on the wire.
type values map[string]any

func (v values) set(name string, value any) {
	v[name] = value
}

func (v values) setUnlessZero(name string, value any) {
	switch value := value.(type) {
	case string:
		if value == "" {
			return
		}
	case int64:
		if value == 0 {
			return
		}
	case []string:
		if len(value) == 0 {
			return
		}
	}
	v[name] = value
}

// text returns a parameter as it is sent and signed (open-api §4.1): lists are joined with commas.
func text(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case int64:
		return strconv.FormatInt(value, 10)
	case []string:
		return strings.Join(value, ",")
	}
	return fmt.Sprint(value)
}

// texts returns all parameters as they are sent.
func (v values) texts() map[string]string {
	result := make(map[string]string, len(v))
	for name, value := range v {
		result[name] = text(value)
	}
	return result
}

// CanonicalString returns the string whose SHA-256 is the sign (open-api §4.1).
func CanonicalString(parameters map[string]string, secret string) string {
	names := []string{"secret"}
	for name := range parameters {
		if name != "sign" && name != "fileData" && name != "secret" {
			names = append(names, name)
		}
	}
	sort.Slice(names, func(i, j int) bool { return lessByCodeUnit(names[i], names[j]) })
	var result strings.Builder
	for _, name := range names {
		value := parameters[name]
		if name == "secret" {
			value = secret
		}
		result.WriteString(name + "=" + value)
	}
	return result.String()
}

// Sign returns the sign of a request or a callback: 64 lowercase hexadecimal digits.
func Sign(parameters map[string]string, secret string) string {
	canonical := strings.ToValidUTF8(CanonicalString(parameters, secret), "\uFFFD")
	digest := sha256.Sum256([]byte(canonical))
	return hex.EncodeToString(digest[:])
}

// lessByCodeUnit compares by UTF-16 code units, in which characters beyond U+FFFF come before U+E000.
func lessByCodeUnit(a, b string) bool {
	left, right := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := 0; i < len(left) && i < len(right); i++ {
		if left[i] != right[i] {
			return left[i] < right[i]
		}
	}
	return len(left) < len(right)
}

// encodeForm encodes parameters for a query string or an urlencoded body; a space is %20.
func encodeForm(parameters map[string]string) string {
	pairs := make([]string, 0, len(parameters))
	for name, value := range parameters {
		pairs = append(pairs, escape(name)+"="+escape(value))
	}
	sort.Strings(pairs)
	return strings.Join(pairs, "&")
}

func escape(value string) string {
	return strings.ReplaceAll(url.QueryEscape(strings.ToValidUTF8(value, "\uFFFD")), "+", "%20")
}
