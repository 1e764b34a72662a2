import { get, update } from 'idb-keyval'
import { sharedStore } from '#client/device/device-store.ts'

/** Where the manifest sends what other apps share, and the page that asks for a tool for it. */
export const sharePath = '/share'
const chooserPath = '/open-with'
const draftKey = 'draft:open-with'
/** Milliseconds for which what nobody chose a tool for is put together with a further share. */
const togetherFor = 15 * 60_000

/** As draft.ts of the app keeps it. */
interface Shared {
  file: File
  at: number
}

/**
 * Shared files of which nobody knows yet who sent them; in memory, for a foreign site's must leave
 * nothing.
 */
let held: { id: string; files: File[] } | undefined

/**
 * Takes shared pictures and videos. A form of a foreign site looks like the system's share: both
 * are navigations and may come without an origin, and a worker is not shown Sec-Fetch-Site. The
 * server is, also where the browser goes on to from here, so whoever is not plainly ourselves goes
 * there first (finishShare).
 */
export async function receiveShare(request: Request): Promise<Response> {
  const from = request.headers.get('origin')
  const own = new URL(request.url).origin
  if (from !== null && from !== 'null' && from !== own) return Response.redirect(sharePath, 303)
  const form = await request.formData()
  const files = form.getAll('photos').filter((value) => value instanceof File && value.size > 0) as File[]
  if (from === own || request.mode !== 'navigate') {
    await keep(files)
    return Response.redirect(chooserPath, 303)
  }
  held = { id: crypto.randomUUID(), files }
  return Response.redirect(`${sharePath}?held=${held.id}`, 303)
}

/**
 * Asks the server whether the files may stay, by the browser's own next request. Without the
 * network they may: a share must work offline, and a foreign site came over the network.
 */
export async function finishShare(request: Request): Promise<Response> {
  const answer = await fetch(request).catch(() => undefined)
  const id = new URL(request.url).searchParams.get('held')
  const mine = held !== undefined && held.id === id ? held.files : undefined
  held = undefined
  if (answer?.status === 403) return answer
  if (mine === undefined) return answer ?? Response.redirect(`${chooserPath}?shared=0`, 303)
  await keep(mine)
  return Response.redirect(chooserPath, 303)
}

/**
 * Puts files where the page that asks for a tool looks for them. Android repeats a share when it
 * restores the app, without its files: that must not take away those of before.
 */
async function keep(files: readonly File[]): Promise<void> {
  if (files.length === 0) return
  const at = Date.now()
  const together = ({ at: then }: Shared) => at - then < togetherFor
  const before = ((await get<Shared[]>(draftKey, sharedStore)) ?? []).filter(together)
  const fresh = (
    await withoutTwins(
      before.map(({ file }) => file),
      files,
    )
  ).map((file) => ({ file, at }))
  await update<Shared[]>(draftKey, (waiting = []) => [...waiting.filter(together), ...fresh], sharedStore)
}

/**
 * The same file shared twice is one. The bytes tell: a shared file comes without the time of its
 * last change.
 */
async function withoutTwins(before: readonly File[], files: readonly File[]): Promise<File[]> {
  const fresh: File[] = []
  for (const file of files) {
    const alike = [...before, ...fresh].filter(({ name, size }) => name === file.name && size === file.size)
    const twins = await Promise.all(alike.map((other) => haveSameBytes(other, file)))
    if (!twins.includes(true)) fresh.push(file)
  }
  return fresh
}

/** Bytes that are compared at a time: two whole videos are too much for a small phone. */
const piece = 1 << 20

async function haveSameBytes(one: File, other: File): Promise<boolean> {
  for (let start = 0; start < one.size; start += piece) {
    const [a, b] = await Promise.all(
      [one, other].map(async (file) => new Uint8Array(await file.slice(start, start + piece).arrayBuffer())),
    )
    if (a === undefined || b === undefined || a.some((byte, index) => byte !== b[index])) return false
  }
  return true
}
