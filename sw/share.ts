import { get, update } from 'idb-keyval'
import { sharedStore } from '#client/device/device-store.ts'

/** Where the manifest sends pictures shared from other apps, and the tool that takes them. */
export const sharePath = '/share'
const tool = 'background-removal'
const toolPath = '/ai-background-removal'
const draftKey = `draft:${tool}`

/**
 * Shared pictures of which nobody knows yet who sent them; in memory, for a foreign site's must
 * leave nothing.
 */
let held: { id: string; pictures: File[] } | undefined

/**
 * Takes shared pictures. A form of a foreign site looks like the system's share: both are
 * navigations and may come without an origin, and a worker is not shown Sec-Fetch-Site. The server
 * is, also where the browser goes on to from here, so whoever is not plainly ourselves goes there
 * first (finishShare).
 */
export async function receiveShare(request: Request): Promise<Response> {
  const from = request.headers.get('origin')
  const own = new URL(request.url).origin
  if (from !== null && from !== 'null' && from !== own) return Response.redirect(sharePath, 303)
  const form = await request.formData()
  const pictures = form.getAll('photos').filter((value) => value instanceof File && value.size > 0) as File[]
  if (from === own || request.mode !== 'navigate') {
    await keep(pictures)
    return Response.redirect(toolPath, 303)
  }
  held = { id: crypto.randomUUID(), pictures }
  return Response.redirect(`${sharePath}?held=${held.id}`, 303)
}

/**
 * Asks the server whether the pictures may stay, by the browser's own next request. Without the
 * network they may: a share must work offline, and a foreign site came over the network.
 */
export async function finishShare(request: Request): Promise<Response> {
  const answer = await fetch(request).catch(() => undefined)
  const id = new URL(request.url).searchParams.get('held')
  const mine = held !== undefined && held.id === id ? held.pictures : undefined
  held = undefined
  if (answer?.status === 403) return answer
  if (mine === undefined) return answer ?? Response.redirect(`${toolPath}?shared=0`, 303)
  await keep(mine)
  return Response.redirect(toolPath, 303)
}

/**
 * Puts pictures where the tool's page looks for those that were chosen before it opened (draft.ts
 * of the app). Android repeats a share when it restores the app, without its pictures: that must
 * not take away those of before.
 */
async function keep(pictures: readonly File[]): Promise<void> {
  if (pictures.length === 0) return
  const before = (await get<{ file: File }[]>(draftKey, sharedStore)) ?? []
  const fresh = (
    await withoutTwins(
      before.map(({ file }) => file),
      pictures,
    )
  ).map((file) => ({ file }))
  await update<{ file: File }[]>(draftKey, (waiting = []) => [...waiting, ...fresh], sharedStore)
}

/**
 * The same file shared twice is one picture. The bytes tell: a shared file comes without the time
 * of its last change.
 */
async function withoutTwins(before: readonly File[], pictures: readonly File[]): Promise<File[]> {
  const fresh: File[] = []
  for (const picture of pictures) {
    const alike = [...before, ...fresh].filter(({ name, size }) => name === picture.name && size === picture.size)
    const twins = await Promise.all(alike.map((file) => haveSameBytes(file, picture)))
    if (!twins.includes(true)) fresh.push(picture)
  }
  return fresh
}

async function haveSameBytes(one: File, other: File): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map(async (file) => new Uint8Array(await file.arrayBuffer())))
  return a !== undefined && b !== undefined && a.every((byte, index) => byte === b[index])
}
