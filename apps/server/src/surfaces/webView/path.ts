/** Path of the page around web views, with the address to show as `url` in the query. */
export const webViewPath = '/web-view'
