import { delMany, getMany, keys, set, setMany } from 'idb-keyval'
import { atom } from 'jotai'
import { supportsBlobs } from '#client/device/blob-support.ts'
import { sharedStore } from '#client/device/device-store.ts'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'

export interface DraftFile {
  file: File
  /** Input for which the file was chosen; absent: any input with space. */
  input?: string
  /** Key of its settings and strokes; absent: none. */
  id?: string
  /** Id of the user's earlier output, if the file is one: the server has it already. */
  output?: string
  /**
   * Time of sharing by another app in milliseconds since 1970 (sw/share.ts); absent for other
   * files.
   */
  at?: number
}

/** Pictures chosen for a tool before its page could take them, for example before signing up. */
export interface Draft {
  tool: string
  files: readonly DraftFile[]
  /** Settings and strokes in the studio's own format. */
  settings?: unknown
}
type Kept = Omit<Draft, 'tool'>

/** Pseudo tool for files from other apps that await a choice of tool. */
export const openWith = 'open-with'

const keyOf = (tool: string) => `draft:${tool}`
/**
 * Settings are stored separately: pictures need not be written again for each stroke. The number
 * grows when stages store another format.
 */
const settingsKeyOf = (tool: string) => `${keyOf(tool)}:settings-3`
// IndexedDB may be missing or full; pictures are kept in memory as well.
const inMemory = new Map<string, Kept>()

/** Result of IndexedDB, or undefined where it fails. */
async function attempt<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}

/**
 * Stores the pictures until the tool takes them, through sign-up and a reload. Resolves to whether
 * a reload would find them.
 */
export async function saveDraft({ tool, ...draft }: Draft): Promise<boolean> {
  const kept = { ...draft }
  inMemory.set(tool, kept)
  const stored = await attempt(async () => {
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
  })
  return stored ?? false
}

/** Stores changed settings and strokes of already stored pictures. */
export async function saveDraftSettings(tool: string, settings: unknown): Promise<void> {
  const kept = inMemory.get(tool)
  if (!kept) return
  kept.settings = settings
  await attempt(() => set(settingsKeyOf(tool), settings, sharedStore))
}

/** Files without a particular input. */
export const draftFiles = (files: readonly File[]): DraftFile[] => files.map((file) => ({ file }))

/** A tool with waiting pictures, or null; they are not taken. */
export async function draftedTool(): Promise<string | null> {
  const prefix = keyOf('')
  const held = [...inMemory.keys()].map(keyOf)
  const stored = (await attempt(() => keys(sharedStore))) ?? []
  const drafts = [...held, ...stored.map(String)].filter((name) => name.startsWith(prefix))
  // The tool page's own draft has a longer key.
  const tools = drafts.map((name) => name.slice(prefix.length).split(':')[0])
  return tools.find((tool) => tool !== openWith) ?? null
}

/** Counts deliveries to a tool whose page may be open already, so that it checks again. */
export const deliveriesAtom = atom(0)

/** Stores the pictures like saveDraft and notifies the tool's page. */
export async function deliverDraft(draft: Draft): Promise<void> {
  await saveDraft(draft)
  store.set(deliveriesAtom, (count) => count + 1)
}

export async function dropDraft(tool: string): Promise<void> {
  inMemory.delete(tool)
  await attempt(() => delMany([keyOf(tool), settingsKeyOf(tool)], sharedStore))
}

/**
 * Takes the tool's pictures, once; null without any. With `stays` the stored copy remains until the
 * caller stores it again: the page may close before.
 */
export async function takeDraft(tool: string, stays = false): Promise<Draft | null> {
  const places = [keyOf(tool), settingsKeyOf(tool)]
  const stored = inMemory.has(tool) ? undefined : await attempt(() => getMany(places, sharedStore))
  const [files = [], settings] = (stored ?? []) as [DraftFile[]?, unknown?]
  // A newer draft has replaced the stored one.
  const found = inMemory.get(tool) ?? { files, settings }
  inMemory.delete(tool)
  if (found.files.length === 0) return null
  if (!stays) await attempt(() => delMany(places, sharedStore))
  return { tool, ...found }
}

// The next user may be the visitor who chose the pictures; only a sign-out removes them.
onSignOut('drafts', (reason) => {
  if (reason === 'signed-out') inMemory.clear()
})
