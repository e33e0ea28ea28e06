// Generated from the table of functions by `npm run generate`.
export const oneWordNames = /^(?:authorize|login|login2|report|request|share|vibrate)$/
export const taskNames = /^(?:request|uploadFile|downloadFile|connectSocket)$/
