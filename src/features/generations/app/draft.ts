import { delMany, getMany, keys, set, setMany } from 'idb-keyval'
import { atom } from 'jotai'
import { supportsBlobs } from '#client/device/blob-support.ts'
import { sharedStore } from '#client/device/device-store.ts'
import { lastUserId, store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { localKeys, sessionKeys, storeJson } from '#client/storage.ts'

export interface DraftFile {
  file: File
  input?: string
  id?: string
  /** The user's earlier output, which the server has already. */
  output?: string
  /** Time of sharing by another app (sw/share.ts) in milliseconds since 1970. */
  at?: number
}

export interface Draft {
  tool: string
  files: readonly DraftFile[]
  settings?: unknown
}
type Kept = Omit<Draft, 'tool'>

/** Pseudo tool for files from other apps that await a choice of tool. */
export const openWithTool = 'open-with'

const keyOf = (tool: string) => `draft:${tool}`
/**
 * Stored separately, so that a stroke does not write the pictures again. The number grows with a
 * new stage format.
 */
const settingsKeyOf = (tool: string) => `${keyOf(tool)}:settings-3`
// IndexedDB may be missing or full; pictures are kept in memory as well.
const inMemory = new Map<string, Kept>()

async function tryStorage<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> {
  return await work().catch(() => undefined)
}

/**
 * Stores the pictures through sign-up and a reload. Resolves to whether a reload would find them;
 * `full`: not, for lack of space.
 */
export async function saveDraft({ tool, ...draft }: Draft): Promise<boolean | 'full'> {
  const kept = { ...draft }
  inMemory.set(tool, kept)
  const store = async () => {
    // Pictures taken or replaced meanwhile are not restored.
    if (!(await supportsBlobs()) || inMemory.get(tool) !== kept) return false
    await setMany(
      [
        [keyOf(tool), kept.files],
        [settingsKeyOf(tool), kept.settings],
      ],
      sharedStore,
    )
    return true
  }
  return await store().catch((error: unknown) => (isFull(error) ? 'full' : false))
}

const isFull = (error: unknown) => error instanceof DOMException && error.name === 'QuotaExceededError'

export async function saveDraftSettings(tool: string, settings: unknown): Promise<void> {
  const kept = inMemory.get(tool)
  if (!kept) return
  kept.settings = settings
  await tryStorage(() => set(settingsKeyOf(tool), settings, sharedStore))
}

export const draftFiles = (files: readonly File[]): DraftFile[] => files.map((file) => ({ file }))

export async function draftedTool(): Promise<string | null> {
  const prefix = keyOf('')
  const held = [...inMemory.keys()].map(keyOf)
  const stored = (await tryStorage(() => keys(sharedStore))) ?? []
  const drafts = [...held, ...stored.map(String)].filter((name) => name.startsWith(prefix))
  // The tool page's own draft has a longer key.
  const tools = drafts.map((name) => name.slice(prefix.length).split(':')[0])
  return tools.find((tool) => tool !== openWithTool) ?? null
}

/** Counts deliveries to a tool whose page may be open already, so that it checks again. */
export const deliveriesAtom = atom(0)

export async function deliverDraft(draft: Draft): Promise<void> {
  await saveDraft(draft)
  store.set(deliveriesAtom, (count) => count + 1)
}

/** Stored apart from deliveries of other pages. */
export const unsentDraftKey = (tool: string) => `${tool}:unsent`
/** The key survives a reload and the camera's eviction of the page, but not the tab. */
const tabKey = (tool: string) => sessionKeys.unsentPictures + tool
export const draftLock = (tool: string) => `draft:${tool}`

export interface UnsentDraft {
  /** Milliseconds since 1970. */
  at: number
  owner: string | null
}

/** The tab finds its pictures again; after a crash, `findUnsentDraft` does in another one. */
export function markUnsent(tool: string): void {
  sessionStorage.setItem(tabKey(tool), '1')
  storeJson(localKeys.unsentDraft + tool, { at: Date.now(), owner: lastUserId() } satisfies UnsentDraft)
}

export function unmarkUnsent(tool: string): void {
  sessionStorage.removeItem(tabKey(tool))
  localStorage.removeItem(localKeys.unsentDraft + tool)
}

export const isUnsentHere = (tool: string): boolean => sessionStorage.getItem(tabKey(tool)) !== null

/** While it is held, no other tab offers the pictures. */
export function holdDraft(tool: string): () => void {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  void navigator.locks?.request(draftLock(tool), { mode: 'shared' }, () => held).catch(() => undefined)
  return release
}

/** A quick look, which spares most pages the code of the offer. */
export const hasUnsentDraft = (tool: string): boolean =>
  localStorage.getItem(localKeys.unsentDraft + tool) !== null && !isUnsentHere(tool)

export async function dropDraft(tool: string): Promise<void> {
  inMemory.delete(tool)
  await tryStorage(() => delMany([keyOf(tool), settingsKeyOf(tool)], sharedStore))
}

/**
 * Takes the tool's draft once. With `keepStored` a copy remains until the next save: the page may
 * close before.
 */
export async function takeDraft(tool: string, keepStored = false): Promise<Draft | null> {
  const storageKeys = [keyOf(tool), settingsKeyOf(tool)]
  const stored = inMemory.has(tool) ? undefined : await tryStorage(() => getMany(storageKeys, sharedStore))
  const [files = [], settings] = (stored ?? []) as [DraftFile[]?, unknown?]
  // A newer draft has replaced the stored one.
  const found = inMemory.get(tool) ?? { files, settings }
  inMemory.delete(tool)
  if (found.files.length === 0) return null
  if (!keepStored) await tryStorage(() => delMany(storageKeys, sharedStore))
  return { tool, ...found }
}

// The next user may be the visitor who chose the pictures; only a sign-out removes them.
onSignOut('drafts', (reason) => {
  if (reason === 'signed-out') inMemory.clear()
})
