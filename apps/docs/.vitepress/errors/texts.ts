import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { errorHelp } from '../../../../packages/contract/src/errorHelp.ts'
import type { ErrorCode } from '../../../../packages/contract/src/errors.ts'
import type { ErrorListTexts, ErrorPageTexts } from '../../../../packages/contract/src/reference.ts'
import { sources } from '../sidebar.ts'
import { ar } from './ar.ts'
import { zh } from './zh.ts'

/** The errors in another language: cause, what to do, and when the example is refused. */
export type ErrorTexts = Readonly<Record<ErrorCode, { cause: string; fix: string; when?: string }>>

const translatedErrors = { zh, ar } as const
export type ErrorLanguage = keyof typeof translatedErrors

type Labels = ErrorPageTexts['labels']

const labels: Record<ErrorLanguage, Labels> = {
  zh: {
    message: (msg, status) => `消息原文：\`${msg}\`。HTTP 状态码 ${status}。`,
    cause: '原因',
    fix: '如何处理',
    guide: (page) => `[相关指南](${page})。`,
    example: '示例',
    refused: '被拒绝：',
    refusedIf: (when) => `在以下情况被拒绝：${when}。`,
    accepted: (first) => (first ? `以下操作之后会被接受：${first}。` : '其他情况会被接受。'),
    right: '正确：',
    response: '响应',
    inOpenApi: '在开放接口中：',
    inOthers: '在其他接口中：',
    where: '出现在哪里',
    nowhere: '不出现在操作中：出现在终端里，或在请求到达操作之前。',
    more: (count) => `以及另外 ${count} 个操作`,
  },
  ar: {
    message: (msg, status) => `نص الرسالة: \`${msg}\`. حالة HTTP هي ${status}.`,
    cause: 'السبب',
    fix: 'ما العمل',
    guide: (page) => `[الدليل المتصل بالموضوع](${page}).`,
    example: 'مثال',
    refused: 'مرفوض:',
    refusedIf: (when) => `يُرفض إذا تحقق ما يلي: ${when}.`,
    accepted: (first) => (first ? `ويُقبل بعد: ${first}.` : 'ويُقبل فيما عدا ذلك.'),
    right: 'صحيح:',
    response: 'الاستجابة',
    inOpenApi: 'في الواجهة المفتوحة:',
    inOthers: 'في الواجهات الأخرى:',
    where: 'أين يحدث',
    nowhere: 'لا يحدث في العمليات: يحدث في الطرفية، أو قبل أن يصل الطلب إلى عملية.',
    more: (count) => `و${count} عملية أخرى`,
  },
}

/** What the list of errors says besides. */
export const errorLists: Record<ErrorLanguage, ErrorListTexts> = {
  zh: {
    title: '错误',
    start: '每个错误都有固定的错误代码、HTTP 状态码，以及消息开头的一句话。消息和操作的名称为英文。',
    message: labels.zh.message,
    byMany: '许多操作都会返回。',
    byNone: '没有操作会返回。',
    by: (operations) => `返回它的操作：${operations}。`,
    space: '',
  },
  ar: {
    title: 'الأخطاء',
    start: 'لكل خطأ رمز ثابت وحالة HTTP وجملة تبدأ بها رسالته. والرسائل وأسماء العمليات بالإنجليزية.',
    message: labels.ar.message,
    byMany: 'تعيده عمليات كثيرة.',
    byNone: 'لا تعيده أي عملية.',
    // The list is in English, and so are its symbols.
    by: (operations) => `تعيده العمليات: \u2066${operations}\u2069.`,
    space: ' ',
  },
}

/** Returns what the page of an error says in a language. It leads to a translated guide, if there is one. */
export function errorTextsIn(language: ErrorLanguage, code: ErrorCode): ErrorPageTexts {
  const { guide } = errorHelp[code]
  const translation = `${language}/${guide.split('#')[0]}`
  return {
    labels: labels[language],
    ...translatedErrors[language][code],
    guide: existsSync(join(sources, translation)) ? translation : guide,
  }
}
