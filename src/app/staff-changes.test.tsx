import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { BoardEditView } from '#features/custom-edits/schemas.ts'
import type { ToolSettingsView } from '#features/generations/schemas.ts'
import { desktop, openApp } from '#tests/support/components/open-app.tsx'
import { designer, editOf, sari, staff, tools } from '#tests/support/components/samples.ts'
import { button } from '#tests/support/components/screen.ts'
import type { ApiCall } from '#tests/support/components/stub-api.ts'

it('turns a tool off with a message, which its page shows instead of the input, and on again', async () => {
  let settings: ToolSettingsView = {
    tool: 'object-removal',
    enabled: true,
    message: '',
    messageEn: '',
    markRequired: false,
    remoteAllowed: null,
  }
  const { api, reload } = await openApp('/admin/fitur', {
    user: staff,
    size: desktop,
    language: 'en',
    api: {
      'GET /api/admin/tools': () => ({ items: [settings] }),
      'PATCH /api/admin/tools/*': ({ body }: ApiCall) => {
        settings = { ...settings, ...(body as Partial<ToolSettingsView>) }
        return settings
      },
      'GET /api/admin/jobs': { failing: [] },
      'GET /api/admin/providers': { items: [] },
      'GET /api/admin/provider_settings': { items: [] },
      'GET /api/admin/tasks': { items: [] },
      'GET /api/admin/models': { items: [] },
      'GET /api/admin/dashboard': { open: {}, tools: [] },
      'GET /api/tools': () => {
        const message = settings.enabled ? null : { id: settings.message, en: settings.messageEn }
        return {
          items: tools.map((tool) => (tool.id === settings.tool ? { ...tool, enabled: !message, message } : tool)),
        }
      },
    },
  })
  const toggle = page.getByRole('switch', { name: 'Object Removal is on' })
  await toggle.click()
  await page.getByLabelText('Message to users').fill('Kembali besok')
  await page.getByLabelText('Message in English').fill('Back tomorrow')
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await expect.element(toggle).not.toBeChecked()
  await expect.element(page.getByText('Back tomorrow').first()).toBeVisible()
  await reload('/ai-object-removal')
  await expect.element(page.getByText('Back tomorrow').first()).toBeVisible()
  await expect.element(button('Choose a photo')).not.toBeInTheDocument()
  await reload('/admin/fitur')
  await toggle.click()
  await expect.element(toggle).toBeChecked()
  await reload('/ai-object-removal')
  await expect.element(button('Choose a photo').first()).toBeVisible()
  await expect.element(page.getByText('Back tomorrow')).not.toBeInTheDocument()
  expect(api.callsTo('PATCH /api/admin/tools/object-removal').map(({ body }) => body)).toEqual([
    { enabled: false, message: 'Kembali besok', messageEn: 'Back tomorrow' },
    { enabled: true },
  ])
})

it('shows and removes a designer’s requests by the event alone, on the board and beside its link', async () => {
  const user = { id: sari.id, name: sari.name }
  const edit: BoardEditView = { ...editOf('Ijazah sobek'), user, designer: null, overdue: false }
  const noWork = { open: 0, overdue: 0, ratings: 0, averageStars: null, ownRatings: 0, ownAverageStars: null }
  let items: BoardEditView[] = []
  const { api } = await openApp('/admin/request-custom', {
    user: designer,
    size: desktop,
    api: {
      'GET /api/admin/custom_edits': ({ query }: ApiCall) => ({
        items: items.filter(({ status }) => status === query.get('status')),
        nextCursor: null,
      }),
      'GET /api/admin/custom_edits/counts': () => ({ ...noWork, open: items.length }),
    },
  })
  const badge = page.getByRole('link', { name: /^Permintaan khusus/ })
  await expect.element(badge).not.toMatchTextContent('menunggu')
  expect(page.getByRole('link', { name: /Ijazah sobek/ }).all()).toHaveLength(0)
  items = [edit]
  api.emit('customEdits', {})
  await expect.element(badge).toMatchTextContent('1 menunggu')
  await expect.element(page.getByRole('link', { name: /Ijazah sobek/ })).toBeVisible()
  items = []
  api.emit('customEdits', {})
  await expect.element(page.getByRole('link', { name: /Ijazah sobek/ })).not.toBeInTheDocument()
})
