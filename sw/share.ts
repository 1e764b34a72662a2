import { get, update } from 'idb-keyval'
import { sharedStore } from './device-store.ts'

/** Where the manifest sends pictures shared from other apps, and the tool that takes them. */
export const sharePath = '/share'
const tool = 'background-removal'
const toolPath = '/ai-background-removal'
const draftKey = `draft:${tool}`

/**
 * Puts shared pictures where the tool's page looks for pictures that were chosen before it opened
 * (draft.ts of the app).
 */
export async function receiveShare(request: Request): Promise<Response> {
  const form = await request.formData()
  const pictures = form.getAll('photos').filter((value) => value instanceof File && value.size > 0) as File[]
  // Android repeats a share when it restores the app, without its pictures: that must not take away
  // those of before.
  if (pictures.length > 0) {
    const before = filesOf(await get<Waiting>(draftKey, sharedStore))
    const fresh = await withoutTwins(before, pictures)
    await update<Waiting>(draftKey, (waiting = []) => added(waiting, fresh), sharedStore)
  }
  return Response.redirect(toolPath, 303)
}

/** Bare files of earlier shares, or a draft that the app keeps, with what was set for it. */
type Waiting = File[] | { files: readonly { file: File }[] }

function filesOf(waiting: Waiting = []): File[] {
  return Array.isArray(waiting) ? waiting : waiting.files.map(({ file }) => file)
}

function added(waiting: Waiting, pictures: File[]): Waiting {
  if (Array.isArray(waiting)) return [...waiting, ...pictures]
  return { ...waiting, files: [...waiting.files, ...pictures.map((file) => ({ file }))] }
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
