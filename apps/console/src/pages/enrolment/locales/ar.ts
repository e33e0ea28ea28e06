import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'إضافة عامل ثانٍ',
  lead: 'يتطلب هذا النظام عاملًا ثانيًا، فكلمة المرور وحدها لا تكفي. بعد ذلك يمكنك المتابعة.',
  passkey: 'إضافة مفتاح مرور',
  totp: 'إضافة تطبيق مصادقة',
  help: 'مفتاح المرور هو بصمة أو وجه أو رمز PIN أو مفتاح أمان لهذا الجهاز أو لجهاز آخر.',
} satisfies Texts<typeof en>
