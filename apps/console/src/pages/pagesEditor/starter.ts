/** Example for mini apps without an uploaded release. */
export const starter = `{
  "pages": [
    // The first page is the start page.
    { "path": "pages/index/index", "style": { "navigationBarTitleText": "Home" } },
    {
      "path": "pages/orders/orders",
      "style": { "navigationBarTitleText": "Orders", "enablePullDownRefresh": true }
    },
    { "path": "pages/order/order", "style": { "navigationBarTitleText": "Order" } }
  ],
  "globalStyle": {
    "navigationBarBackgroundColor": "#0B6B63",
    "navigationBarTextStyle": "white",
    "backgroundColor": "#FAF7F2"
  },
  "tabBar": {
    "color": "#5C554B",
    "selectedColor": "#0B6B63",
    "backgroundColor": "#FFFFFF",
    "list": [
      { "pagePath": "pages/index/index", "text": "Home" },
      { "pagePath": "pages/orders/orders", "text": "Orders" }
    ]
  }
}
`
