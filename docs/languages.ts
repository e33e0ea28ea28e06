/** Letters of the languages of the pages, in which titles and alternative texts are written. */
export const scripts: Record<string, RegExp> = {
  zh: /\p{Script=Han}/u,
  ar: /\p{Script=Arabic}/u,
  en: /^[\p{ASCII}]+$/u,
}
