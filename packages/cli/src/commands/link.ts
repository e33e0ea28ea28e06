import { isLocalLink, miniAppLink } from '@souk/contract'
import type { Platform } from '@souk/pages'
import { type Command, Option } from 'commander'
import encodeQR from 'qr'
import type { AddCommand } from '../session.ts'
import { platformOption } from './arguments.ts'
import { chooseRelease } from './reviews.ts'

interface Options {
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
  add<[], Options>(program, {
    usage: 'link',
    examples: [
      'link --appid demoapp00000001',
      'link --appid demoapp00000001 --stage development',
      'link --appid demoapp00000001 --version 1.4.0 --page "pages/menu/menu?table=3" --json',
    ],
    options: (command) =>
      command
        .requiredOption('--appid <appid>', 'the mini app')
        .option('--version <version>', 'open this version, which only testers may do before it is published')
        .addOption(platformOption())
        .addOption(
          new Option('--stage <stage>', 'always open the newest release of this stage')
            .choices(['development', 'review'])
            .conflicts('version'),
        )
        .option('--page <path>', 'open this page, with its query'),
    action: async (session, { appid, version, platform, stage, page }) => {
      const { releaseId } =
        version === undefined ? {} : await chooseRelease(session, { appid, version, ...(platform && { platform }) })
      const link = miniAppLink(new URL(await session.environment.serverUrl()).origin, {
        appid,
        ...(page && { page }),
        ...(releaseId && { releaseId }),
        ...(stage && { stage }),
      })
      session.print({ link }, () => `${encodeQR(link, 'ascii', { border: 2, ecc: 'low' })}\n${link}`)
      if (!session.json && isLocalLink(link)) session.environment.err(localLink)
    },
  })
}
