package souk

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// largestInteger is the largest integer that every client reads exactly.
const largestInteger = 1<<53 - 1

// decode reads JSON data. All clients follow the same rule (ADR 327): integers are exact, only what may be null can be
// missing, unknown fields are dropped, and unknown values of enumerations are kept.
func (op operation) decode(body []byte, result any) error {
	return decoder{op.name}.read(body, reflect.ValueOf(result).Elem(), "")
}

// decoder decodes the result of an operation.
type decoder struct{ operation string }

// read sets target to the JSON data at path. raw is nil if the field is missing.
func (d decoder) read(raw json.RawMessage, target reflect.Value, path string) error {
	raw = bytes.TrimSpace(raw)
	isNull := len(raw) == 0 || raw[0] == 'n'
	switch target.Kind() {
	case reflect.Pointer:
		if isNull {
			target.Set(reflect.Zero(target.Type()))
			return nil
		}
		target.Set(reflect.New(target.Type().Elem()))
		return d.read(raw, target.Elem(), path)
	case reflect.Interface:
		if isNull {
			return nil
		}
		return json.Unmarshal(raw, target.Addr().Interface())
	case reflect.String:
		if isNull || raw[0] != '"' {
			return d.refuse(raw, path, "a text")
		}
		return json.Unmarshal(raw, target.Addr().Interface())
	case reflect.Bool:
		if isNull || raw[0] != 't' && raw[0] != 'f' {
			return d.refuse(raw, path, "a boolean")
		}
		target.SetBool(raw[0] == 't')
	case reflect.Int64:
		number, isNumber := numberOf(raw)
		if !isNumber || math.Abs(number) > largestInteger || number != math.Trunc(number) {
			return d.refuse(raw, path, "an integer")
		}
		target.SetInt(int64(number))
	case reflect.Float64:
		number, isNumber := numberOf(raw)
		if !isNumber || math.IsInf(number, 0) {
			return d.refuse(raw, path, "a number")
		}
		target.SetFloat(number)
	case reflect.Slice:
		return d.readList(raw, target, path)
	case reflect.Map:
		if isNull || raw[0] != '{' {
			return d.refuse(raw, path, "an object")
		}
		return json.Unmarshal(raw, target.Addr().Interface())
	default:
		return d.readObject(raw, target, path)
	}
	return nil
}

func (d decoder) readList(raw json.RawMessage, target reflect.Value, path string) error {
	var items []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &items) != nil {
		return d.refuse(raw, path, "a list")
	}
	target.Set(reflect.MakeSlice(target.Type(), len(items), len(items)))
	for n, item := range items {
		if err := d.read(item, target.Index(n), path+"["+strconv.Itoa(n)+"]"); err != nil {
			return err
		}
	}
	return nil
}

func (d decoder) readObject(raw json.RawMessage, target reflect.Value, path string) error {
	var fields map[string]json.RawMessage
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &fields) != nil {
		return d.refuse(raw, path, "an object")
	}
	for n := 0; n < target.NumField(); n++ {
		name, _, _ := strings.Cut(target.Type().Field(n).Tag.Get("json"), ",")
		inner := name
		if path != "" {
			inner = path + "." + name
		}
		if err := d.read(fields[name], target.Field(n), inner); err != nil {
			return err
		}
	}
	return nil
}

func numberOf(raw json.RawMessage) (float64, bool) {
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	number, err := strconv.ParseFloat(string(raw), 64)
	return number, err == nil || math.IsInf(number, 0)
}

func (d decoder) refuse(raw json.RawMessage, path, expected string) error {
	if path == "" {
		path = "the result"
	}
	return &ResponseError{d.operation, path, "must be " + expected + ", but is " + describe(raw, expected)}
}

// describe describes a value without showing it: it can be personal data.
func describe(raw json.RawMessage, expected string) string {
	if len(raw) == 0 {
		return "missing"
	}
	switch raw[0] {
	case 'n':
		return "null"
	case '"':
		return "a text"
	case 't', 'f':
		return "a boolean"
	case '[':
		return "a list"
	case '{':
		return "an object"
	}
	if expected != "an integer" {
		return "a number"
	}
	if number, _ := numberOf(raw); math.Abs(number) > largestInteger {
		return "too large"
	}
	return "fractional"
}
