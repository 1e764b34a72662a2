import type { QueuedFile, UploadItem } from './item.ts'

/** An item as versions before named inputs stored it: one multipart form, each file under its field's name. */
interface FormItem extends Omit<UploadItem, 'params' | 'inputs'> {
  fields: Record<string, string>
  files: { field: string; name: string; bytes: number }[]
}

/** What those forms called the first input of the one tool there was. */
const renamed: Record<string, string> = { image: 'picture' }

/** An item as it is now, whichever version of the app stored it. */
export function currentItem(stored: UploadItem | FormItem): UploadItem {
  if (!('fields' in stored)) return stored
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
