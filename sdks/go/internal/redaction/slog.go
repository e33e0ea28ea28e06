//go:build go1.21

package main

import (
	"bytes"
	"log/slog"
	"reflect"
)

func init() {
	otherWays = func(value any) map[string]string {
		// A pointer to the value, since slog does not look into interfaces.
		if found, ok := value.(*any); ok {
			pointer := reflect.New(reflect.TypeOf(*found))
			pointer.Elem().Set(reflect.ValueOf(*found))
			value = pointer.Interface()
		}
		var inJSON, inText bytes.Buffer
		for _, handler := range []slog.Handler{slog.NewJSONHandler(&inJSON, nil), slog.NewTextHandler(&inText, nil)} {
			slog.New(handler).Info("shown", "value", value, slog.Group("group", "value", value))
		}
		return map[string]string{"slog JSON": inJSON.String(), "slog text": inText.String()}
	}
}
