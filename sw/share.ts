import { get, update } from 'idb-keyval'
import { sharedStore } from '#client/device/device-store.ts'

/** Target of the manifest's share_target. */
export const sharePath = '/share'
const chooserPath = '/open-with'
const draftKey = 'draft:open-with'
/** Milliseconds in which unassigned files are combined with a further share. */
const combineWithinMs = 15 * 60_000

/** Same shape as in draft.ts of the app. */
interface Shared {
  file: File
  at: number
}

/** In memory only: a foreign site's files must leave no trace. */
let unverifiedShare: { id: string; files: File[] } | undefined

/**
 * A foreign site's form looks like the system's share: both are navigations, may lack an origin,
 * and a worker cannot see Sec-Fetch-Site. The server can, also after a redirect, so any request
 * that is not plainly our own goes there first (finishShare).
 */
export async function receiveShare(request: Request): Promise<Response> {
  const from = request.headers.get('origin')
  const own = new URL(request.url).origin
  if (from !== null && from !== 'null' && from !== own) return Response.redirect(sharePath, 303)
  // A share without any part has no readable form.
  const form = await request.formData().catch(() => new FormData())
  const files = [...form.values()].filter((value) => value instanceof File && value.size > 0) as File[]
  if (from === own || request.mode !== 'navigate') return toChooser(files)
  unverifiedShare = { id: crypto.randomUUID(), files }
  return Response.redirect(`${sharePath}?held=${unverifiedShare.id}`, 303)
}

/**
 * The server decides, by the browser's own next request, if the files may stay. Without the network
 * they may: a share must work offline, and a foreign site needs the network.
 */
export async function finishShare(request: Request): Promise<Response> {
  const answer = await fetch(request).catch(() => undefined)
  const id = new URL(request.url).searchParams.get('held')
  const mine = unverifiedShare !== undefined && unverifiedShare.id === id ? unverifiedShare.files : undefined
  unverifiedShare = undefined
  if (answer?.status === 403) return answer
  if (mine === undefined) return answer ?? Response.redirect(`${chooserPath}?shared=0`, 303)
  return toChooser(mine)
}

/** The address tells the chooser which files came now: those of the share's time. */
async function toChooser(files: readonly File[]): Promise<Response> {
  const at = Date.now()
  // A full or failing device stores nothing: the chooser asks for the files.
  const isStored = await storeFiles(files, at).then(
    () => files.length > 0,
    () => false,
  )
  return Response.redirect(`${chooserPath}?shared=${isStored ? at : 0}`, 303)
}

/**
 * Android repeats a share without files when it restores the app, which must not remove earlier
 * files.
 */
async function storeFiles(files: readonly File[], at: number): Promise<void> {
  if (files.length === 0) return
  const together = ({ at: then }: Shared) => at - then < combineWithinMs
  const before = ((await get<Shared[]>(draftKey, sharedStore)) ?? []).filter(together)
  const fresh: Shared[] = []
  const again = new Set<string>()
  for (const file of files) {
    const twin = await findTwin([...before, ...fresh], file)
    if (twin) again.add(keyOf(twin))
    else fresh.push({ file, at })
  }
  // A file that is shared again counts as new.
  const renewed = (shared: Shared) => (again.has(keyOf(shared)) ? { ...shared, at } : shared)
  await update<Shared[]>(draftKey, (waiting = []) => [...waiting.filter(together).map(renewed), ...fresh], sharedStore)
}

const keyOf = ({ file: { name, size }, at }: Shared) => `${at} ${size} ${name}`

/** Files shared twice have no modification time, so only the bytes identify them. */
async function findTwin(before: readonly Shared[], file: File): Promise<Shared | undefined> {
  for (const other of before) {
    const alike = other.file.name === file.name && other.file.size === file.size
    if (alike && (await haveSameBytes(other.file, file).catch(() => false))) return other
  }
  return undefined
}

/** Bytes compared at a time: two whole videos exceed the memory of a small phone. */
const compareBytes = 1 << 20

async function haveSameBytes(one: File, other: File): Promise<boolean> {
  for (let start = 0; start < one.size; start += compareBytes) {
    const [a, b] = await Promise.all(
      [one, other].map(async (file) => new Uint8Array(await file.slice(start, start + compareBytes).arrayBuffer())),
    )
    if (a === undefined || b === undefined || a.some((byte, index) => byte !== b[index])) return false
  }
  return true
}
