import { beforeEach, expect, it, vi } from 'vitest'
import type { PushMessage } from '#shared/push-message.ts'
import { openPush, showPush } from './push.ts'

interface Notice extends NotificationOptions {
  title: string
  close(): void
}

function createWorker() {
  const notices: Notice[] = []
  const pages: { visibilityState: string; postMessage(message: object): void; focus(): Promise<void> }[] = []
  const setAppBadge = vi.fn(async () => undefined)
  const openWindow = vi.fn(async () => null)
  const worker = {
    clients: { matchAll: async () => pages, openWindow },
    navigator: { setAppBadge },
    location: { origin: 'https://rupa.test' },
    registration: {
      getNotifications: async ({ tag }: { tag?: string } = {}) =>
        notices.filter((notice) => tag === undefined || notice.tag === tag),
      async showNotification(title: string, options: NotificationOptions) {
        const notice = { ...options, title, close: () => void notices.splice(notices.indexOf(notice), 1) }
        const before = notices.findIndex(({ tag }) => tag === options.tag)
        notices.splice(before < 0 ? notices.length : before, before < 0 ? 0 : 1, notice)
      },
    },
  } as unknown as ServiceWorkerGlobalScope
  return { worker, notices, pages, setAppBadge, openWindow }
}

const message = (tag = 'results', path = '/ai-background-removal?result=1'): PushMessage => ({
  web_push: 8030,
  notification: {
    title: 'Fotomu sudah siap',
    body: 'Ketuk untuk melihat hasilnya.',
    lang: 'id',
    tag,
    navigate: `https://rupa.test${path}`,
    data: { group: { title: '{count} hasil sudah siap', navigate: 'https://rupa.test/history' } },
  },
})
const sitiToken = async () =>
  `h.${btoa(JSON.stringify({ sub: { id: 'siti' }, sid: 's', exp: 4e9 })).replaceAll('=', '')}.s`

let system: ReturnType<typeof createWorker>
beforeEach(() => {
  system = createWorker()
})
const show = (given: PushMessage, token: () => Promise<string | null> = sitiToken) =>
  showPush(system.worker, given, token)

it('combines messages of one kind into one with a count, beside other kinds', async () => {
  await show(message())
  expect(system.notices).toMatchObject([{ title: 'Fotomu sudah siap', body: 'Ketuk untuk melihat hasilnya.' }])
  await show(message('payments'))
  await show(message())
  await show(message())
  expect(system.notices.map(({ title, body }) => [title, body])).toEqual([
    ['3 hasil sudah siap', ''],
    ['Fotomu sudah siap', 'Ketuk untuk melihat hasilnya.'],
  ])
  expect(system.notices[0]?.data.navigate).toBe('https://rupa.test/history')
  expect(system.setAppBadge).toHaveBeenLastCalledWith(4)
})

it('shows messages only while the app is in the background', async () => {
  system.pages.push({ visibilityState: 'visible', postMessage: vi.fn(), focus: async () => undefined })
  await show(message())
  expect(system.notices).toEqual([])
  Object.assign(system.pages[0] ?? {}, { visibilityState: 'hidden' })
  await show(message())
  expect(system.notices).toHaveLength(1)
})

it('shows nothing when no user is signed in', async () => {
  await show(message(), async () => null)
  expect(system.notices).toEqual([])
})

it('a tap opens the result in the open app, or in a new window', async () => {
  await show(message())
  const [notice] = system.notices as unknown as [Notification]
  await openPush(system.worker, notice)
  expect(system.notices).toEqual([])
  expect(system.openWindow).toHaveBeenCalledWith('https://rupa.test/ai-background-removal?result=1')
  const page = { visibilityState: 'hidden', postMessage: vi.fn(), focus: vi.fn(async () => undefined) }
  system.pages.push(page)
  await show(message())
  await openPush(system.worker, system.notices[0] as unknown as Notification)
  expect(page.postMessage).toHaveBeenCalledWith({
    type: 'OPEN',
    address: 'https://rupa.test/ai-background-removal?result=1',
  })
  expect(page.focus).toHaveBeenCalled()
})

it.each(['//elsewhere.test', '/%2f/elsewhere.test', '@elsewhere.test/'])('a tap never leads to %s', async (path) => {
  await show(message('results', path))
  await openPush(system.worker, system.notices[0] as unknown as Notification)
  expect(system.openWindow).toHaveBeenCalledWith('https://rupa.test/')
})
