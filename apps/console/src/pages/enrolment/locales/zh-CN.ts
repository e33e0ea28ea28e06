import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '添加第二因素',
  lead: '此系统要求第二因素，仅有密码不够。添加后即可继续。',
  passkey: '添加通行密钥',
  totp: '添加验证器应用',
  help: '通行密钥是此设备或其他设备的指纹、面容、PIN 或安全密钥。',
} satisfies Texts<typeof en>
