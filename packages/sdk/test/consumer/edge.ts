import { Souk } from '@souk/sdk'

const souk = new Souk({ baseUrl: 'https://souk.example', appid: 'aaaaaaaaaaaaaaa', secret: 'secret' })

export default { fetch: souk.callbacks.web((payment) => void payment.amount.toFixed()) }
