import { isReadable } from '#client/device/local-file.ts'
import { saveBlob } from '#client/save-blob.ts'
import { lastUserId } from '#client/session.ts'
import { brandName } from '#shared/brand.ts'
import { addUpload, filesOf, type NewFile, type UploadItem } from '#upload-queue/store.ts'
import { afterFileLoss } from '#upload-queue/transitions.ts'
import { drawPreview, readUploads, sendUploads, uploads } from './send-uploads.ts'

const manifestName = 'uploads.json'
const version = 1
/** Bytes of one unpacked file: the largest upload is a video of 100 MB. */
const maxFileBytes = 128 * 1024 * 1024

interface ArchivedFile {
  name: string
  type: string
  size: NewFile['size']
  output: string | null
  /** Path in the archive; null if the device has lost it. */
  path: string | null
}

type ArchivedItem = Pick<
  UploadItem,
  'id' | 'userId' | 'kind' | 'tool' | 'params' | 'price' | 'language' | 'createdAt'
> & { inputs: Record<string, ArchivedFile[]> }

interface Manifest {
  version: number
  items: ArchivedItem[]
}

/** Saves the user's unsent uploads as a ZIP, with their options, marks and keys. */
export async function saveQueue(): Promise<void> {
  const user = lastUserId()
  const entries: { name: string; input: Blob | string }[] = []
  const items: ArchivedItem[] = []
  for (const item of await uploads.list()) {
    if (item.userId !== user || item.state === 'sent' || item.state === 'cancelling') continue
    const stored = (await uploads.files(item.id)) ?? []
    const paths = new Map<number, string>()
    for (const { index, name, bytes } of filesOf(item)) {
      const blob = stored[index]
      if (!blob || !(await isReadable(blob, bytes))) continue
      const path = `${items.length + 1}/${index + 1}-${name.replaceAll(/[\\/]/g, '_')}`
      paths.set(index, path)
      entries.push({ name: path, input: blob })
    }
    const archived = Object.entries(item.inputs).map(([input, files]) => [
      input,
      files.map(({ index, name, size = null, output = null }) => ({
        name,
        type: stored[index]?.type ?? '',
        size,
        output,
        path: paths.get(index) ?? null,
      })),
    ])
    const { id, userId, kind, tool, params, price, language, createdAt } = item
    const inputs = Object.fromEntries(archived) as ArchivedItem['inputs']
    items.push({ id, userId, kind, tool, params, price, language, createdAt, inputs })
  }
  const manifest: Manifest = { version, items }
  const { downloadZip } = await import('client-zip')
  const zip = downloadZip([{ name: manifestName, input: JSON.stringify(manifest, null, 2) }, ...entries])
  await saveBlob(await zip.blob(), `${brandName.toLowerCase()}-uploads.zip`)
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null for anything that this app has not saved. */
function readManifest(text: string): ArchivedItem[] | null {
  try {
    const { version: found, items } = JSON.parse(text) as Manifest
    const isItem = (item: ArchivedItem) =>
      [item.id, item.userId, item.tool, item.language].every(isText) &&
      (item.kind === 'generation' || item.kind === 'custom_edit') &&
      /^[0-9a-f-]{36}$/.test(item.id) &&
      Number.isFinite(item.price) &&
      isRecord(item.params) &&
      isRecord(item.inputs) &&
      Object.values(item.inputs).every((files) => files.every(({ name, type }) => isText(name) && isText(type)))
    return found === version && items.every(isItem) ? items : null
  } catch {
    return null
  }
}

/** Returns a reader of a ZIP's files by name: null for a missing, damaged or too large one. */
async function openZip(zip: Blob): Promise<(name: string) => Promise<Blob | null>> {
  const { unzip } = await import('unzipit')
  const { entries } = await unzip(zip)
  return async (name) => {
    const entry = Object.hasOwn(entries, name) ? entries[name] : null
    return entry && entry.size <= maxFileBytes ? entry.blob().catch(() => null) : null
  }
}

/**
 * Adds the uploads of a ZIP that are not in the queue, and returns their number; null if it is none
 * of ours. The same user keeps the keys, so that an upload that both devices send arrives once.
 */
export async function openQueue(zip: Blob): Promise<number | null> {
  const user = lastUserId()
  const read = await openZip(zip).catch(() => null)
  const manifest = await read?.(manifestName)
  const items = manifest && readManifest(await manifest.text())
  if (!read || !items || !user) return null
  let added = 0
  for (const item of items) {
    const isOwn = item.userId === user
    if (isOwn && (await uploads.list()).some(({ id }) => id === item.id)) continue
    const lost: number[] = []
    const inputs: Record<string, NewFile[]> = {}
    let count = 0
    for (const [input, files] of Object.entries(item.inputs)) {
      for (const { name, type, size = null, output, path } of files) {
        const found = path === null ? null : await read(path)
        if (!found && !output) lost.push(count)
        const blob = new Blob(found ? [found] : [], { type })
        inputs[input] = [...(inputs[input] ?? []), { name, blob, size, ...(output && isOwn && { output }) }]
        count += 1
      }
    }
    const [first] = Object.values(inputs).flat()
    const { kind, tool, params, price, language } = item
    const job = { kind, tool, params, price, language, inputs, userId: user }
    const preview = first ? await drawPreview(first.blob) : null
    const id = await addUpload(uploads, { ...job, preview, ...(isOwn && { id: item.id }) })
    if (lost.length > 0) await uploads.change(id, (now) => afterFileLoss(now, lost))
    added += 1
  }
  await readUploads()
  void sendUploads()
  return added
}
