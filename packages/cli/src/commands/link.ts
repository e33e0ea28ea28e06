import { appidPattern, isLocalLink, miniAppLink } from '@souk/contract'
import type { Platform } from '@souk/pages'
import { type Command, InvalidArgumentError, Option } from 'commander'
import encodeQR from 'qr'
import type { AddCommand, Session } from '../session.ts'
import { platformOption } from './arguments.ts'
import { chooseRelease } from './reviews.ts'

/** What a link opens. */
export interface LinkOptions {
  appid: string
  version?: string
  platform?: Platform
  stage?: 'development' | 'review'
  page?: string
}

const localLink = `A phone cannot open localhost. For phones in your network, start Souk with HOST=0.0.0.0 and SOUK_PUBLIC_URL,
and set SOUK_URL to that address.
`

/** `souk link`: a link that opens a mini app in the host application, with its QR code. */
export function addLinkCommand(program: Command, add: AddCommand): void {
  add<[], LinkOptions>(program, {
    usage: 'link',
    examples: [
      'link --appid demoapp00000001',
      'link --appid demoapp00000001 --stage development',
      'link --appid demoapp00000001 --version 1.4.0 --page "pages/menu/menu?table=3" --json',
    ],
    options: withLinkOptions,
    action: async (session, options) => {
      const link = await linkOf(session, options)
      session.print({ link }, () => drawLink(link))
      if (!session.json) warnOfLocalLink(session, link)
    },
  })
}

/** Adds the options that choose what a link opens. */
export const withLinkOptions = (command: Command): Command =>
  command
    .requiredOption('--appid <appid>', 'the mini app', parseAppid)
    .option('--version <version>', 'open this version, which only testers may do before it is published')
    .addOption(platformOption())
    .addOption(
      new Option('--stage <stage>', 'always open the newest release of this stage')
        .choices(['development', 'review'])
        .conflicts('version'),
    )
    .option('--page <path>', 'open this page, with its query')

/** Checks an appid: links are made without a server. */
function parseAppid(text: string): string {
  if (!appidPattern.test(text)) throw new InvalidArgumentError('List mini apps: souk app list')
  return text
}

/** Returns the link that opens a mini app, and offers its inspection if there is a code for it. */
export async function linkOf(
  session: Session,
  { appid, version, platform, stage, page }: LinkOptions,
  inspect?: string,
): Promise<string> {
  const { releaseId } =
    version === undefined ? {} : await chooseRelease(session, { appid, version, ...(platform && { platform }) })
  return miniAppLink(new URL(await session.environment.serverUrl()).origin, {
    appid,
    ...(page && { page }),
    ...(releaseId && { releaseId }),
    ...(stage && { stage }),
    ...(inspect && { inspect }),
  })
}

/** Returns a link with its QR code, for a terminal. */
export const drawLink = (link: string): string => `${encodeQR(link, 'ascii', { border: 2, ecc: 'low' })}\n${link}`

export function warnOfLocalLink({ environment }: Session, link: string): void {
  if (isLocalLink(link)) environment.err(localLink)
}
