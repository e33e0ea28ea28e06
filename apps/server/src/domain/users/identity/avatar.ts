import { SoukError } from '@souk/contract'
import type { Context } from '../../context.ts'

/**
 * Returns the URL of a user's picture. Without one, it is a drawing of the first letter of the name, whose URL is the
 * same for all users with that letter, so that mini apps cannot recognize a user by it.
 */
export function avatarUrl(
  context: Pick<Context, 'settings'>,
  user: { nickName: string; avatar: string | null },
): string {
  return user.avatar ?? `${context.settings.publicUrl}/files/avatars/${user.nickName.codePointAt(0)!.toString(16)}.svg`
}

/** Returns a user with the URL of its picture. */
export function withAvatar<User extends { nickName: string; avatar: string | null }>(
  context: Pick<Context, 'settings'>,
  user: User,
): User & { avatar: string } {
  return { ...user, avatar: avatarUrl(context, user) }
}

/** Returns the SQL expression of {@link avatarUrl}. `user` names its columns. */
export function avatarSql(
  { publicUrl }: Pick<Context['settings'], 'publicUrl'>,
  user: { nickName: string; avatar: string },
): string {
  const folder = `'${publicUrl.replaceAll("'", "''")}/files/avatars/'`
  return `coalesce(${user.avatar}, ${folder} || to_hex(ascii(${user.nickName})) || '.svg')`
}

/** Characters that are visible without others and valid in XML. */
const drawable = /^[\p{L}\p{N}\p{S}\p{P}]$/u

/** Draws a code point in hexadecimal, as SVG. @throws SoukError `file_not_found` */
export function drawAvatar(hex: string): string {
  const codePoint = /^[0-9a-f]{1,6}$/.test(hex) ? Number.parseInt(hex, 16) : Number.POSITIVE_INFINITY
  if (codePoint > 0x10ffff) throw new SoukError('file_not_found')
  const [letter = ''] = String.fromCodePoint(codePoint).toUpperCase()
  const text = drawable.test(letter) ? `&#${letter.codePointAt(0)};` : '?'
  // The golden angle gives neighboring letters different colors.
  const hue = Math.round((codePoint * 137.5) % 360)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue},40%,38%)"/><text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif" font-size="44" text-anchor="middle" dominant-baseline="central">${text}</text></svg>`
}
