import type { QueuedFile, UploadItem } from './item.ts'

/**
 * An item as versions before named inputs stored it: one multipart form, each file under its
 * field's name.
 */
interface FormItem extends Omit<UploadItem, 'params' | 'inputs'> {
  fields: Record<string, string>
  files: { field: string; name: string; bytes: number }[]
}

/** A blob, or its bytes where the device keeps no blobs. */
export type StoredBlob = Blob | { buffer: ArrayBuffer; type: string }

export const blobOf = (stored: StoredBlob): Blob =>
  'buffer' in stored ? new Blob([stored.buffer], { type: stored.type }) : stored

export const bytesOf = async (blob: Blob): Promise<StoredBlob> => ({
  buffer: await blob.arrayBuffer(),
  type: blob.type,
})

/** An item as it lies in the store. */
export type StoredItem = Omit<UploadItem | FormItem, 'preview'> & { preview: StoredBlob | null }

/** What those forms called the first input of the one tool there was. */
const renamed: Record<string, string> = { image: 'picture' }

/** An item as it is now, whichever version of the app stored it. */
export function currentItem(stored: StoredItem): UploadItem {
  const preview = stored.preview && blobOf(stored.preview)
  return { ...(isForm(stored) ? fromForm(stored) : (stored as UploadItem)), preview }
}

const isForm = (stored: StoredItem): stored is FormItem => 'fields' in stored

function fromForm(stored: FormItem): UploadItem {
  const { fields, files, url: _, ...item } = stored as FormItem & { url?: string }
  const inputs: Record<string, QueuedFile[]> = {}
  files.forEach(({ field, name, bytes }, index) => {
    const input = renamed[field] ?? field
    inputs[input] = [...(inputs[input] ?? []), { index, name, bytes, uploadUrl: null, arrived: false }]
  })
  // A form took files and run at once: whoever was sending may have got through.
  const uncertain = item.uncertain || item.state === 'sending'
  return { ...item, params: JSON.parse(fields.params ?? '{}'), inputs, uncertain }
}
