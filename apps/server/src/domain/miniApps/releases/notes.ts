import {
  type consoleOperations,
  type hostOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import { isAvailable } from '../../app.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { normalized, primary } from './languageTags.ts'
import { findOpenRelease } from './store.ts'

type Operation = typeof hostOperations.getReleaseNote

/** A release note and the tag of its language, as uploaded. */
interface ReleaseNote {
  language: string
  note: string
}

/**
 * Returns the note of a release in the language that the user prefers, in the default language of the mini app, or in
 * any.
 * @throws SoukError `release_not_found`, also for a release that the user may not open
 */
export async function getReleaseNote(
  context: Context,
  { uid }: HostUserCaller,
  { appid, releaseId, language }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const [app, release] = await Promise.all([
    context.apps.find(appid),
    findOpenRelease(context.sql, uid, { appid, releaseId }),
  ])
  if (!app || !isAvailable(app) || !release) throw new SoukError('release_not_found')
  const preferred = [...(language === undefined ? [] : [language]), app.defaultLanguage]
  return chooseNote(release.notes, preferred) ?? { language: null, note: null }
}

/** Returns the notes by language, and the one in the default language of the mini app, or else any. */
export async function notesOf(
  context: Context,
  { appid, note, notes = {} }: Pick<ParametersOf<typeof consoleOperations.uploadRelease>, 'appid' | 'note' | 'notes'>,
): Promise<{ note: string | null; notes: Record<string, string> }> {
  const { defaultLanguage = 'en_US' } = (await context.apps.find(appid)) ?? {}
  const all = { ...notes, ...(note !== undefined && { [defaultLanguage]: note }) }
  return { note: chooseNote(all, [defaultLanguage])?.note ?? null, notes: all }
}

/**
 * Returns the note in the first of `languages` that there is one in: with the same tag, or else with the same primary
 * language. Without one, returns the first note by tag.
 */
function chooseNote(notes: Readonly<Record<string, string>>, languages: readonly string[]): ReleaseNote | undefined {
  const all = Object.entries(notes)
    .map(([language, note]) => ({ language, note }))
    .sort((one, other) => (one.language < other.language ? -1 : 1))
  for (const wanted of languages) {
    const found =
      all.find(({ language }) => normalized(language) === normalized(wanted)) ??
      all.find(({ language }) => primary(language) === primary(wanted))
    if (found) return found
  }
  return all[0]
}
