import { beforeEach, expect, test, vi } from 'vitest'

const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
}
const reload = vi.fn()

async function openPage() {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  const { reloadOnMissingChunk } = await import('./load-code.ts')
  reloadOnMissingChunk()
  return (type: string, timeStamp: number) =>
    page.dispatchEvent(Object.defineProperty(new Event(type), 'timeStamp', { value: timeStamp }))
}

const settled = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', storage)
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('fetch', async () => new Response())
  kept.clear()
  reload.mockClear()
})

test('several missing chunks reload the page once', async () => {
  const tell = await openPage()
  tell('vite:preloadError', 100)
  tell('vite:preloadError', 200)
  await settled()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a chunk that stays missing reloads the page with longer pauses, five times in ten minutes', async () => {
  for (const [index, pause] of [0, 1000, 2000, 10_000, 20_000].entries()) {
    const tell = await openPage()
    tell('vite:preloadError', 100)
    await vi.advanceTimersByTimeAsync(Math.max(0, pause - 1))
    expect(reload).toHaveBeenCalledTimes(index + (pause === 0 ? 1 : 0))
    await vi.advanceTimersByTimeAsync(1)
    expect(reload).toHaveBeenCalledTimes(index + 1)
  }
  const tell = await openPage()
  tell('vite:preloadError', 100)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(reload).toHaveBeenCalledTimes(5)
  tell('vite:preloadError', 700_000)
  await settled()
  expect(reload).toHaveBeenCalledTimes(6)
})

test('a chunk that goes missing while the user edits reloads the page afterwards', async () => {
  const tell = await openPage()
  const { markBusy } = await import('#client/busy.ts')
  const release = markBusy()
  tell('vite:preloadError', 100)
  await settled()
  expect(reload).not.toHaveBeenCalled()
  release()
  tell('vite:preloadError', 2100)
  await settled()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a chunk missing while offline does not reload the page', async () => {
  const tell = await openPage()
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  tell('vite:preloadError', 100)
  await settled()
  expect(reload).not.toHaveBeenCalled()
})

test('a chunk aborted by leaving the page does not stop the navigation, and loads on return', async () => {
  const tell = await openPage()
  tell('beforeunload', 100)
  tell('vite:preloadError', 150)
  await settled()
  expect(reload).not.toHaveBeenCalled()
  tell('pageshow', 60_000)
  await settled()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a page that was not left after all, for example by a download, reloads again', async () => {
  const tell = await openPage()
  tell('beforeunload', 100)
  tell('vite:preloadError', 20_000)
  await settled()
  expect(reload).toHaveBeenCalledTimes(1)
})
