import type { UploadFiles, UploadItem } from './item.ts'
import type { UploadStore } from './store.ts'

/** Uploads in the memory of one page, which they do not outlive. */
export function memoryUploads(): UploadStore {
  const items = new Map<string, UploadItem>()
  const bytes = new Map<string, UploadFiles>()
  return {
    async add(item, files) {
      items.set(item.id, { ...item, inMemory: true })
      bytes.set(item.id, files)
    },
    list: async () => [...items.values()].sort((a, b) => a.createdAt - b.createdAt),
    find: async (id) => items.get(id),
    files: async (id) => bytes.get(id),
    async change(id, decide) {
      const before = items.get(id)
      if (!before) return undefined
      const change = decide(before)
      const after = change === 'delete' ? undefined : (change ?? before)
      if (after) items.set(id, after)
      else items.delete(id)
      if (!after || after.state === 'sent') bytes.delete(id)
      return after
    },
  }
}
