// Package souk is a client of Souk's open API, for backends of mini apps, and of its platform data API.
//
// [Client] signs requests, repeats them where that is safe, and verifies callbacks:
//
//	client, err := souk.New(souk.Options{BaseURL: "http://localhost:7070", AppID: appid, Secret: secret})
//	trade, err := client.Trade(ctx, souk.TradeParams{OutTradeNo: "order-1", Amount: 1250, …})
//
// [Platform] reads and writes datasets with the permissions of an account.
package souk
