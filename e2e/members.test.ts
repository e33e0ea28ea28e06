import type { Locator, Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { consoleCall } from './calls.ts'
import { consolePage, faults, openMenu, picture, settled } from './console.ts'

const { url, projectId, session, csrf } = inject('fixture')

/** Creates a member through an invitation. */
async function newMember(person: { username: string; name: string; password: string }) {
  const post = async (path: string, input: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}/console/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(input),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { token: string; link: string; account: { accountId: string } }
  }
  const owner = { Cookie: `souk_session=${session}`, 'X-Souk-CSRF': csrf }
  const { token } = await post(`/projects/${projectId}/invitations`, { role: 'viewer' }, owner)
  const { account } = await post('/invitations/join', { ...person, token })
  return {
    accountId: account.accountId,
    resetLink: async () => (await post(`/accounts/${account.accountId}/password-reset`, {}, owner)).link,
  }
}

async function chooseRole(page: Page, row: Locator, role: string): Promise<void> {
  await row.getByRole('combobox', { name: 'Role of' }).click()
  await openMenu(page).getByRole('option', { name: role }).click()
}

test('the focus stays at its member when the list is loaded again', async () => {
  await newMember({ username: 'walid', name: 'Walid', password: 'far beyond the dunes' })
  const page = await consolePage()
  await page.goto(`projects/${projectId}/members`)
  const row = page.getByRole('row').filter({ hasText: 'walid' })
  await row.getByRole('combobox', { name: 'Role of' }).focus()
  const other = await newMember({ username: 'aaliyah', name: 'Aaliyah', password: 'above the tall palms' })
  await consoleCall('PATCH', `/projects/${projectId}/members/${other.accountId}`, { role: 'editor' })
  await chooseRole(page, row, 'Editor')
  await page.getByRole('row').filter({ hasText: 'aaliyah' }).waitFor()
  expect(await row.locator(':focus').count()).toBe(1)
})

