import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowSetup } from '../../src/domain/console/index.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let administrator: ConsoleUser
let projectId: string

beforeAll(async () => {
  souk = await startTestSouk()
})
afterAll(() => souk.stop())

const setUpBy = (token: string, username = 'ada') =>
  souk.raw('POST', '/console/v1/setup', {}, { token, username, name: 'Ada', password: 'a long enough one' })

describe('setup link', () => {
  const token = `souk_setup_${'x'.repeat(40)}`

  test('only a printed link creates the first administrator', async () => {
    expect((await souk.raw('GET', '/console/v1/setup', {})).body).toMatchObject({ open: true, environment: 'sandbox' })
    expect(await setUpBy(token)).toMatchObject({ status: 409, body: { code: 'setup_closed' } })
  })

  test('the first administrator cannot have a password that is easy to guess', async () => {
    await allowSetup(souk.context, token)
    const input = { token, username: 'ada', name: 'Ada', password: 'password1234' }
    const answer = await souk.raw('POST', '/console/v1/setup', {}, input)
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'password_weak', data: { weakness: 'similarToCommon' } },
    })
  })

  test('only one of two concurrent uses creates the administrator, and all links become invalid', async () => {
    const tokens = [token, `souk_setup_${'y'.repeat(40)}`]
    for (const each of tokens) expect(await allowSetup(souk.context, each)).toBe(true)
    const answers = await Promise.all(tokens.map((each, index) => setUpBy(each, `ada${index}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await souk.raw('GET', '/console/v1/setup', {})).body.open).toBe(false)
    for (const each of tokens) expect((await setUpBy(each, 'eve')).body.code).toBe('setup_closed')
    expect(await allowSetup(souk.context, token)).toBe(false)

    const begun = answers.find(({ status }) => status === 200)!
    expect(begun.body).toMatchObject({ account: { name: 'Ada', administrator: true }, environment: 'sandbox' })
    expect(begun.headers.getSetCookie()[0]).toMatch(
      /^souk_session=souk_session_[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    administrator = await souk.signIn({ username: begun.body.account.username, password: 'a long enough one' })
    projectId = (await administrator.call('POST', '/console/v1/projects', { name: 'Coffee' })).body.projectId
  })
})

describe('sessions', () => {
  test('user names are case-insensitive; a wrong name and a wrong password get the same response', async () => {
    const user = await souk.join(projectId, 'viewer')
    expect((await souk.signIn({ ...user, username: user.username.toUpperCase() })).accountId).toBe(user.accountId)
    const attempt = (username: string) =>
      souk.raw('POST', '/console/v1/session', {}, { username, password: 'not the password' })
    const [wrongPassword, wrongName] = [await attempt(user.username), await attempt('nobody-at-all')]
    expect(wrongPassword).toMatchObject({ status: 401, body: { code: 'sign_in_failed' } })
    const { requestId: _, ...said } = wrongPassword.body
    expect(wrongName.body).toMatchObject(said)
  })

  test('others cannot lock an account out of a browser that it has signed in from', async () => {
    const { username, password } = await souk.join(projectId, 'viewer')
    const signIn = (secret: string, cookie?: string) => {
      const headers: Record<string, string> = cookie === undefined ? {} : { Cookie: cookie }
      return souk.raw('POST', '/console/v1/session', headers, { username, password: secret })
    }
    const device = (await signIn(password)).headers.getSetCookie()[1]!
    expect(device).toMatch(
      /^souk_device=[\w-]{22}\.\d+\.[\w-]{43}; Max-Age=34560000; Path=\/console\/v1; HttpOnly; SameSite=Strict$/,
    )
    for (let guess = 0; guess < 6; guess++) await signIn('a guess at it')
    expect((await signIn(password)).body.code).toBe('rate_limited')
    expect((await signIn(password, device.split(';')[0])).status).toBe(200)
    // The cookie does not authenticate.
    expect((await souk.raw('GET', '/console/v1/session', { Cookie: device })).status).toBe(401)
  })

  test('warns once of a proxy that is not trusted', async () => {
    const warnings = () => souk.logged.filter((line) => line.includes('SOUK_TRUST_PROXY'))
    await souk.raw('GET', '/console/v1/setup', {})
    expect(warnings()).toHaveLength(0)
    for (const header of ['X-Forwarded-For', 'Forwarded']) {
      await souk.raw('GET', '/console/v1/setup', { [header]: '192.0.2.1' })
    }
    expect(warnings()).toHaveLength(1)
    expect(JSON.parse(warnings()[0]!)).toMatchObject({ level: 40, header: 'x-forwarded-for' })
  })

  test('signing out ends only this session', async () => {
    const user = await souk.join(projectId, 'viewer')
    const other = await souk.signIn(user)
    expect((await user.call('GET', '/console/v1/session')).body).toMatchObject({
      account: { accountId: user.accountId, administrator: false },
      csrfToken: user.csrf,
    })
    const signedOut = await user.call('DELETE', '/console/v1/session')
    expect(signedOut.headers.get('set-cookie')).toMatch(/^souk_session=;/)
    expect(await user.call('GET', '/console/v1/session')).toMatchObject({
      status: 401,
      body: { code: 'session_invalid' },
    })
    expect((await other.call('GET', '/console/v1/session')).status).toBe(200)
  })

  test('writes require the CSRF token of the session, reads do not', async () => {
    const user = await souk.join(projectId, 'viewer')
    const other = await souk.signIn(user)
    const change = (headers: Record<string, string>) =>
      souk.raw('PATCH', '/console/v1/profile', { Cookie: user.cookie, ...headers }, { name: 'New' })
    for (const headers of [{}, { 'X-Souk-CSRF': 'x' }, { 'X-Souk-CSRF': other.csrf }] as Record<string, string>[]) {
      expect(await change(headers)).toMatchObject({ status: 403, body: { code: 'csrf_invalid' } })
    }
    expect((await change({ 'X-Souk-CSRF': user.csrf })).body.name).toBe('New')
    expect((await souk.raw('GET', '/console/v1/session', { Cookie: user.cookie })).status).toBe(200)
  })

  test('another site can neither write nor sign anyone in', async () => {
    const user = await souk.join(projectId, 'viewer')
    const own = new URL(souk.url).origin
    const proven = { Cookie: user.cookie, 'X-Souk-CSRF': user.csrf }
    const elsewhere: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ]
    for (const headers of elsewhere) {
      const change = await souk.raw('PATCH', '/console/v1/profile', { ...proven, ...headers }, { name: 'Evil' })
      expect(change.body.code).toBe('csrf_invalid')
      const { username, password } = user
      const signIn = await souk.raw('POST', '/console/v1/session', headers, { username, password })
      expect(signIn).toMatchObject({ status: 403, body: { code: 'csrf_invalid' } })
    }
    for (const headers of [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: own }, { Origin: 'http://souk.test' }]) {
      const change = await souk.raw('PATCH', '/console/v1/profile', { ...proven, ...headers }, { name: 'Me' })
      expect(change.status).toBe(200)
    }
  })

  test('a new password ends all other sessions and all tokens, but not this session', async () => {
    const user = await souk.join(projectId, 'viewer')
    const other = await souk.signIn(user)
    await other.call('POST', '/console/v1/tokens', {})
    const change = (current: string) =>
      user.call('POST', '/console/v1/profile/password', { current, password: 'another long one' })
    expect(await change('not the password')).toMatchObject({ status: 403, body: { code: 'password_wrong' } })
    expect((await change(user.password)).status).toBe(200)
    expect((await other.call('GET', '/console/v1/session')).status).toBe(401)
    expect((await user.call('GET', '/console/v1/session')).status).toBe(200)
    const [row] = await souk.context
      .sql`select count(*)::int as tokens from account_tokens where account_id = ${user.accountId}`
    expect(row!.tokens).toBe(0)
    await expect(souk.signIn(user)).rejects.toThrow('sign_in_failed')
    await souk.signIn({ ...user, password: 'another long one' })
  })

  test('stored passwords, sessions and tokens cannot be used to authenticate', async () => {
    const user = await souk.join(projectId, 'viewer')
    const { token } = (await user.call('POST', '/console/v1/tokens', {})).body
    const session = user.cookie.split('=')[1]!
    const tables = await souk.context.sql`
      select (select json_agg(a) from accounts a)::text || (select json_agg(s) from account_sessions s)::text ||
        (select json_agg(t) from account_tokens t)::text || (select json_agg(l) from audit_log l)::text as everything`
    for (const secret of [user.password, session, token]) {
      expect(tables[0]!.everything).not.toContain(secret)
      expect(tables[0]!.everything).not.toContain(Buffer.from(secret).toString('hex'))
    }
    expect(tables[0]!.everything).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  })

  test('setup, invitation, change and reset refuse a password that is easy to guess', async () => {
    const user = await souk.join(projectId, 'viewer')
    const weak = `${user.username}123`
    const invite = `/console/v1/projects/${projectId}/invitations`
    const { token: invitation } = (await souk.console('POST', invite, { role: 'viewer' })).body
    const reset = `/console/v1/accounts/${user.accountId}/password-reset`
    const { token: link } = (await souk.console('POST', reset, {})).body
    const guest = { username: user.username, name: 'Guest', password: weak }
    const refusals = [
      await user.call('POST', '/console/v1/profile/password', { current: user.password, password: weak }),
      await souk.raw('POST', '/console/v1/invitations/join', {}, { token: invitation, ...guest }),
      await souk.raw('POST', '/console/v1/password-resets/use', {}, { token: link, password: weak }),
    ]
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 400, body: { code: 'password_weak', data: { weakness: 'personal' } } })
    }
    await souk.signIn(user)
  })

  test('refuses a short password and a taken user name', async () => {
    const user = await souk.join(projectId, 'viewer')
    const path = `/console/v1/projects/${projectId}/invitations`
    const { token } = (await administrator.call('POST', path, { role: 'viewer' })).body
    const join = (input: object) =>
      souk.raw('POST', '/console/v1/invitations/join', {}, { token, name: 'X', password: 'long enough now', ...input })
    expect((await join({ username: 'short', password: 'short' })).body.code).toBe('parameter_invalid')
    expect((await join({ username: user.username.toUpperCase() })).body.code).toBe('username_taken')
    // The invitation stays valid after an error.
    expect((await join({ username: 'someone.else' })).status).toBe(200)
    expect((await join({ username: 'yet.another' })).body.code).toBe('invitation_not_found')
  })
})

describe('members', () => {
  test('an invitation is valid once, even for concurrent requests', async () => {
    const path = `/console/v1/projects/${projectId}/invitations`
    const { token, link, invitation } = (await administrator.call('POST', path, { role: 'editor', note: 'Sam' })).body
    expect(link).toBe(`http://souk.test/console/invitation#${token}`)
    expect((await administrator.call('GET', path)).body.items).toContainEqual(invitation)
    expect((await souk.raw('POST', '/console/v1/invitations/show', {}, { token })).body).toMatchObject({
      projectName: 'Coffee',
      role: 'editor',
    })
    const others = (await administrator.call('POST', '/console/v1/projects', { name: 'Others' })).body.projectId
    const users = await Promise.all([1, 2, 3].map(() => souk.join(others, 'owner')))
    const answers = await Promise.all(
      users.map((user) => user.call('POST', '/console/v1/invitations/accept', { token })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect((await souk.raw('POST', '/console/v1/invitations/show', {}, { token })).status).toBe(404)
  })

  test('an existing member does not consume the invitation', async () => {
    const user = await souk.join(projectId, 'viewer')
    const path = `/console/v1/projects/${projectId}/invitations`
    const { token } = (await administrator.call('POST', path, { role: 'owner' })).body
    const accept = await user.call('POST', '/console/v1/invitations/accept', { token })
    expect(accept).toMatchObject({ status: 409, body: { code: 'already_member' } })
    expect((await souk.raw('POST', '/console/v1/invitations/show', {}, { token })).status).toBe(200)
  })

  /** Reads all pages, of two rows each. */
  async function pagesOf<T>(path: string): Promise<T[]> {
    const found: T[] = []
    let cursor: string | undefined
    do {
      const { body } = await administrator.call('GET', `${path}?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      found.push(...body.items)
      cursor = body.next
    } while (cursor)
    return found
  }

  test('pages of members and invitations have each once, owners first, and members are searched', async () => {
    const paged = (await administrator.call('POST', '/console/v1/projects', { name: 'Paged' })).body.projectId
    const members = `/console/v1/projects/${paged}/members`
    const invitations = `/console/v1/projects/${paged}/invitations`
    const viewer = await souk.join(paged, 'viewer')
    const editor = await souk.join(paged, 'editor')
    const owner = await souk.join(paged, 'owner')
    const inOrder = [administrator, owner, editor, viewer].map(({ accountId }) => accountId)
    const idsOf = (rows: { accountId: string }[]) => rows.map(({ accountId }) => accountId)
    expect(idsOf(await pagesOf(members))).toEqual(inOrder)
    const search = async (query: string) => (await administrator.call('GET', `${members}?${query}`)).body
    const found = await search(`text=${editor.username.toUpperCase()}&total=true`)
    expect({ ...found, items: idsOf(found.items) }).toEqual({
      items: [editor.accountId],
      next: null,
      total: { count: 1, isCapped: false },
    })
    expect(idsOf((await search(`accountIds=${viewer.accountId},${owner.accountId}`)).items)).toEqual([
      owner.accountId,
      viewer.accountId,
    ])
    const ids = []
    for (const role of ['viewer', 'editor', 'owner']) {
      ids.push((await administrator.call('POST', invitations, { role })).body.invitation.invitationId)
    }
    const listed = await pagesOf<{ invitationId: string }>(invitations)
    expect(listed.map(({ invitationId }) => invitationId)).toEqual(ids.toReversed())
  })

  test('a project keeps an owner, even if all leave concurrently', async () => {
    const owned = (await administrator.call('POST', '/console/v1/projects', { name: 'Owned' })).body.projectId
    const owners = await Promise.all([souk.join(owned, 'owner'), souk.join(owned, 'owner')])
    await souk.console('DELETE', `/console/v1/projects/${owned}/members/${administrator.accountId}`)
    const left = await Promise.all(owners.map((user) => user.call('POST', `/console/v1/projects/${owned}/leave`, {})))
    expect(left.map(({ status }) => status).sort()).toEqual([200, 409])
    const { body } = await souk.console('GET', `/console/v1/projects/${owned}/members`)
    expect(body.items.map(({ role }: { role: string }) => role)).toEqual(['owner'])
    const demotion = await souk.console('PATCH', `/console/v1/projects/${owned}/members/${body.items[0].accountId}`, {
      role: 'viewer',
    })
    expect(demotion).toMatchObject({ status: 409, body: { code: 'last_owner' } })
  })

  test('role changes and removals take effect with the next request', async () => {
    const user = await souk.join(projectId, 'viewer')
    const member = `/console/v1/projects/${projectId}/members/${user.accountId}`
    const rename = () => user.call('PATCH', `/console/v1/projects/${projectId}`, { name: 'Coffee' })
    expect((await rename()).body.code).toBe('permission_denied')
    await administrator.call('PATCH', member, { role: 'owner' })
    expect((await rename()).status).toBe(200)
    await administrator.call('DELETE', member)
    expect((await rename()).body.code).toBe('permission_denied')
    expect((await user.call('GET', '/console/v1/projects')).body).toEqual([])
  })
})

describe('links and credentials of an account that loses its rights', () => {
  const losses = {
    'its removal': (owner: ConsoleUser) =>
      administrator.call('DELETE', `/console/v1/projects/${projectId}/members/${owner.accountId}`),
    'its demotion': (owner: ConsoleUser) =>
      administrator.call('PATCH', `/console/v1/projects/${projectId}/members/${owner.accountId}`, { role: 'viewer' }),
    'its leaving': (owner: ConsoleUser) => owner.call('POST', `/console/v1/projects/${projectId}/leave`, {}),
    'its disabling': (owner: ConsoleUser) => disable(administrator, owner.accountId),
  }
  /** The same changes without the verbs, which revoke invitations. */
  const silentLosses = {
    removed: (accountId: string) => souk.context.sql`delete from project_members where account_id = ${accountId}`,
    demoted: (accountId: string) =>
      souk.context.sql`update project_members set role = 'editor' where account_id = ${accountId}`,
    disabled: (accountId: string) =>
      souk.context.sql`update accounts set enabled = false where account_id = ${accountId}`,
  }
  const show = (token: string) => souk.raw('POST', '/console/v1/invitations/show', {}, { token })
  const lost = { status: 404, body: { code: 'invitation_not_found' } }
  const invite = async (owner: ConsoleUser) =>
    (await owner.call('POST', `/console/v1/projects/${projectId}/invitations`, { role: 'owner' })).body

  async function expectUnusable(token: string): Promise<void> {
    const accepting = await souk.join(
      (await souk.console('POST', '/console/v1/projects', { name: 'X' })).body.projectId,
      'viewer',
    )
    expect(await show(token)).toMatchObject(lost)
    expect(await accepting.call('POST', '/console/v1/invitations/accept', { token })).toMatchObject(lost)
    const joining = { token, username: `u${token.slice(-12)}`, name: 'X', password: 'long enough now' }
    expect(await souk.raw('POST', '/console/v1/invitations/join', {}, joining)).toMatchObject(lost)
  }

  test.each(Object.entries(losses))('an invitation ends for good with %s', async (_, lose) => {
    const owner = await souk.join(projectId, 'owner')
    const { token, invitation } = await invite(owner)
    expect((await show(token)).status).toBe(200)
    expect((await lose(owner)).status).toBe(200)
    await expectUnusable(token)
    const listed = (await administrator.call('GET', `/console/v1/projects/${projectId}/invitations`)).body.items
    expect(listed).not.toContainEqual(invitation)
    // Regaining the right does not revive it.
    await disable(administrator, owner.accountId, true)
    await souk.context.sql`
      insert into project_members (project_id, account_id, role, ctime)
      values (${projectId}, ${owner.accountId}, 'owner', 0)
      on conflict (project_id, account_id) do update set role = 'owner'`
    expect(await show(token)).toMatchObject(lost)
  })

  test.each(Object.entries(silentLosses))(
    'every use of an invitation checks that its maker is not %s',
    async (_, lose) => {
      const owner = await souk.join(projectId, 'owner')
      const { token, invitation } = await invite(owner)
      await lose(owner.accountId)
      await expectUnusable(token)
      const listed = (await administrator.call('GET', `/console/v1/projects/${projectId}/invitations`)).body.items
      expect(listed).not.toContainEqual(invitation)
    },
  )

  test.each(Object.entries(silentLosses))(
    'every use of a reset link, API key, token and session checks that the account is not %s',
    async (loss, lose) => {
      const owner = await souk.join(projectId, 'owner')
      const user = await souk.join(projectId, 'viewer')
      const reset = (await owner.call('POST', `/console/v1/accounts/${user.accountId}/password-reset`, {})).body
      const { key } = (await owner.call('POST', '/console/v1/api-key/show', {})).body
      const bearer = (await owner.call('POST', '/console/v1/tokens', {})).body.token
      await lose(owner.accountId)
      const use = { token: reset.token, password: 'a new password phrase' }
      expect((await souk.raw('POST', '/console/v1/password-resets/use', {}, use)).status).toBe(404)
      for (const headers of [{ 'X-API-Key': key }, { Authorization: `Bearer ${bearer}` }]) {
        const { body } = await souk.raw('GET', '/api/v1/projects', headers)
        const found = body.items?.find((project: { projectId: string }) => project.projectId === projectId)
        expect(found?.role).toBe(loss === 'demoted' ? 'editor' : undefined)
      }
      const renamed = await owner.call('PATCH', `/console/v1/projects/${projectId}`, { name: 'Coffee' })
      expect(renamed.status).toBe(loss === 'disabled' ? 401 : 403)
    },
  )
})

const disable = (caller: ConsoleUser | TestSouk, accountId: string, enabled = false) =>
  'call' in caller
    ? caller.call('PATCH', `/console/v1/accounts/${accountId}`, { enabled })
    : caller.console('PATCH', `/console/v1/accounts/${accountId}`, { enabled })

describe('password reset', () => {
  const makeLink = (caller: ConsoleUser, accountId: string) =>
    caller.call('POST', `/console/v1/accounts/${accountId}/password-reset`, {})
  const show = (token: string) => souk.raw('POST', '/console/v1/password-resets/show', {}, { token })
  const use = (token: string, password = 'a new password phrase') =>
    souk.raw('POST', '/console/v1/password-resets/use', {}, { token, password })
  const lost = { status: 404, body: { code: 'password_reset_not_found' } }

  test('a link works once and ends all sessions, tokens and the lockout, but not the API key', async () => {
    const user = await souk.join(projectId, 'editor')
    const { key } = (await user.call('POST', '/console/v1/api-key/show', {})).body
    const bearer = (await user.call('POST', '/console/v1/tokens', {})).body.token
    for (let guess = 0; guess < 7; guess++) {
      await souk.raw('POST', '/console/v1/session', {}, { username: user.username, password: 'a guess at it' })
    }
    await expect(souk.signIn(user)).rejects.toThrow('rate_limited')

    const made = (await makeLink(administrator, user.accountId)).body
    expect(made.link).toBe(`http://souk.test/console/password-reset#${made.token}`)
    expect((await show(made.token)).body).toEqual({
      username: user.username,
      name: user.username,
      validUntil: made.validUntil,
    })
    // Creating and reading the link changes nothing.
    expect((await user.call('GET', '/console/v1/session')).status).toBe(200)
    expect(await use(made.token, 'short')).toMatchObject({ body: { code: 'parameter_invalid' } })

    const used = await use(made.token)
    expect(used).toMatchObject({ status: 200, body: { account: { accountId: user.accountId } } })
    expect(used.headers.get('set-cookie')).toMatch(/^souk_session=souk_session_/)
    expect((await user.call('GET', '/console/v1/session')).status).toBe(401)
    expect((await souk.raw('GET', '/api/v1/me', { Authorization: `Bearer ${bearer}` })).status).toBe(401)
    expect((await souk.raw('GET', '/api/v1/me', { 'X-API-Key': key })).status).toBe(200)
    await expect(souk.signIn(user)).rejects.toThrow('sign_in_failed')
    await souk.signIn({ ...user, password: 'a new password phrase' })
    expect(await use(made.token)).toMatchObject(lost)
    expect(await show(made.token)).toMatchObject(lost)

    const { items } = (await administrator.call('GET', `/console/v1/audit?projectId=${projectId}&limit=200`)).body
    const noted = items.filter(({ subject }: { subject: string }) => subject === user.accountId)
    expect(noted.slice(0, 2)).toMatchObject([
      { action: 'account.resetPassword', accountId: user.accountId },
      { action: 'account.createPasswordReset', accountId: administrator.accountId },
    ])
    const tables = await souk.context.sql`select (select json_agg(r) from password_resets r)::text as everything`
    expect(String(tables[0]!.everything)).not.toContain(made.token)
  })

  test('a link is valid for one hour, until another is created or the password changes, and for one of concurrent requests', async () => {
    const user = await souk.join(projectId, 'viewer')
    const first = (await makeLink(administrator, user.accountId)).body.token
    const second = (await makeLink(administrator, user.accountId)).body.token
    expect(await show(first)).toMatchObject(lost)
    await souk.context.sql`update password_resets set valid_until = ${Date.now()} where account_id = ${user.accountId}`
    expect(await use(second)).toMatchObject(lost)

    const third = (await makeLink(administrator, user.accountId)).body.token
    const changed = { current: user.password, password: 'one of my own' }
    expect((await user.call('POST', '/console/v1/profile/password', changed)).status).toBe(200)
    expect(await show(third)).toMatchObject(lost)

    const fourth = (await makeLink(administrator, user.accountId)).body.token
    const answers = await Promise.all([1, 2, 3].map(() => use(fourth)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  })

  test('cannot be created for your own account; requires that its creator still has the right', async () => {
    const owner = await souk.join(projectId, 'owner')
    expect((await makeLink(owner, owner.accountId)).body.code).toBe('own_account')
    expect((await makeLink(administrator, administrator.accountId)).body.code).toBe('own_account')

    const user = await souk.join(projectId, 'viewer')
    const { token } = (await makeLink(owner, user.accountId)).body
    // The account has since joined a project of others.
    const theirs = (await user.call('POST', '/console/v1/projects', { name: 'Of my own' })).body.projectId
    expect(await show(token)).toMatchObject(lost)
    expect(await use(token)).toMatchObject(lost)
    await souk.context.sql`delete from project_members where project_id = ${theirs}`
    expect((await show(token)).status).toBe(200)
    await administrator.call('PATCH', `/console/v1/projects/${projectId}/members/${owner.accountId}`, {
      role: 'editor',
    })
    expect(await use(token)).toMatchObject(lost)
  })

  test('the admin token can reset the only administrator', async () => {
    const { token } = (await souk.console('POST', `/console/v1/accounts/${administrator.accountId}/password-reset`, {}))
      .body
    await use(token, 'the way back in')
    const { username } = administrator
    administrator = await souk.signIn({ username, password: 'the way back in' })
  })
})

describe('disabled accounts', () => {
  test('lose access immediately, and regain it when enabled, except ended sessions and tokens', async () => {
    const user = await souk.join(projectId, 'owner')
    const { key } = (await user.call('POST', '/console/v1/api-key/show', {})).body
    const bearer = (await user.call('POST', '/console/v1/tokens', {})).body.token
    const invitation = (await user.call('POST', `/console/v1/projects/${projectId}/invitations`, { role: 'owner' }))
      .body
    const me = (headers: Record<string, string>) => souk.raw('GET', '/api/v1/me', headers)
    expect((await me({ 'X-API-Key': key })).status).toBe(200)

    expect((await disable(administrator, user.accountId)).status).toBe(200)
    expect(await user.call('GET', '/console/v1/session')).toMatchObject({ status: 401 })
    expect((await me({ 'X-API-Key': key })).body.code).toBe('api_key_invalid')
    expect((await me({ Authorization: `Bearer ${bearer}` })).body.code).toBe('token_invalid')
    await expect(souk.signIn(user)).rejects.toThrow('account_disabled')
    await expect(souk.signIn({ ...user, password: 'not the password' })).rejects.toThrow('sign_in_failed')
    const { token } = invitation
    expect((await souk.raw('POST', '/console/v1/invitations/show', {}, { token })).status).toBe(404)
    const link = await administrator.call('POST', `/console/v1/accounts/${user.accountId}/password-reset`, {})
    expect(link.body.code).toBe('account_disabled')
    const listed = async () => {
      const { body } = await administrator.call('GET', `/console/v1/projects/${projectId}/members?limit=200`)
      return body.items.find(({ accountId }: { accountId: string }) => accountId === user.accountId).enabled
    }
    expect(await listed()).toBe(false)
    const all = (await administrator.call('GET', '/console/v1/accounts?limit=200')).body.items
    expect(all.find(({ accountId }: { accountId: string }) => accountId === user.accountId).enabled).toBe(false)

    expect((await disable(administrator, user.accountId, true)).status).toBe(200)
    expect(await listed()).toBe(true)
    expect((await me({ 'X-API-Key': key })).status).toBe(200)
    expect((await user.call('GET', '/console/v1/session')).status).toBe(401)
    expect((await me({ Authorization: `Bearer ${bearer}` })).status).toBe(401)
    await souk.signIn(user)
    const { items } = (await administrator.call('GET', `/console/v1/audit?projectId=${projectId}&limit=200`)).body
    const noted = items.filter(({ subject }: { subject: string }) => subject === user.accountId)
    expect(noted.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
      'account.enable',
      'account.disable',
    ])
  })

  test('refuses to disable your own account, the last administrator, or the only owner of a project', async () => {
    expect((await disable(administrator, administrator.accountId)).body.code).toBe('own_account')
    expect((await disable(souk, administrator.accountId)).body.code).toBe('last_administrator')

    const owned = (await souk.console('POST', '/console/v1/projects', { name: 'Owned' })).body.projectId
    const owners = await Promise.all([souk.join(owned, 'owner'), souk.join(owned, 'owner')])
    const [first, second] = owners as [ConsoleUser, ConsoleUser]
    // If two disable each other concurrently, one stays enabled. The other's session may have ended already.
    const each = await Promise.all([disable(first, second.accountId), disable(second, first.accountId)])
    expect([
      [200, 401],
      [200, 409],
    ]).toContainEqual(each.map(({ status }) => status).sort())
    const [stays, gone] = each[0]!.status === 200 ? [first, second] : [second, first]
    expect((await disable(souk, stays.accountId)).body).toMatchObject({
      code: 'last_owner',
      detail: expect.stringContaining('Owned'),
    })
    // A disabled owner does not count as an owner and can be removed.
    const member = (user: ConsoleUser) => `/console/v1/projects/${owned}/members/${user.accountId}`
    expect((await souk.console('PATCH', member(stays), { role: 'viewer' })).body.code).toBe('last_owner')
    expect((await stays.call('POST', `/console/v1/projects/${owned}/leave`, {})).body.code).toBe('last_owner')
    expect((await souk.console('DELETE', member(gone))).status).toBe(200)
  })

  test('keeps the last enabled administrator', async () => {
    const user = await souk.join(projectId, 'viewer')
    await souk.context.sql`update accounts set administrator = true where account_id = ${user.accountId}`
    const both = [administrator.accountId, user.accountId]
    const answers = await Promise.all(both.map((accountId) => disable(souk, accountId)))
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'last_administrator'])
    await Promise.all(both.map((accountId) => disable(souk, accountId, true)))
    await souk.context.sql`update accounts set administrator = false where account_id = ${user.accountId}`
    administrator = await souk.signIn({ username: administrator.username, password: 'the way back in' })
  })
})

test('the audit log shows account, action, time and address, to owners only', async () => {
  const owner = await souk.join(projectId, 'owner')
  const { body: app } = await owner.call('POST', '/console/v1/apps', { name: 'Tea', projectId })
  await owner.call('PATCH', `/console/v1/apps/${app.appid}`, { enabled: false })
  await owner.call('POST', `/console/v1/apps/${app.appid}/secrets`, { overlap: 0 })
  const { body } = await owner.call(
    'GET',
    `/console/v1/audit?projectId=${projectId}&accountId=${owner.accountId}&limit=2`,
  )
  expect(body.items).toMatchObject([
    { action: 'app.rotateSecret', subject: app.appid, accountId: owner.accountId, address: '127.0.0.1', projectId },
    {
      action: 'app.update',
      actor: `account ${owner.accountId}`,
      actorName: owner.username,
      detail: { enabled: false },
    },
  ])
  const rest = await owner.call(
    'GET',
    `/console/v1/audit?projectId=${projectId}&accountId=${owner.accountId}&cursor=${body.next}`,
  )
  expect(rest.body.items.map(({ action }: { action: string }) => action)).toEqual(['app.create', 'member.join'])
  expect((await owner.call('GET', '/console/v1/audit')).body.code).toBe('permission_denied')
  expect(
    (await administrator.call('GET', '/console/v1/audit?action=account.create')).body.items[0].detail,
  ).toMatchObject({
    administrator: false,
  })
})
