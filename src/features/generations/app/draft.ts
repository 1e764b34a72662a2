import { delMany, getMany, keys, set, setMany } from 'idb-keyval'
import { atom } from 'jotai'
import { supportsBlobs } from '#client/device/blob-support.ts'
import { sharedStore } from '#client/device/device-store.ts'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'

export interface DraftFile {
  file: File
  /** The tool's input that it was chosen for; absent: whichever has space. */
  input?: string
  /** What is set and drawn for it is kept under this; absent: under none. */
  id?: string
  /** Id of the own earlier output that it is: the server has it already. */
  output?: string
  /** When another app shared it (sw/share.ts). */
  at?: number
}

/** Pictures somebody chose for a tool before its page could take them, e.g. before signing up. */
export interface Draft {
  tool: string
  files: readonly DraftFile[]
  /** What was set and drawn, as the studio keeps it. */
  settings?: unknown
}
type Kept = Omit<Draft, 'tool'>

/** In the place of a tool: what came from other apps and waits for somebody to choose one. */
export const openWith = 'open-with'

const keyOf = (tool: string) => `draft:${tool}`
/**
 * Settings that changed since are kept apart: the pictures need not be written again for each
 * stroke. The number goes up when stages remember something else.
 */
const settingsKeyOf = (tool: string) => `${keyOf(tool)}:settings-3`
// IndexedDB may be missing or full; within the page the pictures are kept anyway.
const inMemory = new Map<string, Kept>()

/** What IndexedDB returns, or nothing where it refuses. */
async function attempt<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}

/** Keeps the pictures until the tool takes them, through sign-up and a reload. */
export async function saveDraft({ tool, ...draft }: Draft): Promise<void> {
  const kept = { ...draft }
  inMemory.set(tool, kept)
  await attempt(async () => {
    // What was taken or replaced meanwhile is not brought back.
    if (!(await supportsBlobs()) || inMemory.get(tool) !== kept) return
    await setMany(
      [
        [keyOf(tool), kept.files],
        [settingsKeyOf(tool), kept.settings],
      ],
      sharedStore,
    )
  })
}

/** Keeps what was set and drawn since for pictures that are kept already. */
export async function saveDraftSettings(tool: string, settings: unknown): Promise<void> {
  const kept = inMemory.get(tool)
  if (!kept) return
  kept.settings = settings
  await attempt(() => set(settingsKeyOf(tool), settings, sharedStore))
}

/** Files that were chosen for no input in particular. */
export const draftFiles = (files: readonly File[]): DraftFile[] => files.map((file) => ({ file }))

/** A tool whose page has pictures waiting, or null; they stay where they are. */
export async function draftedTool(): Promise<string | null> {
  const prefix = keyOf('')
  const held = [...inMemory.keys()].map(keyOf)
  const stored = (await attempt(() => keys(sharedStore))) ?? []
  const drafts = [...held, ...stored.map(String)].filter((name) => name.startsWith(prefix))
  // What the tool's own page keeps has a word more.
  const tools = drafts.map((name) => name.slice(prefix.length).split(':')[0])
  return tools.find((tool) => tool !== openWith) ?? null
}

/** Counts what came for a tool whose page may be open already: it looks again. */
export const deliveriesAtom = atom(0)

/** Keeps the pictures as saveDraft does, and tells the tool's page. */
export async function deliverDraft(draft: Draft): Promise<void> {
  await saveDraft(draft)
  store.set(deliveriesAtom, (count) => count + 1)
}

export async function dropDraft(tool: string): Promise<void> {
  inMemory.delete(tool)
  await attempt(() => delMany([keyOf(tool), settingsKeyOf(tool)], sharedStore))
}

/**
 * Hands the tool its pictures, once; null when there are none. With `stays` what is stored remains,
 * for whoever keeps it anew: the page may be gone before that is done.
 */
export async function takeDraft(tool: string, stays = false): Promise<Draft | null> {
  const places = [keyOf(tool), settingsKeyOf(tool)]
  const stored = inMemory.has(tool) ? undefined : await attempt(() => getMany(places, sharedStore))
  const [files = [], settings] = (stored ?? []) as [DraftFile[]?, unknown?]
  // What was saved meanwhile has taken the place of what was stored.
  const found = inMemory.get(tool) ?? { files, settings }
  inMemory.delete(tool)
  if (found.files.length === 0) return null
  if (!stays) await attempt(() => delMany(places, sharedStore))
  return { tool, ...found }
}

// Whoever signs in next may be the visitor who chose the pictures; only signing out leaves them to
// nobody.
onSignOut('drafts', (reason) => {
  if (reason === 'signed-out') inMemory.clear()
})
