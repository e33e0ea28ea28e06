import { expect, inject, test } from 'vitest'
import { choose, consolePage, faults, picture, settled } from './console.ts'

const { projectId } = inject('stage')

test('an invitation makes a member with a role, in the language of whoever accepts it', async () => {
  const owner = await consolePage()
  await owner.goto(`projects/${projectId}/members`)
  await owner.getByRole('button', { name: 'Invite' }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByLabel('Viewer').check()
  await dialog.getByLabel('For whom (optional)').fill('Huda')
  await picture(owner, 'members-invite.en.light.desktop')
  await dialog.getByRole('button', { name: 'Make a link' }).click()
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

  // A viewer sees the members and changes none; the link counts no more.
  await guest.goto(`projects/${projectId}/members`)
  await guest.getByRole('heading', { name: 'الأعضاء', exact: true }).waitFor()
  await settled(guest)
  expect(await guest.getByRole('button', { name: 'دعوة', exact: true }).count()).toBe(0)
  await guest.goto(link.trim())
  await guest.getByRole('alert').getByText('invitation_not_found').waitFor()

  await owner.reload()
  const row = owner.getByRole('row').filter({ hasText: 'huda' })
  await choose(owner, 'Role of هدى', 'Editor')
  await owner.getByText('هدى is now Editor').waitFor()
  await row.getByRole('button', { name: 'Remove هدى' }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await owner.getByText('هدى has been removed').waitFor()
  await row.waitFor({ state: 'detached' })

  await guest.goto(`projects/${projectId}/members`)
  await guest.getByRole('alert').getByText('project_not_found').first().waitFor()
})

test('the last owner stays: the refusal is shown, and the role as it is', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/members`)
  const row = page.getByRole('row', { name: /layla/ })
  await row.waitFor()
  await choose(page, (await row.getByRole('combobox').last().getAttribute('aria-label')) as string, 'Viewer')
  await page.getByRole('alert').getByText('A project keeps at least one owner').waitFor()
  await row.getByText('Owner').waitFor()
})
