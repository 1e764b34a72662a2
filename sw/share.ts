import { update } from 'idb-keyval'
import { sharedStore } from './device-store.ts'

/** Where the manifest sends pictures shared from other apps, and the tool that takes them. */
export const sharePath = '/share'
const tool = 'background-removal'
const toolPath = '/ai-background-removal'

/** Puts shared pictures where the tool's page looks for pictures that were chosen before it opened (draft.ts of the app). */
export async function receiveShare(request: Request): Promise<Response> {
  const form = await request.formData()
  const pictures = form.getAll('photos').filter((value) => value instanceof File && value.size > 0) as File[]
  // Android repeats a share when it restores the app, without its pictures: that must not take away those of before.
  if (pictures.length > 0) {
    await update<Waiting>(`draft:${tool}`, (waiting = []) => added(waiting, pictures), sharedStore)
  }
  return Response.redirect(toolPath, 303)
}

/** Bare files of earlier shares, or a draft that the app keeps, with what was set for it. */
type Waiting = File[] | { files: readonly { file: File }[] }

function added(waiting: Waiting, pictures: File[]): Waiting {
  if (Array.isArray(waiting)) return withoutTwins([...waiting, ...pictures])
  return { ...waiting, files: [...waiting.files, ...pictures.map((file) => ({ file }))] }
}

/** The same file shared twice is one picture. */
function withoutTwins(files: File[]): File[] {
  const seen = new Set<string>()
  return files.filter(({ name, size, lastModified }) => {
    const facts = `${name} ${size} ${lastModified}`
    return !seen.has(facts) && seen.add(facts)
  })
}
