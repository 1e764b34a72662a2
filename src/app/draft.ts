import { del, get, set } from 'idb-keyval'
import { onSignOut } from './session.ts'

/** Pictures somebody chose for a tool before its page could take them, e.g. before signing up. */
export interface Draft {
  tool: string
  files: File[]
}

const keyOf = (tool: string) => `draft:${tool}`
// IndexedDB may be missing or full; within the page the pictures are kept anyway.
const inMemory = new Map<string, File[]>()

/** Keeps the pictures until the tool takes them, through sign-up and a reload. */
export async function saveDraft({ tool, files }: Draft): Promise<void> {
  inMemory.set(tool, files)
  await set(keyOf(tool), files).catch(() => undefined)
}

/** Hands the tool its pictures, once; null when there are none. */
export async function takeDraft(tool: string): Promise<Draft | null> {
  const files = inMemory.get(tool) ?? (await get<File[]>(keyOf(tool)).catch(() => undefined))
  inMemory.delete(tool)
  await del(keyOf(tool)).catch(() => undefined)
  return files && files.length > 0 ? { tool, files } : null
}

onSignOut(async (reason) => {
  if (reason !== 'signed-out') return
  const tools = [...inMemory.keys(), 'background-removal']
  inMemory.clear()
  await Promise.all(tools.map((tool) => del(keyOf(tool)).catch(() => undefined)))
})