test('an invitation adds a member with a role, in the language of the invitee', async () => {
  const owner = await consolePage()
  await owner.goto(`projects/${projectId}/members`)
  await owner.getByRole('button', { name: 'Invite' }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByLabel('Viewer').check()
  await dialog.getByLabel('Invitee (optional)').fill('Huda')
  // A click beside the dialog does not lose what was entered.
  await owner.mouse.click(4, 400)
  await picture(owner, 'members-invite.en.light.desktop')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.getByRole('status').innerText()
  expect(await faults(owner)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()

  const guest = await consolePage({ language: 'ar' }, null)
  await guest.goto(link.trim())
  await guest.getByRole('heading', { name: 'Old Town Market' }).waitFor()
  await picture(guest, 'invitation.ar.light.desktop')
  expect(await faults(guest)).toEqual([])
  await guest.getByLabel('الاسم', { exact: true }).fill('هدى')
  await guest.getByLabel('اسم المستخدم').fill('huda')
  await guest.getByLabel('كلمة المرور', { exact: true }).fill('under the old arch')
  await guest.getByRole('button', { name: 'إنشاء حساب والانضمام' }).click()
  await guest.getByRole('heading', { name: 'Old Town Market', exact: true }).waitFor()

  // A viewer cannot change members, and the link no longer works.
  await guest.goto(`projects/${projectId}/members`)
  await guest.getByRole('heading', { name: 'أعضاء المشروع', exact: true }).waitFor()
  await settled(guest)
  expect(await guest.getByRole('button', { name: 'دعوة', exact: true }).count()).toBe(0)
  await guest.goto(link.trim())
  await guest.getByRole('alert').getByText('invitation_not_found').waitFor()

  await owner.reload()
  const row = owner.getByRole('row').filter({ hasText: 'huda' })
  await chooseRole(owner, row, 'Editor')
  await owner.getByText(/هدى.? is now Editor/).waitFor()
  await row.getByRole('button', { name: /Actions for .?هدى/ }).click()
  await openMenu(owner).getByText('Remove from project').click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await owner.getByText(/هدى.? removed/).waitFor()
  await row.waitFor({ state: 'detached' })

  await guest.goto(`projects/${projectId}/members`)
  await guest.getByRole('alert').getByText('permission_denied').first().waitFor()
})

test('resets a forgotten password with a one-time link, by keyboard only', async () => {
  const { resetLink } = await newMember({ username: 'karim', name: 'Karim', password: 'lost in the bazaar' })
  const owner = await consolePage()
  await owner.goto(`projects/${projectId}/members`)
  const menu = owner.getByRole('button', { name: 'Actions for Karim' })
  await menu.focus()
  await owner.keyboard.press('Enter')
  await owner.getByText('Create password reset link').waitFor()
  await picture(owner, 'members-menu.en.light.desktop')
  await owner.keyboard.press('ArrowDown')
  await owner.keyboard.press('Enter')
  const dialog = owner.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Reset the password of Karim?' }).waitFor()
  await picture(owner, 'members-reset.en.light.desktop')
  expect(await faults(owner)).toEqual([])
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter')
  const link = (await dialog.getByRole('status').innerText()).trim()
  await picture(owner, 'members-reset-link.en.light.desktop')
  await dialog.getByRole('button', { name: 'Close' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true)

  const karim = await consolePage({ language: 'ar', scheme: 'dark', device: 'phone' }, null)
  await karim.goto(link)
  await karim.getByRole('heading', { name: 'إعادة تعيين كلمة المرور' }).waitFor()
  await karim.getByText(/الحساب: .?Karim/).waitFor()
  await picture(karim, 'password-reset.ar.dark.phone')
  expect(await faults(karim)).toEqual([])
  const password = karim.getByLabel('كلمة المرور الجديدة')
  await password.fill('short')
  await password.press('Enter')
  await karim.getByText('من 10 إلى 200').waitFor()
  await password.fill('password1234')
  await password.press('Enter')
  await karim.getByText('password_weak').waitFor()
  await picture(karim, 'password-weak.ar.dark.phone')
  expect(await faults(karim)).toEqual([])
  await password.fill('found at the gate')
  await password.press('Enter')
  await karim.getByRole('heading', { name: 'المشاريع' }).waitFor()

  const again = await consolePage({ language: 'zh-CN', scheme: 'dark' }, null)
  await again.goto(link)
  await again.getByRole('alert').getByText('密码重置链接无效、已使用或已过期').waitFor()
  await picture(again, 'password-reset-used.zh-CN.dark.desktop')
  expect(await faults(again)).toEqual([])
  await again.goto(await resetLink())
  await again.getByText(/账号：.?Karim/).waitFor()
  await again.goto(link)
  await again.getByRole('link', { name: '登录' }).click()
  await again.getByLabel('用户名').fill('karim')
  await again.getByLabel('密码', { exact: true }).fill('found at the gate')
  await again.getByRole('button', { name: '登录', exact: true }).click()
  await again.getByRole('heading', { name: '项目' }).waitFor()
})

test('a disabled account loses access immediately, is marked as disabled, and can be enabled again', async () => {
  const person = { username: 'rana', name: 'Rana', password: 'a lantern in the alley' }
  await newMember(person)
  const rana = await consolePage({}, null)
  const signIn = async () => {
    await rana.getByLabel('User name').fill(person.username)
    await rana.getByLabel('Password', { exact: true }).fill(person.password)
    await rana.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await rana.goto(`projects/${projectId}/members`)
  await signIn()
  await rana.getByRole('heading', { name: 'Members' }).waitFor()

  const owner = await consolePage()
  await owner.goto(`projects/${projectId}/members`)
  const row = owner.getByRole('row').filter({ hasText: 'rana' })
  const act = async (item: string) => {
    await row.getByRole('button', { name: 'Actions for Rana' }).click()
    await openMenu(owner).getByText(item, { exact: true }).click()
  }
  await act('Disable account')
  await picture(owner, 'members-disable.en.light.desktop')
  await owner.getByRole('dialog').getByLabel('Reason').fill('She works elsewhere.')
  await owner.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await row.getByText('Disabled', { exact: true }).waitFor()
  expect(await faults(owner)).toEqual([])
  const looks = [
    { language: 'zh-CN', scheme: 'dark', device: 'desktop', text: '已停用' },
    { language: 'ar', scheme: 'dark', device: 'phone', text: 'معطّل' },
  ] as const
  for (const { text, ...look } of looks) {
    const page = await consolePage(look)
    await page.goto(`projects/${projectId}/members`)
    await page.getByRole('row').filter({ hasText: 'rana' }).getByText(text, { exact: true }).waitFor()
    await settled(page)
    await picture(page, `members-disabled.${look.language}.${look.scheme}.${look.device}`)
    expect(await faults(page)).toEqual([])
  }

  await rana.reload()
  await rana.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn()
  await rana.getByRole('alert').getByText('Account disabled').waitFor()
  await act('Enable account')
  await row.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' })
  await signIn()
  await rana.getByRole('heading', { name: 'Members' }).waitFor()
})

test('the last owner cannot be demoted: shows the error and the unchanged role', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/members`)
  const row = page.getByRole('row', { name: /layla/ })
  await row.waitFor()
  await chooseRole(page, row, 'Viewer')
  await page.getByRole('alert').getByText('A project must have at least one owner').waitFor()
  await row.getByText('Owner').waitFor()

  // A reopened dialog does not show the previous error.
  const leave = async () => {
    await row.getByRole('button', { name: 'Actions for' }).click()
    await openMenu(page).getByText('Leave project', { exact: true }).click()
  }
  const dialog = page.getByRole('dialog')
  await leave()
  await dialog.getByRole('button', { name: 'Leave project' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await leave()
  await dialog.getByRole('button', { name: 'Leave project' }).waitFor()
  expect(await dialog.getByRole('alert').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  // The project's settings have their own page, which the search finds.
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('project settings')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Project settings', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Leave project' }).click()
  await dialog.getByRole('button', { name: 'Leave project' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })

  // Rejects an empty name without sending it.
  const name = page.getByLabel('Project name')
  const before = await name.inputValue()
  await name.fill('  ')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This field is required.').waitFor()
  expect(await page.getByText('parameter_missing').count()).toBe(0)
  await name.fill(before)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).first().waitFor()
})

test('owners are asked before they give up their own role', async () => {
  const member = { username: 'samira', name: 'Samira', password: 'between the spice stalls' }
  const { accountId } = await newMember(member)
  await consoleCall('PATCH', `/projects/${projectId}/members/${accountId}`, { role: 'owner' })
  const page = await consolePage({}, null)
  await page.goto(`projects/${projectId}/members`)
  await page.getByLabel('User name').fill(member.username)
  await page.getByLabel('Password', { exact: true }).fill(member.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const row = page.getByRole('row', { name: /samira/ })
  await row.waitFor()
  await chooseRole(page, row, 'Viewer')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('You can no longer manage this project.').waitFor()
  await picture(page, 'members-own-role.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await row.getByText('Owner').waitFor()

  await chooseRole(page, row, 'Viewer')
  await dialog.getByRole('button', { name: 'Change my role' }).click()
  await row.getByRole('cell', { name: 'Viewer', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Invite' }).waitFor({ state: 'hidden' })
})

test('a viewer reads the project settings and leaves the project', async () => {
  await newMember({ username: 'nadia', name: 'Nadia', password: 'a lantern in the alley' })
  const page = await consolePage({ device: 'phone' }, null)
  await page.goto(`projects/${projectId}/settings`)
  await page.getByLabel('User name').fill('nadia')
  await page.getByLabel('Password', { exact: true }).fill('a lantern in the alley')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Project settings', level: 1 }).waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Leave project' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
})

test('archives a project, restores it from the archive, and deletes it', async () => {
  const { projectId: id } = (await consoleCall('POST', '/projects', { name: 'Autumn Market' })) as { projectId: string }
  const page = await consolePage()
  const dialog = page.getByRole('dialog')
  const archive = async () => {
    await page.getByRole('button', { name: 'Archive project' }).click()
    await dialog.getByText('Its service accounts are rejected', { exact: false }).waitFor()
    await settled(page)
    expect(await faults(page)).toEqual([])
    await dialog.getByLabel('Reason').fill('The autumn is over.')
    await dialog.getByRole('button', { name: 'Archive project' }).click()
    await page.getByRole('button', { name: 'Restore', exact: true }).waitFor()
  }
  await page.goto(`projects/${id}/settings`)
  await archive()
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)

  const phone = await consolePage({ language: 'ar', scheme: 'dark', device: 'phone' })
  await phone.goto('')
  await phone.getByRole('heading', { name: 'المشاريع', level: 1 }).waitFor()
  await phone.getByRole('tab', { name: 'المؤرشفة' }).click()
  await phone.getByRole('link', { name: 'Autumn Market' }).waitFor()
  await settled(phone)
  await picture(phone, 'projects-archived.ar.dark.phone')
  expect(await faults(phone)).toEqual([])
  await phone.getByRole('link', { name: 'Autumn Market' }).click()
  await phone.getByRole('button', { name: 'استعادة', exact: true }).waitFor()
  await settled(phone)
  await picture(phone, 'project-archived.ar.dark.phone')
  expect(await faults(phone)).toEqual([])

  await page.goto('')
  await page.getByRole('tab', { name: 'Archived' }).click()
  await page.getByRole('link', { name: 'Autumn Market' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await archive()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await dialog.getByLabel('Enter Autumn Market to confirm').fill('Autumn Market')
  await settled(page)
  await picture(page, 'project-delete.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText('Autumn Market is deleted.', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
  await settled(page)
  expect(await page.getByRole('link', { name: 'Autumn Market' }).count()).toBe(0)

  await page.goto('?view=deleted')
  const remains = page.getByRole('navigation', { name: 'Remaining records of Autumn Market' }).first()
  await remains.getByRole('link', { name: 'Trades' }).waitFor()
  await settled(page)
  expect(await faults(page)).toEqual([])
  await remains.getByRole('link', { name: 'Balances and refunds' }).click()
  await page.getByRole('heading', { name: 'Balances and refunds', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Deleted project' }).waitFor()
  await settled(page)
  expect(await faults(page)).toEqual([])
})
