// A backend of a mini app with net/http.
package main

import (
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	"souk.dev/souk"
)

// shop answers requests of the pages of a mini app.
type shop struct {
	client *souk.Client
	url    string
	// received has statuses of trades and refunds that callbacks have brought. In a real shop, it is a table with a
	// unique NotifyID.
	received sync.Map
}

// values is a body of JSON.
type values map[string]interface{}

type order struct {
	ID, OpenID, Text string
	Cents            int64
}

func main() {
	client, err := souk.New(souk.Options{
		BaseURL: os.Getenv("SOUK_URL"),
		AppID:   os.Getenv("SOUK_APPID"),
		Secret:  os.Getenv("SOUK_SECRET"),
	})
	if err != nil {
		log.Fatal(err)
	}
	s := &shop{client: client, url: os.Getenv("SHOP_URL")}

	http.Handle("/souk/payments", client.Callbacks.Handler(func(payment souk.PaymentEvent) error {
		s.received.Store(payment.TradeNo, payment.TransactionStatus)
		return nil
	}))
	http.Handle("/souk/refunds", client.Callbacks.RefundHandler(func(refund souk.RefundEvent) error {
		s.received.Store(refund.RefundNo, refund.RefundStatus)
		return nil
	}))
	http.Handle("/sign-in", handler(s.signIn))
	http.Handle("/orders", handler(s.createOrder))
	http.Handle("/orders/", handler(s.order))
	http.Handle("/refunds/", handler(s.showRefund))
	http.Handle("/messages", handler(s.sendMessage))
	http.Handle("/deliveries", handler(s.showDelivery))
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}

// signIn is called after the page has called neu.login().
func (s *shop) signIn(r *http.Request) (values, error) {
	var body struct{ Code string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	token, err := s.client.AccessToken(r.Context(), souk.AccessTokenParams{Code: body.Code})
	if err != nil {
		return nil, err
	}
	user, err := s.client.UserInfo(r.Context(), token.AccessToken)
	if err != nil {
		return nil, err
	}
	return values{"openId": user.OpenID, "nickName": user.NickName}, nil
}

// createOrder returns the tradeNo with which the page calls neu.requestPayment().
func (s *shop) createOrder(r *http.Request) (values, error) {
	var body order
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	trade, err := s.client.Trade(r.Context(), souk.TradeParams{
		OutTradeNo: body.ID,
		NotifyURL:  s.url + "/souk/payments",
		Amount:     body.Cents,
		Currency:   "SAR",
		OpenID:     body.OpenID,
	})
	if err != nil {
		return nil, err
	}
	return values{"tradeNo": trade.TradeNo}, nil
}

// order handles /orders/{tradeNo}, /orders/{tradeNo}/close and /orders/{tradeNo}/refunds.
func (s *shop) order(r *http.Request) (values, error) {
	tradeNo, action, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/orders/"), "/")
	switch action {
	case "":
		trade, err := s.client.Tradedetail(r.Context(), tradeNo)
		if err != nil {
			return nil, err
		}
		received, _ := s.received.Load(trade.TradeNo)
		return values{"status": trade.TransactionStatus, "received": received}, nil
	case "close":
		closed, err := s.client.Tradeclose(r.Context(), tradeNo)
		if err != nil {
			return nil, err
		}
		return values{"closed": closed}, nil
	case "refunds":
		var body order
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			return nil, err
		}
		refund, err := s.client.Refund(r.Context(), souk.RefundParams{
			TradeNo:     tradeNo,
			OutRefundNo: body.ID,
			Amount:      body.Cents,
			NotifyURL:   s.url + "/souk/refunds",
		})
		if err != nil {
			return nil, err
		}
		return values{"refundNo": refund.RefundNo}, nil
	default:
		return nil, errors.New("no such path")
	}
}

func (s *shop) showRefund(r *http.Request) (values, error) {
	refund, err := s.client.Refunddetail(r.Context(), strings.TrimPrefix(r.URL.Path, "/refunds/"))
	if err != nil {
		return nil, err
	}
	received, _ := s.received.Load(refund.RefundNo)
	return values{"status": refund.RefundStatus, "received": received}, nil
}

func (s *shop) sendMessage(r *http.Request) (values, error) {
	var body order
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	sent, err := s.client.SendNotify(r.Context(), souk.SendNotifyParams{
		OpenIDs:      []string{body.OpenID},
		Title:        "Your order",
		Text:         body.Text,
		NavigateType: "1",
		Language:     "en_US",
	})
	if err != nil {
		return nil, err
	}
	return values{"sent": sent}, nil
}

func (s *shop) showDelivery(r *http.Request) (values, error) {
	var body order
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	picture, err := os.ReadFile("icon.png")
	if err != nil {
		return nil, err
	}
	icon, err := s.client.FileUpload(r.Context(), "icon.png", picture)
	if err != nil {
		return nil, err
	}
	shown, err := s.client.SendActivity(r.Context(), souk.SendActivityParams{
		ActivityID:   body.ID,
		OpenIDs:      []string{body.OpenID},
		Color:        "FF8800",
		TemplateID:   "delivery",
		Title:        "On its way",
		Text:         body.Text,
		IconURL:      icon.URL,
		Status:       1,
		ValidityTime: 600,
		Language:     "en_US",
	})
	if err != nil {
		return nil, err
	}
	return values{"shown": shown}, nil
}

// handler answers with JSON, and with the status and code of errors of Souk.
type handler func(*http.Request) (values, error)

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := h(r)
	status := http.StatusOK
	if err != nil {
		log.Print(err)
		status, body = http.StatusInternalServerError, values{"error": "internal"}
		var refusal *souk.APIError
		if errors.As(err, &refusal) {
			status, body = refusal.Status, values{"error": refusal.Code}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
